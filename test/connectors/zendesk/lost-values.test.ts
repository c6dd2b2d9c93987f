import { afterEach, expect, test } from 'vitest'
import { sidesInMemory } from '../../../service/src/connectors/kit/sides-in-memory.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { outgoing, startBoth } from './start-both.ts'

// Values that a ticket loses on its way to Zendesk, and values that it must not lose.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const idIn = (outcome: unknown) => String((outcome as { destinationId?: string }).destinationId)

test('a change with a new choice or a new field keeps the other values of the record', async () => {
  const { writer } = await startBoth(cleanup)
  const values = {
    a: { label: 'Story', type: 'text' as const, value: 'Long' },
    b: { label: 'Colour', type: 'option' as const, value: 'Red' },
  }
  const later = {
    ...values,
    b: { label: 'Colour', type: 'option' as const, value: 'Blue' },
    c: { label: 'Weight', type: 'integer' as const, value: 7 },
  }
  const records: [string, Record<string, unknown>][] = [
    ['organizations', { name: 'Acme' }],
    ['contacts', { name: 'Rita' }],
    ['tickets', { subject: 'One', status: 'open' }],
  ]
  for (const [entity, fields] of records) {
    const record = outgoing(fields, { customFields: values })
    const [made] = await writer.write(entity, [record])
    const changed = { ...record, destinationId: idIn(made), customFields: later }
    expect(await writer.write(entity, [changed])).toMatchObject([{ result: 'written' }])
    const [found] = await writer.find(entity, [{ key: record.key, destinationId: idIn(made), parent: null }])
    expect(found?.customFields).toEqual((await writer.asStored(entity, changed)).customFields)
  }
})

test('a new choice of a field takes no choice from other organizations', async () => {
  const { writer } = await startBoth(cleanup)
  const write = async (label: string, value: string | string[]) => {
    const record = outgoing({ name: `${label} ${value}` }, { customFields: { a: { label, type: 'option', value } } })
    const [made] = await writer.write('organizations', [record])
    expect(made).toMatchObject({ result: 'written' })
    return { record, destinationId: idIn(made) }
  }
  const choices: [label: string, first: string | string[], second: string | string[]][] = [
    ['Colour', 'Red', 'Blue'],
    ['Sizes', ['S', 'M'], ['L']],
  ]
  for (const [label, first, second] of choices) {
    const { record, destinationId } = await write(label, first)
    await write(label, second)
    const [found] = await writer.find('organizations', [{ key: record.key, destinationId, parent: null }])
    expect(found?.customFields).toEqual((await writer.asStored('organizations', record)).customFields)
  }
})

test('values of a field with one choice and of a field with several arrive, although both have one label', async () => {
  const { writer } = await startBoth(cleanup)
  for (const entity of ['organizations', 'contacts', 'tickets']) {
    for (const value of ['Red', ['Red', 'Blue']]) {
      const fields = entity === 'tickets' ? { subject: `${value}` } : { name: `${value}` }
      const record = outgoing(fields, { customFields: { a: { label: 'Colour', type: 'option', value } } })
      const [made] = await writer.write(entity, [record])
      expect(made).toMatchObject({ result: 'written' })
      const [found] = await writer.find(entity, [{ key: record.key, destinationId: idIn(made), parent: null }])
      expect(found?.customFields).toEqual((await writer.asStored(entity, record)).customFields)
    }
  }
})

test('a ticket that Zendesk does not solve without an assignee arrives, and the loss is reported', async () => {
  const { twin, writer } = await startBoth(cleanup, { mustAssignSolved: true })
  const record = outgoing({ subject: 'One', description: '<p>Words</p>', status: 'solved' })
  const [made] = await writer.write('tickets', [record])
  expect(made).toMatchObject({ result: 'written', losses: ['status_refused'] })
  const changed = { ...record, destinationId: idIn(made), fields: { ...record.fields, subject: 'Two' } }
  expect(await writer.write('tickets', [changed])).toMatchObject([{ result: 'written', losses: ['status_refused'] }])
  const assigned = outgoing({ ...record.fields, assignee: String(idOf(twin.staff.anna)) })
  expect((await writer.write('tickets', [assigned]))[0]).not.toHaveProperty('losses')
  expect(twin.account.tickets.list().map(({ subject, status }) => `${subject} ${status}`)).toEqual([
    'Two new',
    'One solved',
  ])
})

test('texts with curly brackets arrive as they are, although Zendesk fills in placeholders', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const text = '<p>Use {{ticket.id}}, {{ x | upcase }} and {% if a %}b{% endif %}: {{<b>c</b>}} <code>{{d}}</code></p>'
  const record = outgoing({ subject: 'One', description: text })
  const [ticket] = await writer.write('tickets', [record])
  const relation = { entity: 'tickets', key: record.key, destinationId: idIn(ticket) }
  const comment = outgoing({
    ticket: relation,
    body: `${text}<p><a href="https://a.test/{{e}}">f</a></p>`,
    is_public: false,
  })
  const [said] = await writer.write('comments', [comment])
  const stored = async (entity: string, { key }: typeof record, outcome: unknown) =>
    (await writer.find(entity, [{ key, destinationId: idIn(outcome), parent: relation }]))[0]?.fields
  expect((await stored('tickets', record, ticket))?.description).toBe(
    (await writer.asStored('tickets', record)).fields.description,
  )
  expect((await stored('comments', comment, said))?.body).toBe((await writer.asStored('comments', comment)).fields.body)
  const [first, last] = twin.account.comments.list()
  expect(first?.html).toContain('<code>{{ticket.id}}</code>')
  expect(last?.html).toContain('href="https://a.test/%7B%7Be}}"')
})

test('a ticket with a value that its field does not accept arrives without its custom values', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const customFields = { a: { label: 'Weight', type: 'integer' as const, value: 7.5 } }
  const record = outgoing({ subject: 'One', description: '<p>Words</p>' }, { customFields })
  expect(await writer.write('tickets', [record])).toMatchObject([
    { result: 'written', losses: ['custom_value_refused'] },
  ])
  expect(twin.account.tickets.list()).toMatchObject([{ subject: 'One' }])
})

test('the description says that only tasks have a due time, so that the plan counts the others', async () => {
  const { writer } = await startBoth(cleanup)
  const { tickets } = (await writer.describe()).entities
  expect(tickets?.fields.due_at).toMatchObject({ onlyWith: { field: 'type', value: 'task' } })
})

test('a comment that was added later shows that its time was not kept', async () => {
  const { writer } = await startBoth(cleanup)
  const [made] = await writer.write('tickets', [outgoing({ subject: 'One', description: '<p>Words</p>' })])
  const ticket = { entity: 'tickets', key: 'seed/1', destinationId: idIn(made) }
  const comment = outgoing({ ticket, body: '<p>Late</p>', is_public: false })
  expect(await writer.write('comments', [comment])).toMatchObject([{ losses: ['moment_not_kept'] }])
  const sought = { key: comment.key, destinationId: null, parent: ticket }
  expect(await writer.find('comments', [sought])).toMatchObject([{ losses: ['moment_not_kept'] }])
})

test('domains that Zendesk stores in lower case are as they were sent', async () => {
  const { writer } = await startBoth(cleanup)
  const record = outgoing({ name: 'Acme', domains: ['Shop.Acme.example', 'acme.example'] })
  const [made] = await writer.write('organizations', [record])
  const [found] = await writer.find('organizations', [{ key: record.key, destinationId: idIn(made), parent: null }])
  expect(found?.fields.domains).toEqual((await writer.asStored('organizations', record)).fields.domains)
})

test('a custom field whose answer was lost is known as ours: a change clears it, and an undo lists it', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const sides = sidesInMemory()
  const open = () => destination.open({ ...account, sides })
  const customFields = { a: { label: 'Story', type: 'text' as const, value: 'Long' } }
  const record = outgoing({ subject: 'One', description: '<p>Words</p>' }, { customFields })
  twin.faults.next('POST', '/api/v2/ticket_fields', { kind: 'lost' })
  await expect((await open()).write('tickets', [record])).rejects.toThrow()
  const writer = await open()
  const [made] = await writer.write('tickets', [record])
  const empty = { ...record, destinationId: idIn(made), customFields: {} }
  expect(await writer.write('tickets', [empty])).toMatchObject([{ result: 'written' }])
  const [found] = await writer.find('tickets', [{ key: record.key, destinationId: idIn(made), parent: null }])
  expect(found?.customFields).toEqual({})
  const fields = await sides.list('ticket_field')
  expect(await writer.removeSides?.(fields, { isForced: false })).toMatchObject([{ result: 'kept' }])
})

test('tags that Zendesk cannot keep are told, and letters of every script stay', async () => {
  const { twin, writer } = await startBoth(cleanup)
  for (const [given, kept, losses] of [
    [['🔥', 'hot'], ['hot'], ['tags_left_out']],
    [['C', 'C++', 'C#'], ['c'], ['tags_left_out']],
    [['Größe', 'हिन्दी', 'เร่งด่วน', 'كتابٌ', 'e\u0301cole'], ['école', 'größe', 'हिन्दी', 'เร่งด่วน', 'كتابٌ'], []],
    [['VIP', 'vip', ' vip '], ['vip'], []],
  ] as const) {
    const record = outgoing({ subject: 'One', status: 'open', tags: [...given] })
    const [made] = await writer.write('tickets', [record])
    const told = { result: 'written', ...(losses.length > 0 && { losses }) }
    expect(made).toMatchObject(told)
    const raw = twin.account.tickets.get(idIn(made))
    expect(raw?.tags.toSorted()).toEqual([...kept].sort())
    const [found] = await writer.find('tickets', [{ key: record.key, destinationId: idIn(made), parent: null }])
    expect(found?.fields.tags).toEqual((await writer.asStored('tickets', record)).fields.tags)
    expect(await writer.lossesOf?.('tickets', record, found as never)).toEqual(losses)
    const changed = { ...record, destinationId: idIn(made) }
    expect(await writer.write('tickets', [changed])).toMatchObject([told])
  }
})

test('two custom fields of one name and type both arrive', async () => {
  const { writer } = await startBoth(cleanup)
  const one = { label: 'Recipient', type: 'text' as const }
  const custom = { a: { ...one, value: 'first' }, recipient: { ...one, value: 'second' } }
  for (const [entity, fields] of [
    ['organizations', { name: 'Acme' }],
    ['contacts', { name: 'Rita' }],
    ['tickets', { subject: 'One', status: 'open' }],
  ] as const) {
    const record = outgoing(fields, { customFields: custom })
    const [made] = await writer.write(entity, [record])
    const [found] = await writer.find(entity, [{ key: record.key, destinationId: idIn(made), parent: null }])
    expect(Object.values(found?.customFields ?? {})).toEqual(['first', 'second'])
    expect(found?.customFields).toEqual((await writer.asStored(entity, record)).customFields)
  }
})
