import { families, familyDefinitions } from '../families/index.ts'
import { isStorable } from './is-storable.ts'

const entities = new Set(families.flatMap((family) => familyDefinitions[family].entities.map(({ name }) => name)))

/** The impossible part of a note about a record made on the side; null if there is none. */
export function wrongInSide(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return 'a note that is no object'
  const { kind, mark, destinationId, version } = record as Record<string, unknown>
  for (const [name, value] of Object.entries({ kind, mark }))
    if (!isStorable(value)) return `a note whose ${name} is no text of at most 10,000 characters`
  if (entities.has(String(kind))) return `a note of the kind ${kind}, which is the name of an entity`
  const odd = Object.entries({ destinationId, version }).find(([, value]) => value != null && !isStorable(value))
  return odd ? `a note whose ${odd[0]} is neither null nor a text of at most 10,000 characters` : null
}
