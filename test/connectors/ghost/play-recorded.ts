import { Readable } from 'node:stream'
import { ghost } from '../../../service/src/connectors/blog/ghost/index.ts'
import { openGhost } from '../../../service/src/connectors/blog/ghost/reader.ts'
import { openGhostWriter } from '../../../service/src/connectors/blog/ghost/writer.ts'
import type { Account, OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'

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
const idOf = (outcome: WriteOutcome | undefined) => (outcome?.result === 'written' ? outcome.destinationId : '')
const versionOf = (outcome: WriteOutcome | undefined) => (outcome?.result === 'written' ? outcome.version : null)

/**
 * Makes the requests that recordings/ has answers for. They ran once against a real site, and now run in every test.
 */
export async function playRecorded(account: Account) {
  const reader = openGhost(account)
  const writer = openGhostWriter(account)
  const read = {
    account: await ghost.source?.checkAccount(account),
    counts: await reader.count(),
    users: await reader.users(null),
    tags: await reader.read('tags', null, {}),
    posts: await reader.read('posts', null, {}),
    media: await reader.read('media', null, {}),
    comments: await reader.read('comments', null, {}),
    subscribers: await reader.read('subscribers', null, {}),
  }
  const post = outgoing('post', { title: 'Recorded', slug: 'recorded', body: '<p>Words</p>', status: 'published' })
  const tooLong = outgoing('long', { title: 'x'.repeat(300) })
  const [written, notWritten] = await writer.write('posts', [post, tooLong])
  const id = idOf(written)
  const relation = { entity: 'posts', key: post.key, destinationId: id }
  const words = { body: '<p>Hi</p>', status: 'approved', author_name: 'Grace', author_email: 'grace@mail.example' }
  const comment = outgoing('comment', { post: relation, ...words })
  const [commented] = await writer.write('comments', [comment])
  const person = outgoing('person', { email: 'eve@mail.example', name: 'Eve', status: 'subscribed', labels: ['VIP'] })
  const [subscribed] = await writer.write('subscribers', [person])
  const sought = { key: post.key, destinationId: null, parent: null }
  const removable = (record: OutgoingRecord, outcome: WriteOutcome | undefined) => [
    { key: record.key, parent: null, destinationId: idOf(outcome), version: versionOf(outcome) },
  ]
  return {
    ...read,
    written,
    notWritten,
    commented,
    subscribed,
    found: await writer.find('posts', [sought]),
    changed: await writer.write('posts', [{ ...post, destinationId: id, fields: { ...post.fields, title: 'Again' } }]),
    tag: await writer.write('tags', [outgoing('tag', { name: 'r&d' })]),
    file: await writer.writeFile('media', {
      ...outgoing('file', { file_name: 'words.txt' }),
      size: 5,
      contentType: 'text/plain',
      body: Readable.from([Buffer.from('words')]),
    }),
    preflight: await writer.preflight?.(),
    removedPerson: await writer.remove('subscribers', removable(person, subscribed)),
    removedComment: await writer.remove('comments', removable(comment, commented)),
    keptAsChanged: await writer.remove('posts', removable(post, written)),
  }
}
