import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Outcome } from './change-ledger.ts'
import { uniteCodes } from './warnings.ts'

interface Twin {
  entity: string
  source_id: string
  destination_id: string
  destination_url: string | null
}

/**
 * Warns of records that became one with another record of the import: tags of one name, people of one address. Things of
 * different kinds are one if they have one address in the destination.
 */
export async function tellMerged(
  tx: Tx,
  importId: string,
  entity: string,
  outcomes: readonly Outcome[],
  nameOf: (sourceId: string) => unknown,
): Promise<Outcome[]> {
  const matched = outcomes.filter(({ state, destination_id }) => state === 'matched' && destination_id !== null)
  if (matched.length === 0) return [...outcomes]
  const ids = [...new Set(matched.map(({ destination_id }) => String(destination_id)))]
  const { rows } = await sql<Twin>`
    select t.entity, t.source_id, t.destination_id, t.destination_url from unnest(${ids}::text[]) as wanted(id)
    cross join lateral (
      -- The first two: one may be the record itself. Found by their key, one by one; see ledger.ts.
      select * from id_map m
      where m.import_id = ${importId} and m.destination_id = wanted.id and m.state in ('written', 'matched')
      order by m.entity, m.source_id limit 20
    ) t`.execute(tx)
  const now = outcomes.flatMap(({ source_id, state, destination_id, destination_url }): Twin[] => {
    const isThere = destination_id !== null && (state === 'written' || state === 'matched')
    return isThere ? [{ entity, source_id, destination_id, destination_url }] : []
  })
  const twins = [...now, ...rows]
  return outcomes.map((outcome) => {
    if (!matched.includes(outcome)) return outcome
    const { source_id, destination_id, destination_url } = outcome
    const twin = twins.find(
      (one) =>
        one.destination_id === destination_id &&
        (one.entity !== entity || one.source_id !== source_id) &&
        (one.entity === entity || (one.destination_url !== null && one.destination_url === destination_url)),
    )
    if (!twin) return outcome
    const message = `${nameInQuotes(nameOf(source_id))} has the name or address of ${twin.source_id} (${twin.entity}). The destination keeps one record for both.`
    return { ...outcome, message, warned: uniteCodes(outcome.warned, ['merged']) }
  })
}

const nameInQuotes = (name: unknown): string =>
  typeof name === 'string' && name !== '' ? `"${name.slice(0, 100)}"` : 'This record'
