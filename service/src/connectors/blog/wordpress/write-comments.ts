import { randomBytes } from 'node:crypto'
import { ObstacleError } from '../../../errors.ts'
import type { Leftover, Leftovers, OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { textOf } from '../../kit/left-out.ts'
import { valueAt } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { simplified } from '../../kit/simplified.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { idOf, type WordpressApi } from './api.ts'
import { commentStatus, type Raw, writeEmail } from './entities.ts'
import { mapping } from './mapping.ts'
import { addressOf, commentMark } from './mark-record.ts'
import { toOutcome } from './write-records.ts'

// Approving a comment sends a mail to the author of its post, unless the author approves it. So we make a comment on a
// private post of ours, approve it there, and then move it to its own post, which sends no mail. This is also the only
// way to add comments to posts that are closed for comments, protected or unpublished.

/** A word in the text of every holding post, to find one that a crash has left. */
const token = 'wherryholdingplace'
const staleMs = 60 * 60_000

const placeholder = 'wherry-comment-on-its-way'
export const placeholderText = (address: string): string => `${placeholder} ${address}`

/** Whether a comment was made but not yet moved. It counts as absent, and is deleted with its holding post. */
export const isPlaceholder = (comment: Raw): boolean =>
  String(valueAt(comment, 'content.raw') ?? '').startsWith(placeholder)

/** Writes comments one after the other, because WordPress has no batches of comments. */
export async function writeComments(
  api: WordpressApi,
  records: readonly OutgoingRecord[],
  notes?: Leftovers,
): Promise<WriteOutcome[]> {
  const ids = records.flatMap(({ destinationId }) => destinationId ?? [])
  const present = new Map((await api.listByIds('comments', ids, { status: 'any' })).map((raw) => [String(raw.id), raw]))
  const opened: { id: number; note: Leftover }[] = []
  const hold = once(async () => {
    const post = await openHoldingPost(api, notes)
    opened.push(post)
    return post.id
  })
  const outcomes = await sideBySide(records, 1, async (record) => {
    const { key, destinationId } = record
    const answer =
      destinationId === null
        ? await create(api, record, await hold())
        : await change(api, record, present.get(destinationId), hold, notes)
    return toOutcome('comments', key, answer, await commentLosses(record))
  })
  // After an error the holding post stays and is removed later, because the comments on it may still be needed.
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
export const commentLosses = async ({ fields }: OutgoingRecord) => [
  ...thatHold([
    textOf(fields, 'author_email').trim() !== '' && writeEmail(fields.author_email) === '',
    'address_refused',
  ]),
  ...(await simplified(textOf(fields, 'body'), 'p br a abbr b blockquote cite code del em i q s strong')),
]

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
  const isSame = before?.status === status
  const request = await mapping('toRequest', 'comments', record)
  if (!before || isSame || status !== 'approved') return put(api, id, { ...request, ...(isSame ? {} : { status }) })
  const mark = commentMark(record.key)
  const place = { post: Number(before.post ?? 0), status: String(before.status ?? 'hold'), ...mark }
  const note = { kind: 'held_comment', id, ...place }
  const holding = await hold()
  await notes?.note(note)
  await put(api, id, { post: holding, status, ...mark })
  const answer = await put(api, id, request)
  // After a refusal, the comment is moved back, so that it is not deleted with the holding post.
  if (answer.result === 'refused') await put(api, id, place)
  await notes?.forget(note)
  return answer
}

const put = (api: WordpressApi, id: unknown, json: Record<string, unknown>) =>
  api.send('POST', `/wp/v2/comments/${id}`, { json })

async function openHoldingPost(
  api: WordpressApi,
  notes: Leftovers | undefined,
): Promise<{ id: number; note: Leftover }> {
  const mark = `wherryheld${randomBytes(8).toString('hex')}`
  const note = { kind: 'holding_post', mark }
  await notes?.note(note)
  const answer = await api.send('POST', '/wp/v2/posts', {
    json: {
      title: 'Comments on their way',
      content: `<p>An import keeps comments here for a moment. This private post can be deleted.</p><!-- ${notes ? `${token} ${mark}` : token} -->`,
      status: 'private',
      comment_status: 'open',
      ping_status: 'closed',
    },
  })
  if (answer.result === 'refused') throw new Error(`a private post was refused: ${answer.code}`)
  return { id: idOf(answer.json), note }
}

/** Moves comments back to their posts, then deletes the holding posts. */
export async function restoreHeld(api: WordpressApi, items: readonly Leftover[]): Promise<Leftover[]> {
  const done: Leftover[] = []
  for (const item of items.filter(({ kind }) => kind === 'held_comment')) {
    const { id, post, status, author_ip, author_user_agent } = item
    const [comment] = await api.listByIds('comments', [Number(id)], { status: 'any' })
    const isAway = comment !== undefined && comment.post !== post
    const isBack = !isAway || (await put(api, id, { post, status, author_ip, author_user_agent })).result !== 'refused'
    if (isBack) done.push(item)
  }
  for (const item of items.filter(({ kind }) => kind === 'holding_post')) {
    if (await deleteUnused(api, { search: String(item.mark) })) done.push(item)
  }
  return done
}

/** Deletes these holding posts, except those that still hold a complete comment. Returns whether all are gone. */
async function deleteUnused(api: WordpressApi, query: { search: string; before?: string }): Promise<boolean> {
  const { records } = await api.list('posts', { ...query, status: 'private', per_page: 20 })
  const areGone = await sideBySide(records, 1, async ({ id }) => {
    const { records: held } = await api.list('comments', { post: id, status: 'any', per_page: 100 })
    const isUnused = held.every(isPlaceholder)
    if (isUnused) await api.remove('posts', id)
    return isUnused
  })
  return areGone.every(Boolean)
}

/** Deletes holding posts that crashes have left in finished imports. */
export const sweepHoldingPosts = (api: WordpressApi, now: number): Promise<unknown> =>
  deleteUnused(api, { search: token, before: new Date(now - staleMs).toISOString() })
