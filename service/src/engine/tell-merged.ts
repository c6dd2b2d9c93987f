import { sql } from 'kysely'
import { rowsWith } from '../db/find-in-ledger.ts'
import type { Tx } from '../db/open-database.ts'
import { cutText } from '../text/cut-text.ts'
import type { OutcomeRow } from './change-ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { uniteCodes } from './warnings.ts'

interface Twin {
  entity: string
  source_id: string
  destination_id: string
  destination_url: string | null
}

/**
 * Warns of records that became one with another record of the import: tags of one name, people of one address. Things of
 * different kinds are one if they have one address in the destination. Of those that are one, the first is not warned of.
 */
export async function tellMerged(
  tx: Tx,
  importId: string,
  entity: string,
  outcomes: readonly OutcomeRow[],
  { nameOf, rowOf }: { nameOf(sourceId: string): unknown; rowOf(sourceId: string): LedgerRow | undefined },
): Promise<OutcomeRow[]> {
  // A record that was created with a lost answer may have been matched by others meanwhile.
  const isLate = ({ source_id, state }: OutcomeRow) => state === 'written' && rowOf(source_id)?.state === 'intended'
  const united = outcomes.filter((one) => one.destination_id !== null && (one.state === 'matched' || isLate(one)))
  if (united.length === 0) return [...outcomes]
  const ids = united.map(({ destination_id }) => String(destination_id))
  const own = outcomes.map(({ source_id }) => source_id)
  const { rows } = await sql<Twin>`
    select m.entity, m.source_id, m.destination_id, m.destination_url
    from ${rowsWith('destination_id', importId, ids)} m
    where m.state in ('written', 'matched') and not coalesce(m.warned, '{}') @> array['merged']
      and not (m.entity = ${entity} and m.source_id = any(${own}))
    order by m.entity, m.source_id`.execute(tx)
  const isFirst = (outcome: OutcomeRow) => {
    const { source_id, state, destination_id } = outcome
    const row = rowOf(source_id)
    const wasAlone = row?.state === 'matched' && !row.warned?.includes('merged')
    return state === 'written'
      ? !isLate(outcome)
      : state === 'matched' && wasAlone && row.destination_id === destination_id
  }
  const firsts = [...outcomes.filter(isFirst).flatMap((outcome) => toTwin(entity, outcome)), ...rows]
  return outcomes.map((outcome) => {
    if (!united.includes(outcome) || isFirst(outcome)) return outcome
    const { source_id, destination_id, destination_url } = outcome
    const twin = firsts.find(
      (one) =>
        one.destination_id === destination_id &&
        (one.entity === entity ||
          // A file or comment may have the address of its ticket, and its number by chance.
          (!isLate(outcome) && one.destination_url !== null && one.destination_url === destination_url)),
    )
    if (!twin) {
      firsts.push(...toTwin(entity, outcome))
      return outcome
    }
    const message = `${nameInQuotes(nameOf(source_id))} was merged with ${twin.source_id} (${twin.entity}). The destination keeps one record for both.`
    return { ...outcome, message, warned: uniteCodes(outcome.warned, ['merged']) }
  })
}

const toTwin = (entity: string, { source_id, destination_id, destination_url }: OutcomeRow): Twin[] =>
  destination_id === null ? [] : [{ entity, source_id, destination_id, destination_url }]

const nameInQuotes = (name: unknown): string =>
  typeof name === 'string' && name !== '' ? `"${cutText(name, 100)}"` : 'This record'
