import { Readable } from 'node:stream'
import { wordpress } from '../../../service/src/connectors/blog/wordpress/index.ts'
import { openWordpress } from '../../../service/src/connectors/blog/wordpress/reader.ts'
import { openWordpressWriter } from '../../../service/src/connectors/blog/wordpress/writer.ts'
import type { Account, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'

const outgoing = (key: string, fields: Record<string, unknown>): OutgoingRecord => ({
  key: `recorded/${key}`,
  revision: 1,
  destinationId: null,
  createdBy: null,
  fields,
  customFields: {},
  createdAt: '2016-02-29T12:34:56.000Z',
  updatedAt: null,
})

/**
 * Makes the requests that recordings/ has answers for. They ran once against a real site, and now run in every test.
 */
export async function playRecorded(account: Account) {
  const reader = openWordpress(account)
  const writer = openWordpressWriter(account)
  const post = outgoing('post', { title: 'Recorded', slug: 'recorded', body: '<p>Words</p>', status: 'published' })
  const refused = outgoing('refused', { title: 'Refused', authors: '99999999' })
  const [written, notWritten] = await writer.write('posts', [post, refused])
  const id = written?.result === 'written' ? written.destinationId : ''
  const version = written?.result === 'written' ? written.version : null
  const relation = { entity: 'posts', key: post.key, destinationId: id }
  const comment = outgoing('comment', { post: relation, author_name: 'G', body: '<p>Hi</p>', status: 'approved' })
  const [commented] = await writer.write('comments', [comment])
  const commentId = commented?.result === 'written' ? commented.destinationId : ''
  const sought = { key: post.key, destinationId: null, parent: null }
  return {
    account: await wordpress.source?.checkAccount(account),
    counts: await reader.count(),
    posts: await reader.read('posts', null, {}),
    comments: await reader.read('comments', null, {}),
    categories: await reader.read('categories', null, {}),
    media: await reader.read('media', null, {}),
    users: await reader.users(null),
    written,
    notWritten,
    commented,
    found: await writer.find('posts', [sought]),
    tag: await writer.write('tags', [outgoing('tag', { name: 'r&d' })]),
    file: await writer.writeFile('media', {
      ...outgoing('file', { file_name: 'words.txt' }),
      size: 5,
      contentType: 'text/plain',
      body: Readable.from([Buffer.from('words')]),
    }),
    keptWithComment: await writer.remove('posts', [{ ...sought, destinationId: id, version }]),
    removedComment: await writer.remove('comments', [
      { key: comment.key, destinationId: commentId, version: null, parent: null },
    ]),
    keptAsChanged: await writer.remove('posts', [{ ...sought, destinationId: id, version: 'another' }]),
  }
}
