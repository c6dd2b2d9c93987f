import { afterEach, expect, test } from 'vitest'
import type { Account, OutgoingRecord, Writer } from '../../service/src/connectors/contract/contract.ts'
import { openFreshdeskWriter } from '../../service/src/connectors/helpdesk/freshdesk/writer.ts'
import { openIntercomWriter } from '../../service/src/connectors/helpdesk/intercom/writer.ts'
import { openZendeskWriter } from '../../service/src/connectors/helpdesk/zendesk/writer.ts'
import { createClock } from '../twins/clock.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { startIntercomTwin } from '../twins/intercom/twin.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { createLoopbackOutbound } from './desk-account.ts'

// Refusals of people and tickets, in the forms that the tools document.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const tools = {
  zendesk: { start: startZendeskTwin, open: openZendeskWriter, contacts: '/api/v2/users' },
  freshdesk: { start: startFreshdeskTwin, open: openFreshdeskWriter, contacts: '/api/v2/contacts' },
  intercom: { start: startIntercomTwin, open: openIntercomWriter, contacts: '/contacts' },
} as const

async function start(name: keyof typeof tools) {
  const { start: startTwin, open, contacts } = tools[name]
  const twin = await startTwin({}, createClock())
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const access = { username: null, ...twin.access }
  const account: Account = { access, outbound, signal: AbortSignal.timeout(600_000) }
  const writer: Writer = open(account)
  await writer.describe()
  const refuse = (path: string, status: number, json: unknown, times = 1) => {
    let left = times
    twin.faults.when(({ method, url }) =>
      method === 'POST' && url.pathname === path && left-- > 0 ? { kind: 'answered', status, json } : null,
    )
  }
  return { writer, refuse, contacts }
}

const record = (fields: OutgoingRecord['fields']): OutgoingRecord => ({
  ...{ key: 'imp/1', revision: 1, destinationId: null, createdBy: null, customFields: {} },
  ...{ createdAt: null, updatedAt: null, fields },
})
const ann = record({ name: 'Ann', emails: ['ann@example.com'] })
const listed = (code: string, message: string) => ({ type: 'error.list', request_id: 'x', errors: [{ code, message }] })
const invalid = (field: string, message: string) => ({
  description: 'Validation failed',
  errors: [{ field, message, code: 'invalid_value' }],
})

test.each([
  [
    'zendesk',
    422,
    {
      ...{ error: 'RecordInvalid', description: 'Record validation errors' },
      details: { email: [{ description: 'Email: ann@example.com is already being used by another user' }] },
    },
  ],
  ['freshdesk', 400, invalid('email', "It should be in the 'valid email address' format")],
  ['intercom', 400, listed('parameter_invalid', 'Email is invalid')],
  ['intercom', 409, listed('conflict', 'An archived contact matching those details already exists with id=6762f0cd')],
] as const)('%s: a person whose address is refused with %i arrives without it', async (tool, status, json) => {
  const { writer, refuse, contacts } = await start(tool)
  refuse(contacts, status, json)
  expect(await writer.write('contacts', [ann])).toMatchObject([{ result: 'written', losses: ['address_refused'] }])
})

test('Freshdesk: a person whose phone number is refused arrives without it', async () => {
  const { writer, refuse, contacts } = await start('freshdesk')
  refuse(contacts, 400, invalid('phone', 'It should be a valid phone number'))
  const record = { ...ann, fields: { ...ann.fields, phones: ['12'] } }
  expect(await writer.write('contacts', [record])).toMatchObject([{ result: 'written', losses: ['phone_refused'] }])
})

test('Freshdesk: a company whose domain another one has arrives without domains', async () => {
  const { writer } = await start('freshdesk')
  const company = (key: string) => ({ ...record({ name: `Company ${key}`, domains: ['same.example'] }), key })
  expect(await writer.write('organizations', [company('a'), company('b')])).toMatchObject([
    ...[{ result: 'written' }, { result: 'written', losses: ['domain_refused'] }],
  ])
})

test('an Intercom workspace whose subscription ended refuses no single person: the run waits', async () => {
  const { writer, refuse, contacts } = await start('intercom')
  refuse(contacts, 403, listed('api_plan_restricted', 'Active subscription needed.'))
  await expect(writer.write('contacts', [ann])).rejects.toThrow(/no longer lets us in \(Active subscription needed/)
})

test('a refusal by Zendesk names every field whose error has words, whatever the others have', async () => {
  const { writer, refuse } = await start('zendesk')
  const details = { requester: [{ description: 'Requester: Ann is suspended.' }], status: 'odd', base: [null] }
  refuse('/api/v2/imports/tickets', 422, { error: 'RecordInvalid', description: 'Record validation errors', details })
  expect(await writer.write('tickets', [record({ subject: 'Broken' })])).toMatchObject([
    { result: 'refused', message: 'Requester: Ann is suspended.' },
  ])
})
