import { expect, test } from 'vitest'
import type { DestinationDescription, DestinationEntity, EntityCapabilities } from './contract/contract.ts'
import { vetDescription } from './vet-declaration.ts'

const field = { type: 'text' as const, many: false, required: false, maxLength: null, options: [] }
const vet = (more: Partial<DestinationEntity>) => {
  const fields = { name: field, organization: { ...field, type: 'relation' as const } }
  const description: DestinationDescription = {
    account: { name: 'Acme' },
    textFormat: 'html',
    maxFileBytes: null,
    capabilities: {
      ...{ deliveryClass: 'C', delete: true, silentCreate: true, backdate: true, createField: false },
      ...{ batchSize: 10, concurrency: 1, settleMs: 0 },
    },
    entities: { contacts: { fields, customFields: [], ...more } },
  }
  return vetDescription(description, 'helpdesk')
}
const able = (capabilities: EntityCapabilities) => ({ capabilities })

test.each<[Partial<DestinationEntity>]>([
  [{ unites: { kind: 'person', by: ['name', 'organization'] } }],
  [{ unites: { kind: 'person', by: [] } }],
  [able({ lane: 'organization', laneIdEnds: '-' })],
])('a description that fits is taken: %j', (more) => {
  expect(vet(more)).toEqual([])
})

test.each<[Partial<DestinationEntity>, string]>([
  [{ unites: { kind: 'person', by: ['nme'] } }, 'entities.contacts.unites.by: nme is no field of it'],
  [
    { unites: { kind: 'person', by: ['name'], fixed: { named: {}, field: 'nme', values: {}, otherwise: '1' } } },
    'entities.contacts.unites.fixed.field: nme is no field of it',
  ],
  [able({ lane: 'name' }), 'entities.contacts.capabilities.lane: name is no relation of it'],
  [able({ laneIdEnds: '-' }), 'entities.contacts.capabilities.laneIdEnds: must be a text, and needs a lane beside it'],
  [{ unites: { kind: 'person', by: 'name' as never } }, 'entities.contacts.unites.by: must be a list of its fields'],
  [{ fixedRelations: 7 as never }, 'entities.contacts.fixedRelations: must be a list of its fields'],
  [{ removel: 'never' } as object, 'entities.contacts.removel: there is no such field'],
  [{ removal: 'sometimes' as never }, 'entities.contacts.removal: must be one of itself, with parent, never'],
  [able({ setleMs: 5 } as object), 'entities.contacts.capabilities.setleMs: there is no such field'],
  [able({ settleMs: Number.POSITIVE_INFINITY }), 'entities.contacts.capabilities.settleMs: must be a number of'],
  [able({ lateMs: '60' as never }), 'entities.contacts.capabilities.lateMs: must be a number of'],
  [{ carries: { comments: null as never } }, 'entities.contacts.carries.comments: comments is no entity'],
  [
    able({ lane: 'organization', laneIdEnds: '' }),
    'entities.contacts.capabilities.laneIdEnds: must be a text, and needs a lane beside it',
  ],
])('a description that contradicts itself is refused with its place: %j', (more, problem) => {
  expect(vet(more)[0]).toContain(problem)
})
