import { describe, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import type { EntityChanges } from '../../service/src/db/mapping-changes.ts'
import { findExposed, isRestricted } from '../../service/src/families/audience.ts'
import { entityOf } from '../../service/src/families/index.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { mapRecord } from '../../service/src/mapping/map-record.ts'
import { now, type PrivateDestination, privateDestinations } from './private-destinations.ts'
import { privateSources } from './private-sources.ts'

// A private record never becomes public: restricted records of any source stay restricted in the family, and every
// destination keeps them restricted or does not get them.

const toolsWith = (side: 'source' | 'destination') => connectors.flatMap((one) => (one[side] ? [one.tool] : [])).sort()

test('every connector of the registry is listed here, or gives the reason why it has no private records', () => {
  expect(Object.keys(privateSources).sort()).toEqual(toolsWith('source'))
  expect(Object.keys(privateDestinations).sort()).toEqual(toolsWith('destination'))
})

const about = ({ entity, sourceId, fields }: FamilyRecord) => {
  const { status, visibility, password, is_public, is_private } = fields
  return `${entity} ${sourceId} ${JSON.stringify({ status, visibility, password, is_public, is_private })}`
}

function map(record: FamilyRecord, { family, description }: PrivateDestination, changes: EntityChanges = {}) {
  return mapRecord(record, {
    entity: entityOf(family, record.entity),
    mapping: { changes: { entities: { [record.entity]: changes } }, destination: description },
    resolveRecord: () => ({ key: 'k', destinationId: '1' }),
    resolveUser: () => null,
    now,
    mapText: ({ body }) => ({ body, losses: {}, hasOpenLinks: false }),
  })
}

const outgoing = (record: FamilyRecord, content: Pick<OutgoingRecord, 'fields' | 'customFields'>): OutgoingRecord => ({
  key: 'k',
  revision: 1,
  destinationId: null,
  createdBy: null,
  createdAt: record.createdAt ?? null,
  updatedAt: null,
  ...content,
})

describe.each(Object.entries(privateSources))('from %s', (_tool, given) => {
  if (typeof given === 'string') return test.skip(given)

  test('restricted records are read as restricted', async () => {
    for (const { family, records } of await given()) {
      expect(records.length).toBeGreaterThan(0)
      for (const record of records)
        expect(isRestricted(entityOf(family, record.entity), record.fields), about(record)).toBe(true)
    }
  })

  test.each(Object.entries(privateDestinations))(
    'a restricted record stays restricted in %s, or is not sent',
    async (_destination, places) => {
      if (typeof places === 'string') return
      for (const { family, records } of await given()) {
        for (const place of places.filter((one) => one.family === family)) {
          for (const record of records) {
            const isTaken = place.description.entities[record.entity] !== undefined
            const content = isTaken ? map(record, place) : null
            if (!content || content.refusal === 'not_protected') continue
            expect(findExposed(entityOf(family, record.entity), record.fields, content.fields), about(record)).toEqual(
              [],
            )
            expect(place.keeps(record.entity, outgoing(record, content)), about(record)).toBe(true)
          }
        }
      }
    },
  )
})

describe('a destination that cannot restrict readers', () => {
  const [, careless] = privateDestinations.open as PrivateDestination[]
  const ticket = { entity: 'tickets', sourceId: '1' }
  const note = (is_public?: boolean): FamilyRecord => ({
    entity: 'comments',
    sourceId: '2',
    fields: { ticket, body: { format: 'plain', body: 'x' }, ...(is_public === undefined ? {} : { is_public }) },
  })

  test('gets public records without a warning', () => {
    if (!careless) throw new Error('no such destination')
    expect(map(note(true), careless)).toMatchObject({ warnings: [] })
    expect(map(note(true), careless)).not.toHaveProperty('refusal')
  })

  test('gets restricted records only if the customer agrees, and then reports it', () => {
    if (!careless) throw new Error('no such destination')
    for (const record of [note(false), note()]) {
      expect(map(record, careless)?.refusal).toBe('not_protected')
      const allowed = map(record, careless, { send_unprotected: true })
      expect(allowed).not.toHaveProperty('refusal')
      expect(allowed?.warnings).toContain('shown_to_more')
    }
  })
})

describe('a custom field that only some people see', () => {
  const ticket: FamilyRecord = {
    entity: 'tickets',
    sourceId: '1',
    fields: { subject: 'x', is_private: false },
    customFields: { salary: { label: 'Salary', type: 'text', value: '5', isRestricted: true } },
  }
  const withField = (place: PrivateDestination, isRestricted: boolean): PrivateDestination => {
    const field = { key: 'salary', label: 'Salary', type: 'text' as const, many: false, options: [], isRestricted }
    const entity = place.description.entities.tickets
    const tickets = { fields: entity?.fields ?? {}, customFields: [field] }
    return { ...place, description: { ...place.description, entities: { ...place.description.entities, tickets } } }
  }
  const desks = Object.values(privateDestinations).flatMap((places) =>
    typeof places === 'string' ? [] : places.filter(({ family }) => family === 'helpdesk'),
  )

  test('goes to no field that everyone sees, and the loss is reported', () => {
    expect(desks.length).toBeGreaterThan(1)
    for (const desk of desks) {
      const isAny = desk.description.entities.tickets?.customFields === 'any'
      for (const place of [withField(desk, false), ...(isAny ? [desk] : [])]) {
        const content = map(ticket, place)
        expect(content?.customFields).toEqual({})
        expect(content?.warnings).toContain('custom_field_not_protected:salary')
      }
    }
  })

  test('goes to a field that only some people see, and to any field that the customer chooses', () => {
    for (const desk of desks) {
      const kept = map(ticket, withField(desk, true))
      expect(kept?.customFields).toMatchObject({ salary: { value: '5' } })
      expect(kept?.warnings.join()).not.toContain('custom_field')
      const chosen = map(ticket, withField(desk, false), { fields: { 'custom:salary': { to: 'custom:salary' } } })
      expect(chosen?.customFields).toMatchObject({ salary: { value: '5' } })
    }
  })
})

describe('the customer', () => {
  const [harbour] = (privateDestinations.open as PrivateDestination[]).filter(({ family }) => family === 'blog')
  const post = (status: string): FamilyRecord => ({ entity: 'posts', sourceId: '1', fields: { title: 'x', status } })

  test('may make restricted records public by mapping their value', () => {
    if (!harbour) throw new Error('no such destination')
    const chosen = map(post('in review'), harbour, { fields: { status: { values: { 'in review': 'published' } } } })
    expect(chosen).toMatchObject({ fields: { status: 'published' } })
    expect(chosen).not.toHaveProperty('refusal')
  })

  test('does not make them public by leaving out the field or the value', () => {
    if (!harbour) throw new Error('no such destination')
    expect(map(post('draft'), harbour, { fields: { status: { to: null } } })?.refusal).toBe('not_protected')
    expect(map(post('draft'), harbour, { fields: { status: { values: { draft: null } } } })?.refusal).toBe(
      'not_protected',
    )
  })

  test('is told when an unknown status became a draft', () => {
    if (!harbour) throw new Error('no such destination')
    expect(map(post('in review'), harbour)).toMatchObject({
      fields: { status: 'draft' },
      warnings: expect.arrayContaining(['audience_narrowed']),
    })
  })
})
