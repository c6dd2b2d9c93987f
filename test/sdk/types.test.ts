import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { compareTypes, describedTypes } from './check-types.ts'

let service: TestService
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
let api: any
beforeAll(async () => {
  service = await startTestService()
  api = (await service.call('GET', '/api/openapi.json')).json
})
afterAll(() => service.close())

test('the SDK’s types are exactly those of the API’s description', () => {
  expect(compareTypes(api)).toEqual([])
})

test('the comparison notices missing, additional and different properties', () => {
  const change = (act: (schema: { properties: Record<string, object>; required: string[] }) => void) => {
    const changed = structuredClone(api)
    act(describedTypes.WebhookMessage?.(changed))
    return compareTypes(changed)
  }
  expect(change((schema) => void delete schema.properties.sequence)).not.toEqual([])
  expect(change((schema) => void Object.assign(schema.properties, { more: { type: 'string' } }))).not.toEqual([])
  expect(change((schema) => void Object.assign(schema.properties, { id: { type: 'integer' } }))).not.toEqual([])
  expect(change((schema) => void schema.required.push('request'))).not.toEqual([])
  expect(change((schema) => void Object.assign(schema.properties, { status: { type: 'string' } }))).not.toEqual([])
})
