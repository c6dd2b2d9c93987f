import { sql } from 'kysely'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import type { Tx } from '../db/open-database.ts'
import { askInParts } from '../outbound/ask-for-less.ts'
import { changeRows } from './change-ledger.ts'
import { findPlaced } from './find-placed.ts'
import { isAsSent, listDifferences, storedContent } from './hash-record.ts'
import { intoParts, readInTurn } from './large-pages.ts'
import { findPlacedRows, findRows, hasComeInside, type PlacedRow, stateKey } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { prepareRecords } from './prepare-records.ts'
import { markDeleted } from './recheck-page.ts'
import { settle } from './reconcile.ts'
import { recordKey } from './record-key.ts'
import type { RunContext, Stage } from './run-context.ts'
import { isFileEntity } from './send-batches.ts'
import { countWarned, orNull, uniteCodes } from './warnings.ts'

/** Of a full migration one record in ten is read back, of a sample and by a check every one. */
const shareOfFull = 26 // of 256
const mostExplained = 100
/** Rounds of requests between two commits. */
const rounds = 2

/** Reads one batch back and compares it with what was written. */
export async function verifyPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const { batchSize, concurrency, settleMs } = capabilitiesOf(mapping.destination, entity)
  const limit = batchSize * concurrency * rounds
  const share = run.kind === 'full' ? sql`get_byte(decode(md5(m.source_id), 'hex'), 0) < ${shareOfFull}` : sql`true`
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit },
    run.kind === 'check'
      ? sql`m.state = 'written'`
      : sql`m.state = 'written' and m.run_id = ${run.id} and m.code is distinct from 'edited' and ${share}`,
  )
  // The destination may not show the last records yet.
  await settle(settleMs - Math.min(...rows.map((row) => row.sent_ms_ago ?? Number.POSITIVE_INFINITY)))
  const foundOf = await findPlaced(context, entity, rows)
  const deleted = rows.filter((row) => !foundOf(row))
  const isShort = await findOtherSizes(context, entity, rows, foundOf)
  const isSame = (row: PlacedRow) => {
    const record = foundOf(row)
    return record !== undefined && isAsSent(row.written_hash, record) && !isShort.has(row.source_id)
  }
  const there = rows.filter((row) => foundOf(row))
  const wrong = there.filter((row) => !isSame(row))
  const differences = await explain(
    context,
    entity,
    wrong.flatMap((row) => {
      const record = foundOf(row)
      return record && !record.isUnreadable ? [{ sourceId: row.source_id, record }] : []
    }),
  )
  const findings = there.map((row) => {
    // A version other than ours means that somebody changed the record.
    const isUnreadable = foundOf(row)?.isUnreadable === true
    const isEdited =
      !isUnreadable && row.destination_version !== null && foundOf(row)?.version !== row.destination_version
    const code = isSame(row) ? null : isEdited ? 'edited' : 'differs'
    const others = row.warned?.filter((warning) => warning !== 'differs')
    return {
      source_id: row.source_id,
      code,
      message: isSame(row)
        ? null
        : isUnreadable
          ? 'The destination shows it in a form that cannot be read.'
          : isShort.has(row.source_id)
            ? (isShort.get(row.source_id) ?? null)
            : (differences.get(recordKey(importId, entity, row.source_id)) ?? null),
      before: row.warned,
      after: orNull(uniteCodes(others, code === null ? [] : [code])),
    }
  })
  await run.lease.commit(async (tx) => {
    await changeRows(
      tx,
      run,
      entity,
      findings.map(({ before, after, ...finding }) => ({ ...finding, warned: after, state: 'written' })),
      { state: 'text', code: 'text', message: 'text', warned: 'text[]' },
      // That a later change was refused stays told.
      sql`is_verified = excluded.code is null,
        code = case when excluded.code is null and m.warned @> array['refused'] then m.code else excluded.code end,
        message = case when excluded.code is null and m.warned @> array['refused'] then m.message
          else excluded.message end,
        warned = excluded.warned`,
    )
    await countWarned(tx, importId, entity, findings)
    await markDeleted(tx, context, entity, deleted)
    if (run.kind === 'check') await countRead(tx, run.id, stage, rows.length)
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}

async function countRead(tx: Tx, runId: string, { position }: Stage, count: number): Promise<void> {
  await tx
    .updateTable('run_stages')
    .set({ done: sql`done + ${count}::int` })
    .where('run_id', '=', runId)
    .where('position', '=', position)
    .execute()
}

/** Files of which the destination has another number of bytes than the source says, with the words for it. */
async function findOtherSizes(
  { reader }: RunContext,
  entity: string,
  rows: PlacedRow[],
  foundOf: (row: PlacedRow) => FoundRecord | undefined,
): Promise<Map<string, string>> {
  // A source that handed out other bytes than it said was told of when the file was sent.
  const told = rows.filter((row) => foundOf(row)?.fileSize !== undefined && !row.warned?.includes('file_size_differs'))
  const other = new Map<string, string>()
  if (!isFileEntity(entity) || told.length === 0 || !reader.readSome) return other
  const byId = new Map(told.map((row) => [row.source_id, foundOf(row)?.fileSize]))
  for (let at = 0; at < told.length; at += mostExplained) {
    const ids = told.slice(at, at + mostExplained).map(({ source_id }) => source_id)
    const { items } = await reader.readSome(entity, { ids }, null)
    for (const { sourceId, fields } of items) {
      const size = byId.get(sourceId)
      if (typeof fields.size !== 'number' || size === undefined || size === fields.size) continue
      other.set(sourceId, `The file has ${size} bytes; in the source it has ${fields.size}.`)
    }
  }
  return other
}

/** Which fields are not as they were sent, by key; as far as the source can be asked for single records. */
async function explain(
  context: RunContext,
  entity: string,
  found: { sourceId: string; record: FoundRecord }[],
): Promise<Map<string, string>> {
  const { db, importId, reader } = context
  const explained = new Map<string, string>()
  if (found.length === 0 || !reader.readSome) return explained
  const byKey = new Map(found.map(({ record }) => [record.key, record]))
  // As many as any tool can be asked for at once; the others are listed without the fields.
  const ids = found.slice(0, mostExplained).map(({ sourceId }) => sourceId)
  const { readSome } = reader
  await askInParts(ids, async (some) => {
    const { page, endTurn } = await readInTurn(() => readSome(entity, { ids: some }, null))
    try {
      const known = await findRows(db, importId, page.items)
      for (const part of intoParts(page.items, page.items.length)) {
        for (const { record, sending } of await prepareRecords(context, entity, part, { known, isLastPass: true })) {
          const stored = sending && byKey.get(sending.outgoing.key)
          if (!stored) continue
          const isInside = hasComeInside(known.get(stateKey(record)))
          const fields = listDifferences(await storedContent(context, entity, sending.outgoing, isInside), stored)
          const what = fields.join(', ') || 'it has changed in the source since'
          explained.set(sending.outgoing.key, `Not as it was sent: ${what}`)
        }
      }
      return []
    } finally {
      endTurn?.()
    }
  })
  return explained
}
