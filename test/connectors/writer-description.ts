import { expect } from 'vitest'
import type { DestinationDescription } from '../../service/src/connectors/contract/contract.ts'
import { type Family, familyDefinitions } from '../../service/src/families/index.ts'

/** Types whose values are texts: the engine converts each of them into the others. */
const textual = ['text', 'long_text', 'rich_text', 'option', 'url']

export function checkDescription(family: Family, description: DestinationDescription): void {
  const { account, capabilities, maxFileBytes, entities } = description
  expect(account.name).toMatch(/\S/)
  expect(['A', 'B', 'C', 'D']).toContain(capabilities.deliveryClass)
  expect(capabilities.batchSize).toBeGreaterThanOrEqual(1)
  expect(capabilities.concurrency).toBeGreaterThanOrEqual(1)
  expect(capabilities.settleMs).toBeGreaterThanOrEqual(0)
  if (maxFileBytes !== null) expect(maxFileBytes).toBeGreaterThan(0)
  expect(Object.keys(entities).length).toBeGreaterThan(0)
  for (const [name, { fields, customFields, unites }] of Object.entries(entities)) {
    for (const field of unites?.by ?? []) expect(Object.keys(fields), `${name} unites by its ${field}`).toContain(field)
    if (unites?.fixed) expect(Object.keys(fields), `${name} has fixed ones by a field`).toContain(unites.fixed.field)
    const definition = familyDefinitions[family].entities.find((entity) => entity.name === name)
    expect(definition, `${name} is an entity of the family`).toBeDefined()
    for (const [field, { required = false, to = [] }] of Object.entries(definition?.fields ?? {})) {
      if (!required) continue
      expect(Object.keys(fields), `${name} needs its ${field}`).toContain(field)
      const isReachable = to.length === 0 || to.some((target) => target in entities)
      expect(isReachable, `${name}.${field} leads to something that is taken`).toBe(true)
    }
    for (const [field, { type, many, maxLength, options }] of Object.entries(fields)) {
      const about = `${name}.${field}`
      const defined = definition?.fields[field]
      expect(defined, `${about} is a field of the family`).toBeDefined()
      const isText = textual.includes(type) && textual.includes(defined?.type ?? '')
      if (!isText) expect(type, about).toBe(defined?.type)
      // A destination may accept only the first value of a list, but never a list for a single value.
      if (many) expect(defined?.many, about).toBe(true)
      if (maxLength !== null) expect(maxLength, about).toBeGreaterThan(0)
      expect(options.length > 0, `${about} has options if it is one`).toBe(type === 'option')
      expect(new Set(options).size, about).toBe(options.length)
    }
    if (customFields === 'any') continue
    const keys = customFields.map(({ key }) => key)
    expect(new Set(keys).size, `${name} names each custom field once`).toBe(keys.length)
    for (const { key, label } of customFields) expect(key && label, name).toMatch(/\S/)
  }
}
