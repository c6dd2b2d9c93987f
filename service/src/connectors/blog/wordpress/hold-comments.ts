import { randomBytes } from 'node:crypto'
import type { Leftover, Leftovers } from '../../contract/contract.ts'
import { valueAt } from '../../kit/lens.ts'
import { idOf, type WordpressApi } from './api.ts'
import type { Raw } from './entities.ts'

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

export interface HoldingPost {
  id: number
  note: Leftover
}

export async function openHoldingPost(api: WordpressApi, notes: Leftovers | undefined): Promise<HoldingPost> {
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
    const [comment] = await api.listByIds('comments', [Number(item.id)], { status: 'any' })
    const isAway = comment !== undefined && comment.post !== item.post
    const { post, status, author_ip, author_user_agent } = item
    const json = { post, status, author_ip, author_user_agent }
    const isBack = !isAway || (await api.send('POST', `/wp/v2/comments/${item.id}`, { json })).result !== 'refused'
    if (isBack) done.push(item)
  }
  for (const item of items.filter(({ kind }) => kind === 'holding_post')) {
    const { records } = await api.list('posts', { search: String(item.mark), status: 'private', per_page: 20 })
    const isGone = await Promise.all(records.map(({ id }) => deleteUnused(api, id)))
    if (isGone.every(Boolean)) done.push(item)
  }
  return done
}

/** Deletes a holding post, unless it still holds a complete comment. */
async function deleteUnused(api: WordpressApi, id: number): Promise<boolean> {
  const { records: held } = await api.list('comments', { post: id, status: 'any', per_page: 100 })
  const isUnused = held.every(isPlaceholder)
  if (isUnused) await api.remove('posts', id)
  return isUnused
}

/** Deletes holding posts that crashes have left in finished imports. */
export async function sweepHoldingPosts(api: WordpressApi, now: number): Promise<void> {
  const before = new Date(now - staleMs).toISOString()
  const { records } = await api.list('posts', { search: token, status: 'private', before, per_page: 20 })
  for (const { id } of records) await deleteUnused(api, id)
}
