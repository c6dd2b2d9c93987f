import type { RecordPage, WriteOutcome } from '../connectors/contract.ts'
import type { FamilyRecord } from '../families/record.ts'
import {
  countUp,
  type LedgerRow,
  type Outcome,
  recordOutcomes,
  recordSettled,
  recordUnsent,
  type Settled,
  stateKey,
} from './ledger.ts'
import { forgetFailures, moveStage } from './move-stage.ts'
import type { UnknownOutcome } from './reconcile.ts'
import { endStage } from './recount.ts'
import type { RunContext, Stage } from './run-context.ts'
import { addWarnings, countWarned, orNull } from './warnings.ts'
import type { Sending } from './write-page.ts'

type AnyOutcome = WriteOutcome | UnknownOutcome

interface PartResult {
  outcomes: AnyOutcome[]
  unsent: Sending[]
  sendings: Sending[]
  known: ReadonlyMap<string, LedgerRow>
  /** Set with the last part of a page that is through. */
  end: { page: RecordPage; counted: number | null; records: FamilyRecord[]; sorted: { settled: Settled[] } } | null
}

/** What came of a part of a page; with the last one, the checkpoint moves on. */
export async function commitOutcomes({ run, importId }: RunContext, stage: Stage, result: PartResult): Promise<void> {
  const { outcomes, unsent, known } = result
  const byKey = new Map(result.sendings.map((sending) => [sending.outgoing.key, sending]))
  const rowOf = (sourceId: string) => known.get(stateKey({ entity: stage.entity, sourceId }))
  await run.lease.commitOutcome(async (tx, state) => {
    // A run that was stopped has no checkpoint to move any more.
    const end = state === 'stopped' ? null : result.end
    const settled = end?.sorted.settled ?? []
    const recorded = outcomes.map(toOutcome(byKey, rowOf))
    await recordOutcomes(tx, run, stage.entity, recorded)
    const unsentIds = unsent.map(({ record }) => record.sourceId)
    await recordUnsent(tx, importId, stage.entity, unsentIds)
    await recordSettled(tx, run, stage.entity, settled)
    const changes = [...recorded, ...settled].map(({ source_id, warned }) => ({
      before: rowOf(source_id)?.warned,
      after: warned,
    }))
    await countWarned(tx, importId, stage.entity, changes)
    // A page that is not through is read again; what it counts is counted then.
    const done = end && stage.stage !== 'link' ? end.records.length : 0
    const isNew = ({ state, source_id }: Outcome) => state === 'written' && !isThere(rowOf(source_id))
    await countUp(tx, importId, { entity: stage.entity, items: recorded.filter(isNew).length, done })
    if (!end) {
      // It is slow going, but it goes.
      if (outcomes.length > 0) await forgetFailures(tx, run)
      return
    }
    await addWarnings(tx, importId, stage.entity, unreadableOf(stage, run.kind, end.page))
    if (end.page.next === null) await endStage(tx, { run, importId }, stage, end.counted)
    else await moveStage(tx, { run }, stage, { cursor: end.page.next, isDone: false })
  })
}

/** What could not even be handed out is no record of the page; said once, by the run that reads everything. */
function unreadableOf({ stage, passes }: Stage, kind: RunContext['run']['kind'], page: RecordPage): string[] {
  if (kind !== 'full' || stage !== 'write' || passes > 0) return []
  const items = new Set(page.items.map(({ sourceId }) => sourceId))
  return page.warnings.filter(({ sourceId }) => !items.has(sourceId)).map(({ code }) => code)
}

const nowhere = {
  destination_id: null,
  destination_url: null,
  destination_version: null,
  written_hash: null,
  is_incomplete: false,
}

function toOutcome(sent: ReadonlyMap<string, Sending>, rowOf: (sourceId: string) => LedgerRow | undefined) {
  return (outcome: AnyOutcome): Outcome => {
    const sending = sent.get(outcome.key)
    const source_id = sending?.record.sourceId
    if (sending === undefined || source_id === undefined)
      throw new Error(`an outcome for ${outcome.key}, which was not sent`)
    switch (outcome.result) {
      case 'unknown':
        return {
          source_id,
          ...nowhere,
          state: 'intended',
          code: 'unknown',
          message: 'It may be there or not.',
          warned: ['unknown'],
        }
      case 'refused': {
        const { code, message } = outcome
        return {
          source_id,
          ...nowhere,
          state: 'refused',
          code,
          message,
          warned: warnedOfRefusal(rowOf(source_id), code),
        }
      }
      default:
        return {
          source_id,
          state: outcome.result,
          destination_id: outcome.destinationId,
          destination_url: outcome.url,
          destination_version: outcome.result === 'written' ? outcome.version : null,
          written_hash: `\\x${sending.hash}`,
          is_incomplete: sending.isIncomplete,
          code: null,
          message: null,
          warned: orNull([...new Set([...sending.warnings, ...lossesOf(outcome)])]),
        }
    }
  }
}

const isThere = (row: LedgerRow | undefined) => row?.state === 'written' || row?.state === 'matched'

/** What the destination took of the record, but not of all of it. */
function lossesOf(outcome: Extract<WriteOutcome, { result: 'written' | 'matched' }>): string[] {
  return outcome.result === 'written' ? (outcome.losses ?? []).map((loss) => `lost:${loss}`) : []
}

/** What is there and only was not changed is warned of as before, and of that besides. */
function warnedOfRefusal(row: LedgerRow | undefined, code: string | null): string[] {
  const warning = code === 'file_too_large' || code === 'edited' ? code : 'refused'
  return [...new Set([...(isThere(row) ? (row?.warned ?? []) : []), warning])]
}
