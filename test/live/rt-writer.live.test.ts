import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { rt } from '../../service/src/connectors/helpdesk/rt/index.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { live, whySkipped } from './rt-account.ts'
import { hostile, idOf, long, startWriting, type Writing } from './rt-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

describe.skipIf(!live)(`a real Request Tracker as a destination${live ? '' : ` (${whySkipped})`}`, () => {
  let on: Writing
  beforeAll(async () => {
    on = startWriting(outbound)
    await on.prepare()
  })

  test('the account is described correctly, and a wrong token is refused', async () => {
    const info = await rt.destination?.checkAccount(on.account())
    expect(info?.name).toContain('127.0.0.1')
    const access = { ...on.account().access, token: '1-14-00000000000000000000000000000000' }
    await expect(rt.destination?.checkAccount({ ...on.account(), access })).rejects.toThrow(
      'does not accept this token',
    )
    const checks = (await on.writer.preflight?.()) ?? []
    expect(checks.filter(({ isBlocking, isFine }) => isBlocking && !isFine)).toEqual([])
    expect(checks.map(({ code }) => code)).toContain('quiet_messages')
    const users = await readAll((cursor) => on.writer.users(cursor))
    const email = `agent-${on.run}@agents.example`
    expect(users).toContainEqual({ id: on.agentId, name: 'Agent Änne', email, isActive: true })
  })

  test('a group becomes a queue; an existing queue with the name is used unchanged', async () => {
    const fields = { name: `Störungen ${on.run} 🚨`, description: "Ausfälle & 'mehr'", agents: [on.agentId] }
    const customFields = { Region: { label: 'Region', type: 'text' as const, value: 'Süd' } }
    const sent = on.outgoing('groups', 'q', fields, { customFields })
    const id = await on.write('groups', sent)
    await on.expectStored('groups', sent)
    expect(await on.write('groups', sent)).toBe(id)
    const [matched] = await on.writer.write('groups', [on.outgoing('groups', 'general', { name: 'general' })])
    expect(matched).toMatchObject({ result: 'matched' })
    const [blank] = await on.writer.write('groups', [on.outgoing('groups', 'blank', { name: '' })])
    expect(blank).toMatchObject({ result: 'refused', message: expect.any(String) })
  })

  test('a contact becomes a user; an existing user with the address is that contact', async () => {
    const [organization] = await on.writer.write('organizations', [
      on.outgoing('organizations', 'o', { name: 'Müller & Söhne' }),
    ])
    const fields = {
      name: "عمر O'Brien 👩‍🔧",
      emails: `omar-${on.run}@customer.example`,
      phones: [{ number: '+49 1', type: 'mobile' }, { number: '030 2' }],
      organization: on.to('organizations', 'o', idOf(organization)),
      language: 'ar',
      timezone: 'Africa/Cairo',
      notes: 'VIP\r\nzwei Zeilen <b>',
    }
    const customFields = {
      Contract: { label: 'Contract', type: 'text' as const, value: 'K-1' },
      address: { label: 'Address', type: 'address' as const, value: { city: 'Kairo' } },
    }
    const sent = on.outgoing('contacts', 'c', fields, { customFields })
    const id = await on.write('contacts', sent)
    await on.expectStored('contacts', sent)
    expect(await on.write('contacts', sent)).toBe(id)
    const same = on.outgoing('contacts', 'c2', { name: 'Someone', emails: `OMAR-${on.run}@customer.example` })
    expect((await on.writer.write('contacts', [same]))[0]).toMatchObject({ result: 'matched', destinationId: id })
    const addressless = on.outgoing('contacts', 'c3', { name: 'No address', is_suspended: true })
    const addresslessId = await on.write('contacts', addressless)
    expect(await on.write('contacts', addressless)).toBe(addresslessId)
    await on.expectStored('contacts', addressless)
  })

  test('tickets are read back as they were sent, with any content', async () => {
    const customFields = {
      Severity: { label: 'Severity', type: 'option' as const, value: 'High' },
      Components: { label: 'Components', type: 'option' as const, value: ['データ', 'API', 'not offered'] },
      Aliases: { label: 'Aliases', type: 'text' as const, value: ['b', 'a', 'b'] },
      'Reported on': { label: 'Reported on', type: 'date' as const, value: '2024-02-29' },
      'Promised at': { label: 'Promised at', type: 'datetime' as const, value: '2024-05-01T12:30:00.000Z' },
      'Notes for QA': { label: 'Notes for QA', type: 'long_text' as const, value: 'eins\r\nzwei <b>&' },
      'Customer number': { label: 'Customer number', type: 'integer' as const, value: 42 },
      links: { label: 'Links', type: 'url' as const, value: ['https://example.com/a?b=1'] },
      priority_number: { label: 'Priority (number)', type: 'integer' as const, value: 73 },
    }
    const full = {
      number: 'A-1042',
      subject: 'Ünïcode 🚀 שלום <b>"x"</b>',
      description: hostile,
      status: 'solved',
      assignee: on.agentId,
      followers: [on.agentId],
      collaborators: [on.to('contacts', 'base', on.contactId)],
      due_at: '2019-01-01T10:00:00.500Z',
      solved_at: '2018-06-01T00:00:00.000Z',
      time_spent_s: 5400,
    }
    const bare = { subject: '', description: '', group: undefined, requester: undefined, status: undefined }
    const solvedAt = { solved_at: '2018-06-01T00:00:00.000Z' }
    const sent = [
      on.ticket('full', full, { customFields, createdBy: { name: 'Agent Änne', email: null, userId: on.agentId } }),
      on.ticket('bare', bare, { createdAt: null }),
      on.ticket('long', { subject: 'x'.repeat(300), description: long, status: 'pending', priority: 'urgent' }),
      on.ticket('rejected', { status: 'rejected', ...solvedAt }),
      on.ticket('old', { status: 'new' }, { createdAt: '1955-01-01T00:00:00.000Z' }),
    ]
    const outcomes = await on.writer.write('tickets', sent)
    expect(outcomes.map(({ result }) => result)).toEqual(sent.map(() => 'written'))
    for (const [index, record] of sent.entries()) {
      await on.expectStored('tickets', record)
      const { version } = await on.findOne('tickets', String(record.key.split('/')[2]))
      expect(outcomes[index]).toMatchObject({ version })
    }
    expect(await on.rest('GET', `/ticket/${idOf(outcomes[0])}`)).toMatchObject({
      Created: '2018-05-06T07:08:09Z',
      Creator: { id: `agent-${on.run}@agents.example` },
    })
  })

  test('a refused ticket has a reason, and leaves nothing behind', async () => {
    const wrongStatus = on.ticket('refused', { status: 'no such status' })
    const wrongQueue = on.ticket('queueless', { group: on.to('groups', 'x', '999999') })
    const outcomes = await on.writer.write('tickets', [wrongStatus, wrongQueue])
    expect(outcomes[0]).toMatchObject({ result: 'refused', message: expect.stringContaining('status') })
    expect(outcomes[1]).toMatchObject({ result: 'refused', message: expect.stringContaining('No permission') })
    const sought = [on.sought('tickets', 'refused'), on.sought('tickets', 'queueless')]
    expect(await on.writer.find('tickets', sought)).toEqual([])
  })

  test('links and changes arrive with a second write, and nothing is duplicated', async () => {
    const parentId = await on.write('tickets', on.ticket('parent'))
    const childId = await on.write('tickets', on.ticket('child', { status: 'new' }))
    const parent = on.to('tickets', 'parent', parentId)
    const fields = {
      subject: 'Now bent twice',
      status: 'solved',
      solved_at: '2018-07-01T00:00:00.000Z',
      assignee: on.agentId,
      parent_ticket: parent,
      depends_on: [parent],
      linked_tickets: [parent],
    }
    const customFields = { Severity: { label: 'Severity', type: 'option' as const, value: 'Low' } }
    const changed = on.ticket('child', fields, { destinationId: childId, customFields })
    for (const _again of [1, 2]) {
      expect(await on.write('tickets', changed)).toBe(childId)
      await on.expectStored('tickets', changed)
    }
  })

  test('tickets that link to each other are written in any order; a ticket that people changed stays', async () => {
    const write = async (name: string, fields: object = {}) => {
      const [outcome] = await on.writer.write('tickets', [on.ticket(name, fields)])
      if (outcome?.result !== 'written') throw new Error(`not written: ${JSON.stringify(outcome)}`)
      const { key, destinationId, version } = outcome
      return { key, destinationId, version, parent: null }
    }
    const target = await write('target')
    const there = on.to('tickets', 'target', target.destinationId)
    const pointing = await write('pointing', { parent_ticket: there, depends_on: [there], linked_tickets: [there] })
    const changed = await write('changed', { depends_on: [there] })
    await on.rest('PUT', `/ticket/${changed.destinationId}`, { Subject: 'Other words' })
    for (const [record, result] of [
      [target, 'removed'],
      [pointing, 'removed'],
      [changed, 'kept'],
      [{ ...changed, version: null }, 'removed'],
    ] as const) {
      expect(await on.writer.remove('tickets', [record])).toMatchObject([{ key: record.key, result }])
    }
  })

  test('two tickets with one key are both found', async () => {
    await on.write('tickets', on.ticket('double'))
    await on.write('tickets', on.ticket('double'))
    expect(await on.writer.find('tickets', [on.sought('tickets', 'double')])).toHaveLength(2)
  })
})
