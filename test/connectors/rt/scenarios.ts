import { Readable } from 'node:stream'
import type {
  OutgoingRecord,
  Reader,
  RecordPage,
  Wanted,
  WriteOutcome,
  Writer,
} from '../../../service/src/connectors/contract/contract.ts'
import { readAll } from '../../../service/src/connectors/kit/pages.ts'

// Calls with recorded answers. test/live/rt-record.ts makes these calls to a real Request Tracker to renew the
// recordings; tests make them to the fake one.

/** Reads one ticket of the seed data with all its children, and all people. */
export async function readScenario(reader: Reader, ticketId: string) {
  const nothing: RecordPage = { items: [], warnings: [], next: null }
  const page = async (entity: string, wanted: Wanted, cursor: string | null) =>
    (await reader.readSome?.(entity, wanted, cursor)) ?? nothing
  const some = (entity: string, wanted: Wanted) => readAll((cursor) => page(entity, wanted, cursor), 1)
  const parents = [{ entity: 'tickets', sourceId: ticketId }]
  const { items: tickets, warnings } = await page('tickets', { ids: [ticketId] }, null)
  return {
    ticket: tickets[0],
    warnings,
    comments: await some('comments', { parents }),
    attachments: await some('attachments', { parents }),
    groups: (await reader.read('groups', null, {})).items,
    users: (await reader.users(null)).items,
    contacts: (await reader.read('contacts', null, {})).items,
    organizations: (await reader.read('organizations', null, {})).items,
    customFields: await reader.customFields('tickets'),
    counts: await reader.count(),
  }
}

export const scenarioKey = (entity: string, id: string) => `imp_recorded/${entity}/${id}`

const outgoing = (entity: string, id: string, fields: Record<string, unknown>): OutgoingRecord => ({
  key: scenarioKey(entity, id),
  revision: 1,
  destinationId: null,
  fields,
  customFields: {},
  createdAt: '2018-05-06T07:08:09.000Z',
  updatedAt: null,
  createdBy: null,
})

const relation = (entity: string, id: string, outcome: WriteOutcome | undefined) => ({
  entity,
  key: scenarioKey(entity, id),
  destinationId: outcome && 'destinationId' in outcome ? outcome.destinationId : '0',
})

/** Writes a queue, a customer and two tickets. Request Tracker refuses one of the tickets. */
export async function writeTicketsScenario(writer: Writer) {
  const description = await writer.describe()
  const [queue] = await writer.write('groups', [outgoing('groups', 'q', { name: 'Recorded queue' })])
  const person = { name: 'Omar', emails: 'omar.recorded@customer.example' }
  const [contact] = await writer.write('contacts', [outgoing('contacts', 'c', person)])
  const sent = {
    subject: 'Rake arrived bent',
    description: '<p>See photo</p>',
    status: 'solved',
    solved_at: '2018-06-01T00:00:00.000Z',
    requester: relation('contacts', 'c', contact),
    group: relation('groups', 'q', queue),
  }
  const tickets = [outgoing('tickets', 't', sent), outgoing('tickets', 'bad', { ...sent, status: 'no such' })]
  const [ticket, refused] = await writer.write('tickets', tickets)
  return { description, queue, contact, tickets, ticket, refused }
}

export async function writeScenario(writer: Writer) {
  const { tickets, ticket, ...before } = await writeTicketsScenario(writer)
  const parent = relation('tickets', 't', ticket)
  const reply = { ticket: parent, body: '<p>Sent a new one</p>', is_public: true }
  const [comment] = await writer.write('comments', [outgoing('comments', 'm', reply)])
  const file = await writer.writeFile('attachments', {
    ...outgoing('attachments', 'f', { parent, file_name: 'a.bin' }),
    size: 3,
    contentType: 'application/pdf',
    body: Readable.from([Buffer.from('abc')], { objectMode: false }),
  })
  const found = await writer.find('tickets', [{ key: scenarioKey('tickets', 't'), destinationId: null, parent: null }])
  const expected = tickets[0] && (await writer.asStored('tickets', tickets[0]))
  return { ...before, ticket, comment, file, found, expected }
}
