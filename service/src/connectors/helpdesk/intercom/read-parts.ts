import Type from 'typebox'
import type { RecordWarning } from '../../contract/contract.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { anId, objects, oddAt, withOdd } from '../../kit/odd-places.ts'
import type { IntercomApi } from './api.ts'
import { filesOf, stableText } from './files.ts'
import * as look from './look-around.ts'
import type { Shelves } from './shelves.ts'

// Converts parts of conversations and tickets, and articles, for the lenses.

export const numberOf = (id: string) => encodeURIComponent(id.slice(1))
export const pathOf = (id: string) => `/${id.startsWith('t') ? 'tickets' : 'conversations'}/${numberOf(id)}`

/** Intercom returns only this many parts of a conversation: the newest. */
export const mostParts = 500

export const partsOf = (raw: RawRecord): RawRecord[] =>
  look.listOf(
    valueAt(raw, 'conversation_parts.conversation_parts') ?? valueAt(raw, 'ticket_parts.ticket_parts'),
  ) as RawRecord[]

/** Whether a part is a message. A customer's answer to a closed ticket is of the type `open`. */
export const isSaid = ({ part_type: type, body, attachments }: RawRecord): boolean =>
  type === 'comment' || type === 'note' || look.textOf(body) !== null || look.listOf(attachments).length > 0

const nameOf = (id: string) => (id.startsWith('t') ? 'ticket_parts' : 'conversation_parts')
/** Intercom counts the first message, too, which is no part. */
const countedIn = (raw: RawRecord) => {
  const counted = valueAt(raw, 'statistics.count_conversation_parts')
  return typeof counted === 'number' ? counted - 1 : null
}

/** Throws if Intercom counts parts but lists none, because their messages would be lost without notice. */
export function readParts({ itemsOf }: IntercomApi, id: string, raw: RawRecord): RawRecord[] {
  const name = nameOf(id)
  const isListed = (valueAt(raw, `${name}.${name}`) ?? null) !== null
  const count = Number(countedIn(raw) ?? valueAt(raw, `${name}.total_count`) ?? 0)
  return isListed || count > 0 ? itemsOf(raw, `${name}.${name}`) : []
}

/** The largest page of side conversations. */
const sidesAtOnce = 50

/** Messages of side conversations, which are threads of teammates. They become notes. */
export async function readSideParts(api: IntercomApi, id: string): Promise<RawRecord[]> {
  const found: RawRecord[] = []
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: sidesAtOnce }
    const json = await api.look(`/conversations/${numberOf(id)}/side_conversations`, look.lacking, query)
    const answer = (json ?? {}) as RawRecord
    for (const one of look.listOf(answer.side_conversations)) {
      const parts = api.itemsOf(one, 'conversation_parts')
      found.push(...parts.map((part) => ({ ...part, part_type: 'note' })))
    }
    if (!(Number(valueAt(answer, 'pages.total_pages')) > page)) return found
  }
}

/** The number of parts that Intercom omits. If the list does not contain this number, the conversation is requested. */
export async function missingParts(api: IntercomApi, id: string, raw: RawRecord): Promise<number> {
  const counted = countedIn(raw)
  const name = nameOf(id)
  if (counted !== null) return Math.max(0, counted - mostParts)
  const whole = valueAt(raw, name) === undefined ? await api.find(pathOf(id)) : raw
  const told = whole ? Number(valueAt(whole, `${name}.total_count`) ?? 0) : 0
  return whole ? Math.max(0, told - partsOf(whole).length) : 0
}

export const truncated = (sourceId: string, count: number): RecordWarning => ({
  ...{ entity: 'tickets', sourceId, code: 'truncated_by_source', count },
  message: 'Intercom hands out the newest 500 parts of a conversation. Older ones are missing.',
})

/**
 * Converts a part to a message. Null for parts without text and files, such as status changes. Customers see no message
 * of a private ticket.
 */
export function toMessage(
  { id: ticketId, is_private: isPrivate }: RawRecord,
  part: RawRecord,
  around: look.Around,
  site: string,
): RawRecord | null {
  const body = look.textOf(part.body)
  const id = `${ticketId}-${part.id}`
  const authors = look.authorsOf(part.author, around)
  const { author_agent, author_contact } = authors
  const type = isPrivate === true ? 'note' : String(part.part_type)
  // A customer who answers a closed conversation opens it. Customers write no notes.
  const isPublic = type === 'comment' || type === 'quick_reply' || (author_contact !== null && type !== 'note')
  const at = { entity: 'comments', sourceId: id }
  const files = filesOf(part, id, at, part.created_at, author_agent, site, !isPublic)
  // A text of another form is left to the lens, which reports it.
  const isOdd = typeof (part.body ?? '') !== 'string'
  const oddFiles = oddAt(part, { attachments: objects })
  if (body === null && files.length === 0 && !isOdd && oddFiles.length === 0) return null
  const message = {
    ...{
      id,
      ticket_id: ticketId,
      html: isOdd ? part.body : stableText(body ?? '', files),
      files,
      part_type: type,
      is_public: isPublic,
    },
    ...authors,
    created_at: part.created_at,
    // Intercom does not say that the time moves when a message is redacted, or when its ticket becomes private or
    // shared. Without a time, each delta reads it.
    updated_at: part.redacted === true || String(id).startsWith('t') ? null : (part.updated_at ?? part.created_at),
  }
  return withOdd(message, [...oddFiles, ...oddAt(part, { author: Type.Object({}) })])
}

/** Whether a published article has a draft with changes that are not published yet. */
export const hasDraft = ({ has_unpublished_changes: isChanged }: RawRecord): boolean => isChanged === true

export function toArticle(
  kind: string,
  raw: RawRecord,
  around: look.Around,
  site: string,
  { innermost, others }: Awaited<ReturnType<Shelves['placeOf']>>,
): RawRecord {
  const id = `${kind}${raw.id}`
  const author = around.admins.has(String(raw.author_id)) ? String(raw.author_id) : null
  const audience = raw.help_center_audience
  const isOpen = kind === 'a' && (audience === null || audience === undefined || audience === 'everyone')
  const tags = look.listOf(valueAt(raw, 'tags.tags')).flatMap(({ name }) => look.textOf(name) ?? [])
  const state = kind === 'i' ? 'published' : raw.state
  const parent = { entity: 'articles', sourceId: id }
  const files = filesOf(raw, id, parent, raw.created_at, author, site, !(isOpen && state === 'published'))
  const article = {
    ...{ id, title: raw.title, body: stableText(look.textOf(raw.body) ?? '', files), state, author, tag_names: tags },
    visibility: isOpen ? 'public' : 'internal',
    // Some customers may read it.
    has_lost_readers: kind === 'a' && !isOpen,
    ...{ parent_id: innermost, other_collections: others, has_draft: hasDraft(raw) },
    description: look.textOf(raw.description),
    locale: look.textOf(raw.default_locale) ?? look.textOf(raw.locale),
    url: look.textOf(raw.url),
    ...{ created_at: raw.created_at, updated_at: raw.updated_at },
    files,
  }
  return withOdd(article, oddAt(raw, { parent_ids: Type.Array(anId), 'tags.tags': objects }))
}
