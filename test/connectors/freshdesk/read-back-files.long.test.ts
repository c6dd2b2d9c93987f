import { afterEach, expect, test } from 'vitest'
import { startJourney } from '../../engine/journey.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { keepFiles } from '../../twins/freshdesk/files.ts'
import { makeTicket } from '../../twins/freshdesk/save-ticket.ts'
import { textFile } from '../../twins/freshdesk/seed.ts'
import { startFreshdeskTwin } from '../../twins/freshdesk/twin.ts'
import { startTwin, workThrough } from '../zendesk/to-zendesk.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('the sizes of all files are compared, also of those that the source lists on a later page', async () => {
  const source = await startFreshdeskTwin({ hasNotifications: false })
  cleanup.defer(() => source.close())
  const { account } = source
  const user_id = idOf(saveContact(account, { name: 'Nora', email: 'nora@example.com' }))
  const words = { requester_id: user_id, subject: 'Files', description: '<p>One file</p>' }
  const ticket = makeTicket(account, words, [textFile('first.txt', 'The first')])
  const attachments = keepFiles(account, [textFile('second.txt', 'The second')])
  addConversation(account, ticket, { user_id, body: '<p>And one more</p>', attachments, private: false })

  const twin = await startTwin(cleanup)
  const { url, access } = twin
  const journey = await startJourney({
    source: { tool: 'freshdesk', url: source.url },
    destination: { tool: 'zendesk', url, username: access.username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination(access.token)
  await workThrough(journey, await journey.start('full'))
  const files = () =>
    journey.db
      .selectFrom('id_map')
      .select(['code', 'message'])
      .where('entity', '=', 'attachments')
      .orderBy('source_id')
      .execute()
  expect(await files()).toEqual([1, 2].map(() => ({ code: null, message: null })))

  for (const { id, bytes } of twin.account.attachments.list())
    twin.account.attachments.change(id, { bytes: Buffer.concat([bytes, bytes]) })
  await journey.work(await journey.start('check'))
  expect((await files()).map(({ code, message }) => `${code} ${message}`).sort()).toEqual([
    'differs The file has 18 bytes; in the source it has 9.',
    'differs The file has 20 bytes; in the source it has 10.',
  ])
})
