import type { WordpressApi } from './api.ts'
import { parseWhole, type RawRecord, recordSchema, takeFields } from './schema.ts'

// Approving a comment sends a mail to the author of its post, unless that author is the one who approves. So a comment
// is made on a private post of our own, approved there, and then put where it belongs, which is a silent change.
// It is also the only way onto posts that are closed for comments, protected or not yet published.

/** In the text of every such post, to find one that a crash has left. */
const token = 'wherryholdingplace'
const staleMs = 60 * 60_000

const placeholder = 'wherry-comment-on-its-way'
export const placeholderText = (address: string): string => `${placeholder} ${address}`

/** Made, but not yet put in its place: it counts as not there, and goes with the post that holds it. */
export function isPlaceholder(comment: RawRecord): boolean {
  return takeFields('comments', comment).raw.content?.raw.startsWith(placeholder) === true
}

export async function openHoldingPost(api: WordpressApi): Promise<number> {
  const answer = await api.send('POST', '/wp/v2/posts', {
    json: {
      title: 'Comments on their way',
      content: `<p>An import keeps comments here for a moment. This private post can be deleted.</p><!-- ${token} -->`,
      status: 'private',
      comment_status: 'open',
      ping_status: 'closed',
    },
  })
  if (answer.result === 'refused') throw new Error(`a private post was refused: ${answer.code}`)
  return parseWhole(recordSchema, answer.json, 'a post').id
}

export async function deleteHoldingPost(api: WordpressApi, id: number): Promise<void> {
  await api.send('DELETE', `/wp/v2/posts/${id}`, { json: { force: true } })
}

/** Deletes what crashes have left behind; never a comment that was complete before. */
export async function sweepHoldingPosts(api: WordpressApi, now: number): Promise<void> {
  const before = new Date(now - staleMs).toISOString()
  const { records } = await api.list('posts', { search: token, status: 'private', before, per_page: 20 })
  for (const { id } of records) {
    const { records: held } = await api.list('comments', { post: id, status: 'any', per_page: 100 })
    if (held.every(isPlaceholder)) await deleteHoldingPost(api, id)
  }
}
