import { ConnectorFaultError } from '../errors.ts'
import { familyDefinitions } from '../families/index.ts'
import type { RunContext } from './run-context.ts'

/**
 * The number of records that the source withholds, of the entities that are copied. Null for an entity with a list that
 * the source does not open, and null if the source does not tell at all.
 */
export async function countWithheld({
  reader,
  family,
  mapping,
  sourceLabel,
}: RunContext): Promise<Record<string, number | null> | null> {
  const told = await reader.countWithheld?.()
  if (!told) return null
  return Object.fromEntries(
    familyDefinitions[family].entities.flatMap(({ name }) => {
      const count = told[name] === undefined ? 0 : told[name]
      if (count !== null && (!Number.isSafeInteger(count) || count < 0)) {
        throw new ConnectorFaultError(sourceLabel, `countWithheld answers no number of ${name}`)
      }
      const isCopied =
        mapping.destination.entities[name] !== undefined && mapping.changes.entities?.[name]?.include !== false
      return [[name, isCopied ? count && Math.min(count, 2 ** 31 - 1) : 0]]
    }),
  )
}
