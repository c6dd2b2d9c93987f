import { expect, test } from 'vitest'
import type { DestinationDescription, DestinationField } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { mapRecord } from './map-record.ts'
import { createTextMapper } from './map-texts.ts'

const rule = (type: DestinationField['type'], more: Partial<DestinationField> = {}): DestinationField => ({
  type,
  many: false,
  required: false,
  maxLength: null,
  options: [],
  ...more,
})

function describeTickets(more: {
  description?: DestinationField
  customFields?: 'any'
  textFormat?: DestinationDescription['textFormat']
}): DestinationDescription {
  const fields = {
    subject: rule('text'),
    assignee: rule('user'),
    followers: rule('user', { many: true }),
    ...(more.description && { description: more.description }),
  }
  return {
    textFormat: more.textFormat ?? 'html',
    entities: { tickets: { fields, customFields: more.customFields ?? [] } },
  } as unknown as DestinationDescription
}

const ticket: FamilyRecord = {
  entity: 'tickets',
  sourceId: '1',
  fields: {
    subject: 'Printer',
    description: { format: 'plain', body: 'It does not print.' },
    assignee: { userId: 'ann' },
    followers: [{ userId: 'ann' }, { userId: 'bo' }, { userId: 'cy' }],
  },
}

/** Ann <b> and Bo are to be invited later; Cy has an account in the destination. */
function mapTicket(destination: DestinationDescription, defaultUser?: string) {
  const names: Record<string, string> = { ann: 'Ann <b>\nLee', bo: 'Bo' }
  const links = { from: null, follow: () => ({ url: null }) }
  return mapRecord(ticket, {
    entity: entityOf('helpdesk', 'tickets'),
    mapping: { destination, changes: defaultUser === undefined ? {} : { default_user: defaultUser } },
    resolveRecord: () => 'lost',
    resolveUser: ({ userId }) => (userId === 'cy' ? 'u3' : null),
    keptName: ({ userId }) => names[userId] ?? null,
    mapText: createTextMapper(links, new Map()).mapText,
  })
}

test('a kept name gets its own field where the destination accepts custom fields', () => {
  const mapped = mapTicket(describeTickets({ description: rule('rich_text'), customFields: 'any' }))
  expect(mapped?.customFields).toEqual({
    'kept_name:assignee': { label: 'Assignee', type: 'text', value: 'Ann <b> Lee' },
    'kept_name:followers': { label: 'Followers', type: 'text', value: 'Ann <b> Lee, Bo' },
  })
  expect(mapped?.fields).toMatchObject({ description: expect.not.stringContaining('Ann'), followers: ['u3'] })
  expect(mapped?.warnings).toEqual(['user_kept_as_name'])
})

test('otherwise the name is added at the end of the text, in the format of the destination', () => {
  const html = mapTicket(describeTickets({ description: rule('rich_text') }))
  expect(html?.fields.description).toMatch(
    /It does not print\.[\s\S]*Assignee: Ann &lt;b&gt; Lee[\s\S]*Followers: Ann &lt;b&gt; Lee, Bo/,
  )
  const plain = mapTicket(describeTickets({ description: rule('rich_text'), textFormat: 'plain' }))
  expect(plain?.fields.description).toBe('It does not print.\n\nAssignee: Ann <b> Lee\nFollowers: Ann <b> Lee, Bo')
  expect(plain?.fields.assignee).toBeUndefined()
  expect(plain?.warnings).toEqual(['user_kept_as_name'])
})

test('a name without room counts as lost: the text is too long, cannot be changed later, or does not exist', () => {
  const fixed = rule('rich_text', { isFixed: true })
  const short = rule('rich_text', { maxLength: 40 })
  for (const description of [fixed, short]) {
    const mapped = mapTicket(describeTickets({ description, textFormat: 'plain' }))
    expect(mapped?.fields.description).toBe('It does not print.')
    expect(mapped?.warnings).toEqual(['user_not_matched'])
    expect(mapped?.causes.map(({ code }) => code)).toEqual(['user_not_matched', 'user_not_matched', 'user_not_matched'])
  }
  expect(mapTicket(describeTickets({}))?.warnings).toContain('user_not_matched')
})

test('the default user owns the record, and the original name is kept beside', () => {
  const mapped = mapTicket(describeTickets({ customFields: 'any' }), 'u9')
  expect(mapped?.fields.assignee).toBe('u9')
  expect(mapped?.customFields).toHaveProperty(['kept_name:assignee'])
  expect(mapped?.warnings).toEqual(expect.arrayContaining(['user_kept_as_name', 'user_replaced']))
  expect(mapped?.warnings).not.toContain('user_not_matched')
})
