import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// HubSpot keeps the sender and the recipients of an e-mail as JSON in one property.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const accountOf = () => ({ access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) })
const headers = {
  from: { email: 'mia@example.com', firstName: 'Mia', lastName: 'Meyer' },
  sender: { email: 'mia@example.com' },
  to: [{ email: 'Ada Lind<ada@example.com>', firstName: 'Ada', lastName: 'Lind' }, { email: 'bo@example.com' }],
  cc: [],
  bcc: [{ email: 'boss@example.com' }],
}
const mail = (text: string) =>
  makeThing(twin.account, 'emails', {
    properties: {
      ...{ hs_timestamp: '2026-01-01T00:00:00.000Z', hs_email_direction: 'EMAIL', hs_email_subject: 'Rakes' },
      hs_email_headers: text,
    },
  })
const read = () => openHubspot(accountOf(), 'crm').read('activities', null, {})

test('sender and recipients of a mail are fields that people can read, and fewer people see BCC', async () => {
  mail(JSON.stringify(headers))
  const reader = openHubspot(accountOf(), 'crm')
  const fields = await reader.customFields('activities')
  expect(fields.filter(({ isRestricted }) => isRestricted).map(({ label }) => label)).toEqual(['BCC'])
  expect(fields.some(({ key }) => key.startsWith('hs_email_headers'))).toBe(false)
  const all: Awaited<ReturnType<typeof read>>['items'] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof read>> = await reader.read('activities', cursor, {})
    all.push(...page.items)
    cursor = page.next
    if (cursor === null) break
  }
  const custom = all[0]?.customFields ?? {}
  expect(Object.fromEntries(Object.entries(custom).map(([key, { value }]) => [key, value]))).toMatchObject({
    mail_from: 'Mia Meyer <mia@example.com>',
    mail_to: ['Ada Lind<ada@example.com>', 'bo@example.com'],
    mail_bcc: ['boss@example.com'],
  })
  expect(custom).not.toHaveProperty('mail_cc')
  expect(JSON.stringify({ ...custom, mail_bcc: null })).not.toContain('boss@')
})

test('in another HubSpot, sender and recipients are those of the mail again', async () => {
  const texts = (value: unknown, label: string) => ({ label, type: 'text' as const, value })
  const record: OutgoingRecord = {
    ...{ key: 'imp/1', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
    fields: { type: 'email', subject: 'Rakes', started_at: '2026-01-01T00:00:00.000Z' },
    customFields: {
      mail_from: texts('Mia Meyer <mia@example.com>', 'From'),
      mail_to: texts(['bo@example.com'], 'To'),
      pet: texts('Cat', 'Pet'),
    },
  }
  const writer = openHubspotWriter(accountOf(), 'crm')
  const [outcome] = await writer.write('activities', [record])
  expect(outcome).toMatchObject({ result: 'written' })
  const [stored] = twin.account.things.emails.list()
  expect(JSON.parse(String(stored?.properties.hs_email_headers))).toEqual({
    from: { email: 'Mia Meyer <mia@example.com>' },
    to: [{ email: 'bo@example.com' }],
  })
  expect(twin.account.properties.emails.some(({ name }) => name.startsWith('mail_'))).toBe(false)
  const destinationId = outcome && 'destinationId' in outcome ? outcome.destinationId : ''
  const [found] = await writer.find('activities', [{ key: record.key, destinationId, parent: null }])
  expect(found?.customFields).toEqual((await writer.asStored('activities', record)).customFields)
})

test('headers in another form are told, and do not arrive as they are', async () => {
  mail('To: ada@example.com')
  const reader = openHubspot(accountOf(), 'crm')
  let cursor: string | null = null
  const warnings: string[] = []
  do {
    const page: Awaited<ReturnType<typeof read>> = await reader.read('activities', cursor, {})
    warnings.push(...(page.warnings ?? []).map(({ code }) => code))
    expect(JSON.stringify(page.items)).not.toContain('To: ada')
    cursor = page.next
  } while (cursor !== null)
  expect(warnings).toEqual(['field_unreadable'])
})
