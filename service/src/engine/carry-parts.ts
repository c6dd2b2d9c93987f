import type { OutgoingRecord, SentRelation } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { decideRecords } from './decide-records.ts'
import { hashOutgoing } from './hash-record.ts'
import { hasComeInside, type LedgerRow, refKey } from './ledger.ts'
import { carriedBy, type PartPage } from './read-parts.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'

/** A record that failed this often is sent in a request of its own. */
export const failuresUntilAlone = 2
/**
 * A record that failed this often with its parts is sent without them, and the parts follow: one of them may be the
 * reason. The parts lose their times then, and the tool may mail them, so two lost answers are not enough.
 */
const failuresUntilBare = 3

type Known = ReadonlyMap<string, LedgerRow>

/**
 * Adds parts to the new records that carry them. Each carrier takes its first parts, up to the limit of a request, and
 * only up to a part that has to be sent separately, so that all parts arrive in their order.
 */
export async function carryParts(
  context: RunContext,
  stage: Stage,
  sendings: Sending[],
  pages: readonly PartPage[],
  known: Known,
): Promise<Sending[]> {
  const most = new Map(carriedBy(context, stage).map(([entity, carried]) => [entity, carried.most]))
  const carriers = new Map(
    sendings.filter((sending) => isCarrier(sending, known)).map((sending) => [refKey(sending.record), sending]),
  )
  const inside = new Map<string, Sending[]>()
  for (const { entity, records, warnings } of carriers.size === 0 ? [] : pages) {
    const { parent = '' } = entityOf(context.family, entity)
    const parentOf = (record: FamilyRecord) => refKey(record.fields[parent] as RecordRef)
    const page = { records: records.filter((record) => carriers.has(parentOf(record))), warnings }
    const { sendings: parts } = await decideRecords(context, { ...stage, entity }, page, known, { comesInside: true })
    const sent = parts.filter(({ refusal }) => refusal === undefined)
    for (const [key, ofOne] of Map.groupBy(sent, ({ record }) => parentOf(record))) {
      const carrier = carriers.get(key)
      const end = ofOne.findIndex((part) => !canComeInside(part, known))
      const taken = ofOne.slice(0, Math.min(end === -1 ? ofOne.length : end, most.get(entity) ?? 0))
      for (const [position, part] of carrier ? taken.entries() : []) {
        const { soughtAt: _, ...rest } = part
        const bare = placeParent(part.outgoing, String(carrier?.outgoing.key), null)
        const hash = await hashOutgoing(context, entity, bare, true)
        const one: Sending = { ...rest, hash, position, isDoubtful: carrier?.isDoubtful === true }
        inside.set(key, [...(inside.get(key) ?? []), one])
      }
    }
  }
  return sendings.map((sending) => {
    const parts = inside.get(refKey(sending.record))
    if (!parts) return sending
    const outgoing = parts.map(({ record, outgoing: part }) => ({ ...part, entity: record.entity }))
    return { ...sending, parts, outgoing: { ...sending.outgoing, parts: outgoing } }
  })
}

const isCarrier = ({ record, outgoing, refusal }: Sending, known: Known): boolean =>
  outgoing.destinationId === null &&
  refusal === undefined &&
  (known.get(refKey(record))?.failures ?? 0) < failuresUntilBare

function canComeInside({ record, outgoing }: Sending, known: Known): boolean {
  const row = known.get(refKey(record))
  // The part was sent by itself, and the destination may have it.
  const isUnderWay = row?.state === 'intended' && row.sent_ms_ago !== null && !hasComeInside(row)
  const isSuspect = (row?.failures ?? 0) >= failuresUntilAlone
  return outgoing.destinationId === null && !isUnderWay && !isSuspect && !refersToSibling(record)
}

/** A part that refers to another part, such as a reply to a comment. The other part has no id before the request. */
const refersToSibling = ({ entity, fields }: FamilyRecord): boolean =>
  Object.values(fields)
    .flat()
    .some((value) => typeof value === 'object' && value !== null && 'sourceId' in value && value.entity === entity)

/** The record with this id as its parent's; null removes the relation to the parent. */
export function placeParent<R extends OutgoingRecord>(outgoing: R, parentKey: string, id: string | null): R {
  const isParent = (value: unknown): value is SentRelation =>
    typeof value === 'object' && value !== null && 'key' in value && value.key === parentKey
  const placed = Object.entries(outgoing.fields).flatMap(([name, value]) => {
    if (!isParent(value)) return [[name, value] as const]
    return id === null ? [] : [[name, { ...value, destinationId: id }] as const]
  })
  return { ...outgoing, fields: Object.fromEntries(placed) }
}

/** Adds the hashes of parts, now that the record that carries them has its id. */
export async function placeParts(
  context: RunContext,
  batch: readonly Sending[],
  outcomes: SendOutcome[],
): Promise<SendOutcome[]> {
  const parts = new Map(placedIn(batch, outcomes).map((sending) => [sending.outgoing.key, sending]))
  const placed: SendOutcome[] = []
  for (const outcome of outcomes) {
    const part = parts.get(outcome.key)
    const isSettled = outcome.result === 'written' || outcome.result === 'matched' || outcome.result === 'refused'
    if (part?.position === undefined || !isSettled) placed.push(outcome)
    else {
      const { record, outgoing } = part
      // A refused part may follow by itself.
      const hash = await hashOutgoing(context, record.entity, outgoing, outcome.result !== 'refused')
      placed.push({ ...outcome, hash })
    }
  }
  return placed
}

/** The records of a request and their parts. Each part knows the id of its parent. */
export function placedIn(batch: readonly Sending[], outcomes: readonly SendOutcome[]): Sending[] {
  const idOf = new Map(
    outcomes.flatMap((outcome) => ('destinationId' in outcome ? [[outcome.key, outcome.destinationId] as const] : [])),
  )
  return batch.flatMap((carrier) => {
    const { record, outgoing, parts = [] } = carrier
    const destinationId = idOf.get(outgoing.key)
    if (destinationId === undefined) return [carrier]
    const parentId = { entity: record.entity, destinationId }
    const place = (part: Sending) => ({
      ...part,
      parentId,
      outgoing: placeParent(part.outgoing, outgoing.key, destinationId),
    })
    return [carrier, ...parts.map(place)]
  })
}
