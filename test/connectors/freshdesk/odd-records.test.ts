import { afterEach, expect, test } from 'vitest'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import { outgoing, related, start } from './start.ts'

// Records and answers that are rare, written to Freshdesk's twin.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test.each([{}, { subject: '' }, { subject: ' ' }, { subject: null }])(
  'a ticket without a subject arrives as (no subject): %j',
  async (given) => {
    const { twin, contact, writer } = await start(cleanup)
    const { entities } = await writer.describe()
    expect(entities.tickets?.fields.subject?.required).toBe(false)
    const record = outgoing({ ...given, description: '<p>Bent</p>', requester: related('contacts', contact.id) })
    const [outcome] = await writer.write('tickets', [record])
    expect(outcome).toMatchObject({ result: 'written' })
    expect(twin.account.tickets.list().map(({ subject }) => subject)).toEqual(['(no subject)'])
    const [found] = await writer.find('tickets', [
      { key: record.key, destinationId: String(twin.account.tickets.list()[0]?.id), parent: null },
    ])
    expect(found?.fields.subject).toEqual((await writer.asStored('tickets', record)).fields.subject)
  },
)

test('where Freshdesk ignores the filter for our id or for an address, nobody else is taken for the person', async () => {
  const { twin, writer } = await start(cleanup)
  await writer.describe()
  const stranger = saveContact(twin.account, { name: 'Ann', email: 'ann@mail.example.com' })
  twin.faults.when(({ url }) => {
    for (const name of ['unique_external_id', 'email']) url.searchParams.delete(name)
    return null
  })
  const [agent] = twin.account.agents.list().slice(-1)
  const records = [
    outgoing({ name: 'Agent', emails: [{ address: agent?.email }] }),
    outgoing({ name: 'Ann', emails: [{ address: 'ANN@mail.example.com' }] }),
  ]
  const outcomes = await writer.write('contacts', records)
  expect(outcomes).toMatchObject([
    { result: 'matched', destinationId: String(agent?.id) },
    { result: 'matched', destinationId: String(stranger.id) },
  ])
})
