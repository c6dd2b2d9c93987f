import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { live, whySkipped } from './rt-account.ts'
import { startWriting, type Writing } from './rt-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

// The user of our token makes the changes, so that only the record itself shows the change.
describe.skipIf(!live)(`an undo in a real Request Tracker${live ? '' : ` (${whySkipped})`}`, () => {
  let on: Writing
  let turn = 0
  beforeAll(async () => {
    on = startWriting(outbound)
    await on.prepare()
  })

  const write = async (entity: string, fields: object) => {
    turn += 1
    const record =
      entity === 'tickets'
        ? on.ticket(`u${turn}`, fields)
        : on.outgoing(entity, `u${turn}`, fields, { createdAt: null })
    const [outcome] = await on.writer.write(entity, [record])
    if (outcome?.result !== 'written') throw new Error(`not written: ${JSON.stringify(outcome)}`)
    const { key, destinationId, version } = outcome
    return { key, destinationId, version, parent: null }
  }

  /** Expects that each single change keeps a record, and that a forced undo removes it. */
  async function expectKept(entity: string, path: string, fieldsOf: () => object, changes: Record<string, object>) {
    const untouched = await write(entity, fieldsOf())
    const [same] = await on.writer.find(entity, [untouched])
    expect([entity, same?.version]).toEqual([entity, untouched.version])
    expect(await on.writer.remove(entity, [untouched])).toMatchObject([{ result: 'removed' }])
    for (const [name, change] of Object.entries(changes)) {
      const record = await write(entity, fieldsOf())
      await on.rest('PUT', `${path}/${record.destinationId}`, change)
      const [found] = await on.writer.find(entity, [record])
      expect([name, found?.version === record.version]).toEqual([name, false])
      expect([name, await on.writer.remove(entity, [record])]).toMatchObject([name, [{ result: 'kept' }]])
      await on.writer.remove(entity, [{ ...record, version: null }])
    }
  }

  test('keeps a ticket in which people changed anything', async () => {
    const other = `other-${on.run}@customer.example`
    await on.rest('POST', '/user', { Name: other, EmailAddress: other })
    const customer = `base-${on.run}@customer.example`
    await expectKept('tickets', '/ticket', () => ({ priority: 'high', due_at: '2030-01-01T00:00:00.000Z' }), {
      Subject: { Subject: 'Other words' },
      Status: { Status: 'stalled' },
      Priority: { Priority: 3 },
      FinalPriority: { FinalPriority: 70 },
      Queue: { Queue: 'General' },
      Owner: { Owner: on.agentId },
      'another requester': { Requestor: [customer, other] },
      Cc: { Cc: [other] },
      AdminCc: { AdminCc: [`agent-${on.run}@agents.example`] },
      Due: { Due: '2031-01-01 00:00:00' },
      Starts: { Starts: '2031-01-01 00:00:00' },
      Started: { Started: '2019-01-01 00:00:00' },
      TimeWorked: { TimeWorked: 5 },
      TimeEstimated: { TimeEstimated: 5 },
      TimeLeft: { TimeLeft: 5 },
      'an address that it refers to': { AddRefersTo: ['https://elsewhere.example/1'] },
      'custom field': { CustomFields: { Severity: 'High' } },
    })
  })

  test('keeps a person whom people changed in any way', async () => {
    const fieldsOf = () => ({ name: 'Once', emails: `u${turn}-${on.run}@customer.example`, notes: 'VIP' })
    const texts = ['RealName', 'NickName', 'Organization', 'Comments', 'Signature', 'FreeformContactInfo', 'Gecos']
    const places = ['Address1', 'Address2', 'City', 'State', 'Zip', 'Country']
    const phones = ['WorkPhone', 'MobilePhone', 'HomePhone', 'PagerPhone']
    await expectKept('contacts', '/user', fieldsOf, {
      ...Object.fromEntries([...texts, ...places, ...phones].map((name) => [name, { [name]: 'o 1' }])),
      EmailAddress: { EmailAddress: `changed-${on.run}@customer.example` },
      Lang: { Lang: 'de' },
      Timezone: { Timezone: 'Europe/Berlin' },
      Disabled: { Disabled: 1 },
      'custom field': { CustomFields: { Contract: 'K-2' } },
    })
  })

  test('keeps a queue that people changed in any way', async () => {
    await expectKept('groups', '/queue', () => ({ name: `Undone ${turn} ${on.run}` }), {
      Name: { Name: `Renamed ${on.run}` },
      Description: { Description: 'Other words' },
      CorrespondAddress: { CorrespondAddress: 'answers@desk.example' },
      CommentAddress: { CommentAddress: 'comments@desk.example' },
      SubjectTag: { SubjectTag: 'other' },
      Cc: { Cc: [`base-${on.run}@customer.example`] },
      AdminCc: { AdminCc: [`agent-${on.run}@agents.example`] },
      Disabled: { Disabled: 1 },
    })
  })
})
