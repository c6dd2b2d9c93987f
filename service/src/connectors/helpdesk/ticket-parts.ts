import type { RecordRef } from '../../families/record.ts'
import type { Entity } from '../kit/entity.ts'
import type { RawRecord } from '../kit/lens.ts'
import { inTurn } from '../kit/nested-pages.ts'
import type { Walk } from '../kit/pages.ts'
import { type List, type Listed, listed } from '../kit/read-lists.ts'
import { onlyIds, through } from '../kit/shape-walks.ts'

// Comments and files, which a help desk lists below tickets and articles. A record holds its files as `files`. Our ids
// contain the way to a record: `12-34` is comment 34 of ticket 12, and `12-34-56` a file of that comment.

interface Holders<W> {
  /** All that changed since then. */
  changed(since: string | undefined): W
  /** Those of these tickets. */
  of(ticketIds: string[]): Walk<RawRecord>
}

export interface TicketParts {
  /** The messages of tickets. One with `isFirst` is the description of its ticket, and no comment. */
  messages: Holders<Walk<RawRecord>>
  /** Leaves out older comments, if the messages that changed have some. */
  sinceThen?(walk: Walk<RawRecord>, since: string | undefined): Walk<RawRecord>
  /** The tickets, if their messages do not contain the files of their descriptions. */
  tickets?: Holders<readonly Walk<RawRecord>[]>
  articles: List
  /** Finds the id of the article in the id of its file. */
  articleIn?: RegExp
  /** Stands in for the walk of the files below these parents, if they are known already. */
  recall?(parents: readonly RecordRef[], walk: Walk<RawRecord>): Walk<RawRecord>
}

const ticketsOf = (ids: readonly string[]) => [...new Set(ids.map((id) => id.split('-')[0] ?? ''))]
const filesIn = (page: RawRecord[]) => page.flatMap(({ files }) => (files ?? []) as RawRecord[])
const onlyComments = (walk: Walk<RawRecord>) => through(walk, (page) => page.filter(({ isFirst }) => !isFirst))
const inside = (id: string) => id.includes('-')
/** A walk of these ids, or none without ids: it would be an empty page. */
const asked = (ids: readonly string[], walk: (ids: readonly string[]) => Walk<RawRecord>) =>
  ids.length > 0 ? [walk(ids)] : []

/** The lists of comments and of files, each file read once. `files` is the list of files by itself. */
export function listTicketParts<A>(
  { comments, attachments }: Record<'comments' | 'attachments', Entity<A>>,
  around: (page: readonly RawRecord[]) => Promise<A>,
  {
    messages,
    sinceThen = (walk) => walk,
    tickets,
    articles,
    articleIn = /^a([^-]+)-/,
    recall = (_parents, walk) => walk,
  }: TicketParts,
): { lists: Listed[]; files: List } {
  const ofTickets = (ids: readonly string[]) => messages.of(ticketsOf(ids))
  const said: List = ({ since, ids }) =>
    onlyIds(onlyComments(ids ? ofTickets(ids.filter(inside)) : sinceThen(messages.changed(since), since)), ids)
  const descriptionsOf = (ids: readonly string[]) => (tickets ? asked(ids, (some) => tickets.of(ticketsOf(some))) : [])
  const articlesOf = (ids: readonly string[]) => asked(ids, (some) => articles({ ids: [...new Set(some)] }))
  const files: List = ({ since, ids }) => {
    const others = ids?.filter((id) => inside(id) && !articleIn.test(id)) ?? []
    const ofDescriptions = others.filter((id) => tickets && id.split('-').length === 2)
    const ofMessages = others.filter((id) => !ofDescriptions.includes(id))
    const walks: readonly Walk<RawRecord>[] = ids
      ? [
          ...descriptionsOf(ofDescriptions),
          ...asked(ofMessages, ofTickets),
          ...articlesOf(ids.flatMap((id) => articleIn.exec(id)?.[1] ?? [])),
        ]
      : [...(tickets?.changed(since) ?? []), messages.changed(since), articles({ since })]
    return (cursor, size) => inTurn(walks, cursor, size, (walk) => onlyIds(through(walk, filesIn), ids))
  }
  const below = (parents: readonly RecordRef[]): Walk<RawRecord> => {
    const ids = (isArticle: boolean) =>
      parents.filter(({ entity }) => (entity === 'articles') === isArticle).map(({ sourceId }) => sourceId)
    const others = ids(false)
    const tops = others.filter((id) => !inside(id))
    const walks = [...descriptionsOf(tops), ...asked(others, ofTickets), ...articlesOf(ids(true))]
    return (cursor, size) => inTurn(walks, cursor, size, (walk) => through(walk, filesIn))
  }
  return {
    files,
    lists: [
      listed(comments, said, around, (ids) => onlyComments(ofTickets(ids))),
      listed(attachments, files, around, (_ids, parents) => recall(parents, below(parents))),
    ],
  }
}
