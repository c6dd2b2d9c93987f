import { sql } from 'kysely'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { entityOf } from '../families/index.ts'
import { isUndecided } from '../imports/gone-records.ts'
import { keepReferred } from './keep-referred.ts'
import { findPlacedRows } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'

/** Before a removal: marks the records that one of this batch, which stays, refers to in the destination. They stay, too. */
export async function guardPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const { batchSize, concurrency } = capabilitiesOf(mapping.destination, entity)
  const limit = batchSize * concurrency
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit },
    sql`m.state = 'written' and not ${isUndecided('m')}`,
  )
  await keepReferred(context, entity, rows)
  await run.lease.commit(async (tx) => {
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}

/** Whether records of this entity can refer to one that is to be removed. */
export async function hasToGuard({ db, importId, family }: RunContext, entity: string): Promise<boolean> {
  const targets = Object.values(entityOf(family, entity).fields).flatMap(({ to = [] }) => to)
  const row = await db
    .selectFrom('id_map as m')
    .select('m.source_id')
    .where('m.import_id', '=', importId)
    .where('m.entity', 'in', targets)
    .where(isUndecided('m'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
