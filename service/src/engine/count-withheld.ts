import { ConnectorFaultError } from '../errors.ts'
import { familyDefinitions } from '../families/index.ts'
import type { RunContext } from './run-context.ts'

/** The number of records that the source withholds, of the entities that are copied. Null if the source does not tell. */
export async function countWithheld({
  reader,
  family,
  mapping,
  sourceLabel,
}: RunContext): Promise<Record<string, number> | null> {
  const told = await reader.countWithheld?.()
  if (!told) return null
  return Object.fromEntries(
    familyDefinitions[family].entities.flatMap(({ name }) => {
      const count = told[name] ?? 0
      if (!Number.isSafeInteger(count) || count < 0) {
        throw new ConnectorFaultError(sourceLabel, `countWithheld answers no number of ${name}`)
      }
      const isCopied =
        mapping.destination.entities[name] !== undefined && mapping.changes.entities?.[name]?.include !== false
      return [[name, isCopied ? Math.min(count, 2 ** 31 - 1) : 0]]
    }),
  )
}
