import { ObstacleError } from '../../../errors.ts'
import * as tags from '../../../text/has-other-tags.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { Leftovers, OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { textOf } from '../../kit/left-out.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { idOf, type WordpressApi } from './api.ts'
import { commentStatus, type Raw, writeEmail } from './entities.ts'
import { type HoldingPost, openHoldingPost, placeholderText } from './hold-comments.ts'
import { mapping } from './mapping.ts'
import { addressOf, commentMark } from './mark-record.ts'
import { toOutcome } from './write-records.ts'

const beside = runBeside(new URL('../../../text/has-other-tags.ts', import.meta.url).href, tags)

const keptTags = 'p br a abbr b blockquote cite code del em i q s strong'

/** Writes comments one after the other, because WordPress has no batches of comments. */
export async function writeComments(
  api: WordpressApi,
  records: readonly OutgoingRecord[],
  notes?: Leftovers,
): Promise<WriteOutcome[]> {
  const ids = records.flatMap(({ destinationId }) => (destinationId === null ? [] : [Number(destinationId)]))
  const present = new Map((await api.listByIds('comments', ids, { status: 'any' })).map((raw) => [raw.id, raw]))
  const opened: HoldingPost[] = []
  const hold = async () => {
    if (opened.length === 0) opened.push(await openHoldingPost(api, notes))
    return Number(opened[0]?.id)
  }
  const outcomes: WriteOutcome[] = []
  for (const record of records) {
    const { destinationId } = record
    const before = destinationId === null ? undefined : present.get(Number(destinationId))
    const answer =
      destinationId === null ? await create(api, record, await hold()) : await change(api, record, before, hold, notes)
    outcomes.push(await toOutcome('comments', record.key, answer, await commentLosses(record)))
  }
  // After an error the holding posts stay and are removed later, because the comments on them may still be needed.
  for (const { id, note } of opened) {
    await api.remove('posts', id)
    await notes?.forget(note)
  }
  return outcomes
}

/**
 * Reports an e-mail address that was left out because WordPress would refuse it. No field that visitors see may hold
 * it.
 */
export const commentLosses = async ({ fields }: OutgoingRecord) =>
  thatHold(
    [textOf(fields, 'author_email').trim() !== '' && writeEmail(fields.author_email) === '', 'address_refused'],
    [await beside('hasOtherTags', textOf(fields, 'body'), keptTags), 'comment_simplified'],
  )

async function create(api: WordpressApi, record: OutgoingRecord, holding: number): Promise<Sent> {
  const made = await api.send('POST', '/wp/v2/comments', {
    json: {
      post: holding,
      // The text is unique, because WordPress refuses the same text by the same author twice.
      content: placeholderText(addressOf(record.key)),
      author_name: 'Wherry',
      author_email: 'import@wherry.invalid',
      status: commentStatus(record.fields.status),
      ...commentMark(record.key),
    },
  })
  if (made.result === 'refused') {
    if (made.code !== 'rest_comment_closed') return made
    throw new ObstacleError(
      'comments_closed',
      'customer',
      'This WordPress takes no comments at all. Please allow comments in its settings or plugins, at least for the time of the import.',
    )
  }
  return put(api, idOf(made.json), await mapping('toRequest', 'comments', record))
}

async function change(
  api: WordpressApi,
  record: OutgoingRecord,
  before: Raw | undefined,
  hold: () => Promise<number>,
  notes: Leftovers | undefined,
): Promise<Sent> {
  const id = Number(record.destinationId)
  const status = commentStatus(record.fields.status)
  const isApproval = before !== undefined && before.status !== status && status === 'approved'
  const request = await mapping('toRequest', 'comments', record)
  if (!isApproval) return put(api, id, { ...request, ...(before?.status === status ? {} : { status }) })
  const place = {
    post: Number(before.post ?? 0),
    status: String(before.status ?? 'hold'),
    ...commentMark(record.key),
  }
  const note = { kind: 'held_comment', id, ...place }
  const holding = await hold()
  await notes?.note(note)
  await put(api, id, { post: holding, status, ...commentMark(record.key) })
  const answer = await put(api, id, request)
  // After a refusal, the comment is moved back, so that it is not deleted with the holding post.
  if (answer.result === 'refused') await put(api, id, place)
  await notes?.forget(note)
  return answer
}

const put = (api: WordpressApi, id: number, json: Record<string, unknown>) =>
  api.send('POST', `/wp/v2/comments/${id}`, { json })
