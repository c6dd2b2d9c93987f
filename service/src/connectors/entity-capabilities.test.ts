import { expect, test } from 'vitest'
import type { Capabilities, DestinationEntity } from './contract/contract.ts'
import { datedInside, sumUp } from './entity-capabilities.ts'

const account: Capabilities = {
  deliveryClass: 'C',
  delete: true,
  silentCreate: true,
  backdate: true,
  createField: false,
  batchSize: 10,
  concurrency: 1,
  settleMs: 0,
}
const entity = (more: Partial<DestinationEntity> = {}): DestinationEntity => ({ fields: {}, customFields: [], ...more })
const comments = entity({ capabilities: { backdate: false } })
const tickets = entity({ carries: { comments: { most: 100, backdate: true } } })

test('times that only carried records keep are reported separately', () => {
  const kept = { capabilities: account, entities: { tickets, comments } }
  expect(sumUp(kept).backdate).toBe(true)
  expect(datedInside(kept)).toEqual([{ entity: 'comments', most: 100 }])
  // Another entity loses its times, whatever parts are carried.
  const others = { capabilities: account, entities: { tickets, comments, notes: comments } }
  expect(sumUp(others).backdate).toBe(false)
})

test('an entity that keeps all its times, or none, is not reported separately', () => {
  expect(datedInside({ capabilities: account, entities: { tickets, comments: entity() } })).toEqual([])
  const lost = { tickets: entity({ carries: { comments: { most: 100 } } }), comments }
  expect(datedInside({ capabilities: account, entities: lost })).toEqual([])
  expect(sumUp({ capabilities: account, entities: lost }).backdate).toBe(false)
})
