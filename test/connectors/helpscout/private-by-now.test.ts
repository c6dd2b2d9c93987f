import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { idOf, openTwin, part, record, to } from './open-helpscout.ts'

// Records that customers could read when they were copied, and that are for agents alone by now.

let open: Awaited<ReturnType<typeof openTwin>>
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(async () => {
  expect(open.twin.mails).toEqual([])
  await open.close()
})

const refused = { result: 'refused', code: 'not_protected' }
const changed = (one: OutgoingRecord, destinationId: string, fields: object) => ({
  ...one,
  destinationId,
  fields: { ...one.fields, ...fields },
})

test('a text that is private by now never goes into its public copy', async () => {
  const { account } = open.twin
  const person = saveCustomer(account, { firstName: 'Nora', emails: [{ value: 'n@example.com' }] })
  const requester = to('contacts', person.id)
  const comment = part({ body: 'For all', is_public: true })
  const note = part({ body: 'Inner', is_public: false })
  const ticket = record({ subject: 'One', requester, description: 'For all' })
  const writer = open.writer()
  const [made, said, kept] = (await writer.write('tickets', [{ ...ticket, parts: [comment, note] }])).map(idOf)
  if (made === undefined || said === undefined || kept === undefined) throw new Error('not written')
  const within = { ticket: to('tickets', made), body: 'For agents' }
  expect(await writer.write('comments', [changed(comment, said, { ...within, is_public: false })])).toMatchObject([
    refused,
  ])
  expect(
    await writer.write('tickets', [changed(ticket, made, { description: 'For agents', is_private: true })]),
  ).toMatchObject([refused])
  const bodies = () =>
    account.conversations
      .get(made)
      ?.threads.flatMap(({ type, body }) => (type === 'lineitem' ? [] : [`${type}: ${body}`]))
  expect(bodies()?.join()).not.toContain('For agents')
  // Agents alone read a note, so it changes whatever the record is by now.
  for (const is_public of [false, true])
    expect(await writer.write('comments', [changed(note, kept, { ...within, is_public })])).toMatchObject([
      { result: 'written' },
    ])
  expect(bodies()?.join()).toContain('note: For agents')
})
