import { sql } from 'kysely'
import type { RemovableRecord, RemoveOutcome } from '../connectors/contract.ts'
import { hashRecord } from './hash-record.ts'
import { countUp } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'

interface Removable {
  source_id: string
  destination_id: string | null
  destination_version: string | null
  written_hash: Buffer | null
}

/**
 * Removes one batch of what the ledger says we created. What was edited in the destination since is kept and listed.
 * Answers whether the stage is done.
 */
export async function removePage(
  context: RunContext,
  stage: { position: number; entity: string },
  cursor: string | null,
): Promise<boolean> {
  const { db, run, destination } = context
  const size = destination.capabilities.batchSize
  const rows: Removable[] = await db
    .selectFrom('id_map')
    .select(['source_id', 'destination_id', 'destination_version', 'written_hash'])
    .where('import_id', '=', run.importId)
    .where('entity', '=', stage.entity)
    // What was about to be sent when a worker died may be there.
    .where('state', 'in', ['written', 'intended'])
    .$if(cursor !== null, (query) => query.where('source_id', '>', String(cursor)))
    .orderBy('source_id')
    .limit(size)
    .execute()
  const isDone = rows.length < size
  await run.lease.beforeSend()
  const outcomes = rows.length === 0 ? [] : await remove(context, stage.entity, rows)
  await context.crashPoint('removal sent')

  const sourceIds = new Map(rows.map((row) => [recordKey(run.importId, stage.entity, row.source_id), row.source_id]))
  const changes = outcomes.map((outcome) => ({
    source_id: sourceIds.get(outcome.key) ?? '',
    is_gone: outcome.result !== 'kept',
    message: outcome.result === 'kept' ? outcome.message : null,
  }))
  await run.lease.commit(async (tx) => {
    const { rows: before } = await sql<{ state: string; is_gone: boolean }>`
      with change as (
        select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(source_id text, is_gone boolean, message text)
      ), before as (
        select source_id, state from id_map join change using (source_id)
        where import_id = ${run.importId} and entity = ${stage.entity}
      )
      update id_map m set
        state = case when c.is_gone then 'removed' else m.state end,
        code = case when c.is_gone then null else 'edited' end,
        message = c.message,
        written_hash = case when c.is_gone then null else m.written_hash end
      from change c join before b using (source_id)
      where m.import_id = ${run.importId} and m.entity = ${stage.entity} and m.source_id = c.source_id
      returning b.state, c.is_gone`.execute(tx)
    const gone = before.filter((row) => row.is_gone && row.state === 'written').length
    await countUp(tx, run.importId, { entity: stage.entity, items: -gone, done: rows.length })
    await tx
      .updateTable('run_stages')
      .set({ cursor: rows.at(-1)?.source_id ?? cursor, is_done: isDone })
      .where('run_id', '=', run.id)
      .where('position', '=', stage.position)
      .execute()
    await tx.updateTable('runs').set({ failures: 0 }).where('id', '=', run.id).execute()
  })
  await context.crashPoint('removal committed')
  return isDone
}

/** With a version the destination itself decides. Without one we look first: after a crash nobody knows the newest. */
async function remove({ run, writer }: RunContext, entity: string, rows: Removable[]): Promise<RemoveOutcome[]> {
  const keyOf = (row: Removable) => recordKey(run.importId, entity, row.source_id)
  const unsure = rows.filter((row) => row.destination_version === null)
  const found =
    unsure.length === 0
      ? []
      : await writer.find(
          entity,
          unsure.map((row) => ({ key: keyOf(row), destinationId: row.destination_id, parent: null })),
        )
  const foundByKey = new Map(found.map((record) => [record.key, record]))
  const kept: RemoveOutcome[] = []
  const removable: RemovableRecord[] = []
  for (const row of rows) {
    const key = keyOf(row)
    const current = foundByKey.get(key)
    if (row.destination_version !== null) {
      removable.push({ key, destinationId: String(row.destination_id), version: row.destination_version, parent: null })
    } else if (!current) {
      kept.push({ key, result: 'missing' })
    } else if (row.written_hash !== null && !hashRecord(current).equals(row.written_hash)) {
      kept.push({ key, result: 'kept', message: 'It differs from what was written, so it was edited since.' })
    } else {
      removable.push({ key, destinationId: current.destinationId, version: current.version, parent: null })
    }
  }
  return [...kept, ...(removable.length === 0 ? [] : await writer.remove(entity, removable))]
}
