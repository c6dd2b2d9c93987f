import { type Intent, recordIntents } from './change-ledger.ts'
import { type LedgerRow, stateKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import { countWarned } from './warnings.ts'

/** Says what is about to be sent, held or left out. What is not sent has its outcome with that. */
export async function commitIntents(
  { run, importId }: RunContext,
  entity: string,
  intents: Intent[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<void> {
  await run.lease.commit(async (tx) => {
    await recordIntents(tx, run, entity, intents)
    const aside = intents.filter(({ state }) => state !== 'intended')
    const changes = aside.map(({ source_id, warned }) => ({
      before: known.get(stateKey({ entity, sourceId: source_id }))?.warned,
      after: warned,
    }))
    await countWarned(tx, importId, entity, changes)
  })
}
