import type { OutgoingRecord, RecordPage, WriteOutcome } from '../connectors/contract.ts'
import type { RecordState } from '../db/schema.ts'
import type { EntityDefinition } from '../families/definition.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef, UserRef } from '../families/record.ts'
import { listLinks } from '../text/convert-text.ts'
import { withinSample } from './choose-sample.ts'
import { hashRecord, storedContent } from './hash-record.ts'
import {
  addWarnings,
  countUp,
  findLinks,
  findRows,
  type Intent,
  type LedgerRow,
  type Outcome,
  recordIntents,
  recordOutcomes,
  stateKey,
} from './ledger.ts'
import { type MapContext, mapRecord } from './map-record.ts'
import { findUsers, type MatchedUser } from './match-users.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'
import { sendBatches } from './send-batches.ts'

export interface PageStage {
  position: number
  entity: string
  /** The link stage writes again only what was incomplete. */
  isLinkStage: boolean
}

interface Prepared {
  record: FamilyRecord
  outgoing: OutgoingRecord
  intent: Intent
  warnings: string[]
}

/**
 * One page: map it, say what will be sent, send it, and commit what came of it together with the checkpoint. A crash
 * at any point leaves the old checkpoint, so the page is read again, and the ledger tells what may have been sent.
 */
export async function writePage(context: RunContext, stage: PageStage, page: RecordPage): Promise<void> {
  const { run } = context
  await context.crashPoint('page read')
  const records = [...new Map(page.items.map((record) => [record.sourceId, record])).values()]
  const known = await findRows(
    context.db,
    run.importId,
    records.map(({ entity, sourceId }) => ({ entity, sourceId })),
  )
  const candidates = stage.isLinkStage
    ? records.filter((record) => known.get(stateKey(record))?.is_incomplete)
    : await withinSample(context, stage.entity, records)
  const { prepared, held } = await prepare(context, stage, candidates, known)

  await run.lease.commit((tx) =>
    recordIntents(tx, run, stage.entity, [...prepared.map(({ intent }) => intent), ...held]),
  )
  await context.crashPoint('intents committed')
  const { outcomes, failure } = await sendBatches(context, stage.entity, prepared)
  await context.crashPoint('all batches sent')

  const bySourceKey = new Map(prepared.map((entry) => [entry.outgoing.key, entry]))
  await run.lease.commit(async (tx) => {
    const isNew = await recordOutcomes(tx, run.importId, stage.entity, outcomes.map(toOutcome(bySourceKey)))
    const warnings = outcomes.flatMap((outcome) => {
      const sent = bySourceKey.get(outcome.key)
      return sent ? warningsOf(outcome, sent, known.get(stateKey(sent.record))?.state) : []
    })
    await addWarnings(tx, run.importId, stage.entity, warnings)
    // A page that is not through is read again; what it counts is counted then.
    const isThrough = failure === null
    const done = isThrough && !stage.isLinkStage ? candidates.length : 0
    await countUp(tx, run.importId, { entity: stage.entity, items: isNew, done })
    if (!isThrough) return
    const newlyHeld = held.filter(
      (intent) => known.get(stateKey({ entity: stage.entity, sourceId: intent.source_id }))?.state !== 'held',
    )
    await addWarnings(
      tx,
      run.importId,
      stage.entity,
      newlyHeld.map(() => 'held'),
    )
    await tx
      .updateTable('run_stages')
      .set({ cursor: page.next, is_done: page.next === null })
      .where('run_id', '=', run.id)
      .where('position', '=', stage.position)
      .execute()
    await tx.updateTable('runs').set({ failures: 0 }).where('id', '=', run.id).execute()
  })
  await context.crashPoint('outcomes committed')
  if (failure) throw failure.error
}

/** A record is warned of once, however often it is sent. */
function warningsOf(outcome: WriteOutcome, sent: Prepared, before: RecordState | undefined): string[] {
  if (outcome.result !== 'refused') return before === 'written' ? [] : sent.warnings
  if (before === 'refused') return []
  return [outcome.code === 'file_too_large' ? outcome.code : 'refused']
}

async function prepare(context: RunContext, stage: PageStage, records: FamilyRecord[], known: Map<string, LedgerRow>) {
  const { run } = context
  const entity = entityOf(context.family, stage.entity)
  const mapContext = await loadMapContext(context, entity, records, stage.isLinkStage)
  const prepared: Prepared[] = []
  const held: Intent[] = []
  for (const record of records) {
    const parent = entity.parent === undefined ? null : (record.fields[entity.parent] as RecordRef | null | undefined)
    const intent = (rest: Pick<Intent, 'state' | 'written_hash' | 'is_incomplete'>): Intent => ({
      source_id: record.sourceId,
      source_url: record.sourceUrl ?? null,
      parent_entity: parent?.entity ?? null,
      parent_source_id: parent?.sourceId ?? null,
      ...rest,
    })
    const content = mapRecord(record, mapContext)
    if (!content) {
      held.push(intent({ state: 'held', written_hash: null, is_incomplete: false }))
      continue
    }
    const row = known.get(stateKey(record))
    const outgoing = {
      key: recordKey(run.importId, record.entity, record.sourceId),
      destinationId: row?.destination_id ?? null,
      fields: content.fields,
      customFields: content.customFields,
      createdAt: record.createdAt ?? null,
      updatedAt: record.updatedAt ?? null,
      createdBy: record.createdBy ? (mapContext.findUser(record.createdBy) ?? null) : null,
    }
    const hash = hashRecord(storedContent(context, stage.entity, outgoing))
    if (row && isSettled(row, run.id, hash, content.isIncomplete)) continue
    prepared.push({
      record,
      warnings: content.warnings,
      intent: intent({ state: 'intended', written_hash: hash.toString('hex'), is_incomplete: content.isIncomplete }),
      outgoing,
    })
  }
  return { prepared, held }
}

/** Looks up everything that the page refers to at once. */
async function loadMapContext(
  context: RunContext,
  entity: EntityDefinition,
  records: FamilyRecord[],
  isLast: boolean,
): Promise<MapContext & { findUser(ref: UserRef): MatchedUser | undefined }> {
  const { db, run, destination } = context
  const values = records.flatMap((record) => Object.values(record.fields).flat() as FieldValue[])
  const refs = values.filter((value): value is RecordRef => isObject(value) && 'sourceId' in value)
  const urls = values.flatMap((value) =>
    isObject(value) && 'format' in value ? listLinks(value.body, value.format) : [],
  )
  const people = [...values, ...records.flatMap(({ createdBy }) => createdBy ?? [])]
  const userIds = people.flatMap((value) => (isObject(value) && 'userId' in value ? [value.userId] : []))
  const [rows, links, users] = await Promise.all([
    findRows(db, run.importId, refs),
    findLinks(db, run.importId, urls),
    findUsers(db, run.importId, userIds),
  ])
  const linkTargets = new Map(links.map((link) => [link.source_url, link]))
  return {
    entity,
    destination,
    findUser: ({ userId }) => users.get(userId),
    resolveUser: ({ userId }) => users.get(userId)?.userId ?? null,
    resolveRecord(ref) {
      const row = rows.get(stateKey(ref))
      const state = row?.state
      if (row?.destination_id != null && (state === 'written' || state === 'matched')) {
        return { key: recordKey(run.importId, ref.entity, ref.sourceId), destinationId: row.destination_id }
      }
      // What is written later is not there yet; in the last pass, or for what came before, it never will be.
      const isLater = entity.secondPass?.some((field) => entity.fields[field]?.to?.includes(ref.entity))
      return !isLast && isLater && state !== 'refused' && state !== 'held' ? 'unknown' : 'lost'
    },
    resolveLink(url) {
      const link = linkTargets.get(url)
      if (!link) return null
      if (link.destination_url !== null && link.state === 'written') return link.destination_url
      return isLast ? null : 'unknown'
    },
  }
}

const isObject = (value: unknown): value is Extract<FieldValue, object> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** It is there just so, from a sample or from before a crash; or this very run has been told that it is not wanted. */
function isSettled(row: LedgerRow, runId: string, hash: Buffer, isIncomplete: boolean): boolean {
  if (!row.written_hash?.equals(hash)) return false
  return row.state === 'written' ? row.is_incomplete === isIncomplete : row.state === 'refused' && row.run_id === runId
}

function toOutcome(sent: Map<string, Prepared>) {
  return (outcome: WriteOutcome): Outcome => {
    const source_id = sent.get(outcome.key)?.record.sourceId
    if (source_id === undefined) throw new Error(`an outcome for ${outcome.key}, which was not sent`)
    return outcome.result === 'refused'
      ? {
          source_id,
          state: 'refused',
          destination_id: null,
          destination_url: null,
          destination_version: null,
          code: outcome.code,
          message: outcome.message,
        }
      : {
          source_id,
          state: outcome.result,
          destination_id: outcome.destinationId,
          destination_url: outcome.url,
          destination_version: outcome.result === 'written' ? outcome.version : null,
          code: null,
          message: null,
        }
  }
}
