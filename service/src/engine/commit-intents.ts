import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { RecordState } from '../db/schema.ts'
import { addWarnings, type Intent, recordIntents, takeBackWarnings } from './ledger.ts'
import type { RunContext } from './run-context.ts'

/**
 * Says what is about to be sent, held or left out. What a record was warned of before is taken back where it is tried
 * again, and what is held is warned of where it becomes so: if the page is broken off after this, the next attempt
 * does not see any more how it was before.
 */
export async function commitIntents(
  { run, importId }: RunContext,
  entity: string,
  intents: Intent[],
  odd: ReadonlyArray<{ sourceId: string; code: string }>,
): Promise<void> {
  const committed = new Set(intents.map(({ source_id }) => source_id))
  const oddities = odd.filter(({ sourceId }) => committed.has(sourceId)).map(({ code }) => code)
  await run.lease.commit(async (tx) => {
    const warned = await findWarned(tx, importId, entity, intents)
    await recordIntents(tx, run, entity, intents)
    const staysHeld = ({ source_id, state }: Intent) => state === 'held' && warned.get(source_id) === 'held'
    const changed = intents.filter((intent) => !staysHeld(intent))
    const outdated = changed.flatMap(({ source_id }) => warned.get(source_id) ?? [])
    const held = changed.filter(({ state }) => state === 'held').map(() => 'held')
    await takeBackWarnings(tx, importId, entity, outdated)
    await addWarnings(tx, importId, entity, [...held, ...oddities])
  })
}

/** What each of these records is warned of now. An undo has taken back everything from before it. */
async function findWarned(
  tx: Tx,
  importId: string,
  entity: string,
  intents: readonly Intent[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ source_id: string; state: RecordState; code: string | null }>`
    select source_id, state, code from id_map
    where import_id = ${importId} and entity = ${entity} and source_id = any(${intents.map((intent) => intent.source_id)})
      and (state in ('refused', 'held') or (state = 'intended' and code = 'unknown'))
      and run_id > coalesce((select max(id) from runs where import_id = ${importId} and kind = 'undo'), '')`.execute(tx)
  return new Map(rows.map(({ source_id, state, code }) => [source_id, warnedAs(state, code)]))
}

function warnedAs(state: RecordState, code: string | null): string {
  if (state === 'held') return 'held'
  return state === 'refused' ? refusalCode(code) : 'unknown'
}

export const refusalCode = (code: string | null): string => (code === 'file_too_large' ? code : 'refused')
