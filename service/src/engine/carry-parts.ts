import type { OutgoingRecord, SentRelation } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { decideRecords } from './decide-records.ts'
import { hashOutgoing } from './hash-record.ts'
import { hasComeInside, type LedgerRow, type Places, refKey } from './ledger.ts'
import { carriedBy, type PartPage } from './read-parts.ts'
import { recordKey } from './record-key.ts'
import type { RunContext, Stage } from './run-context.ts'
import { hasParts, type Sending, type SendOutcome } from './sending.ts'
import type { UploadedPart } from './upload-parts.ts'

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
  { pages, uploaded, places }: { pages: readonly PartPage[]; uploaded: readonly UploadedPart[]; places: Places },
  known: Known,
): Promise<Sending[]> {
  if (pages.length === 0 && uploaded.length === 0) return sendings
  const carried = new Map(carriedBy(context, stage))
  const carriers = new Map(
    sendings.filter((sending) => isCarrier(sending, known)).map((sending) => [refKey(sending.record), sending]),
  )
  const inside = new Map<string, Sending[]>()
  const recordPages = pages.filter(({ entity }) => carried.get(entity)?.isUploaded !== true)
  // An entity whose records could not be read has no page.
  const recordEntities = [...carried].flatMap(([entity, { isUploaded }]) => (isUploaded ? [] : [entity]))
  const wholeOf = new Map(recordEntities.map((entity) => [entity, new Set<string>()]))
  for (const { entity, records, warnings, whole: read } of carriers.size === 0 ? [] : recordPages) {
    const { parent = '' } = entityOf(context.family, entity)
    const parentOf = (record: FamilyRecord) => refKey(record.fields[parent] as RecordRef)
    const page = { records: records.filter((record) => carriers.has(parentOf(record))), warnings }
    const left = new Set(page.records.map(refKey))
    const { sendings: parts } = await decideRecords(context, { ...stage, entity }, page, known, {
      comesInside: true,
      places,
    })
    const sent = parts.filter(({ refusal }) => refusal === undefined)
    for (const [key, ofOne] of Map.groupBy(sent, ({ record }) => parentOf(record))) {
      const carrier = carriers.get(key)
      const end = ofOne.findIndex((part) => !canComeInside(part, known))
      const taken = ofOne.slice(0, Math.min(end === -1 ? ofOne.length : end, carried.get(entity)?.most ?? 0))
      for (const [position, part] of carrier ? taken.entries() : []) {
        inside.set(key, [...(inside.get(key) ?? []), await asPart(context, carrier as Sending, part, position)])
        if (!part.isIncomplete) left.delete(refKey(part.record))
      }
    }
    const partly = new Set(page.records.filter((record) => left.has(refKey(record))).map(parentOf))
    for (const key of read) if (!partly.has(key)) wholeOf.get(entity)?.add(key)
  }
  const tokens = new Map(uploaded.map(({ sending, upload }) => [sending.outgoing.key, upload]))
  const files = Map.groupBy(uploaded, ({ sending }) => refKey(sending.parent as RecordRef))
  const carriedBefore = findCarriedBefore(context, carriers, pages, known)
  return Promise.all(
    sendings.map(async (sending) => {
      if (!carriers.has(refKey(sending.record))) return sending
      const parts = [...(inside.get(refKey(sending.record)) ?? [])]
      for (const { record } of [sending, ...parts])
        for (const [position, file] of (files.get(refKey(record)) ?? []).entries())
          parts.push(await asPart(context, sending, file.sending, position))
      const taken = new Set(parts.map(({ record }) => refKey(record)))
      const before = carriedBefore.get(refKey(sending.record)) ?? []
      const dropped = before.filter((part) => !taken.has(refKey(part)))
      const isWhole = wholeOf.values().every((keys) => keys.has(refKey(sending.record)))
      if (parts.length === 0) return { ...sending, dropped, isWhole }
      const outgoing = parts.map(({ record, outgoing: part }) => {
        const upload = tokens.get(part.key)
        return { ...part, entity: record.entity, ...(upload && { upload }) }
      })
      return { ...sending, parts, dropped, isWhole, outgoing: { ...sending.outgoing, parts: outgoing } }
    }),
  )
}

/** The parts that an earlier attempt sent with each carrier, by the carrier. */
function findCarriedBefore(
  { family }: RunContext,
  carriers: ReadonlyMap<string, Sending>,
  pages: readonly PartPage[],
  known: Known,
): Map<string, RecordRef[]> {
  const carrierOf = new Map([...carriers.keys()].map((key) => [key, key]))
  const found = new Map<string, RecordRef[]>()
  for (const { entity, records } of carriers.size === 0 ? [] : pages) {
    const { parent = '' } = entityOf(family, entity)
    for (const record of records) {
      const carrier = carrierOf.get(refKey(record.fields[parent] as RecordRef))
      if (carrier === undefined) continue
      carrierOf.set(refKey(record), carrier)
      const row = known.get(refKey(record))
      if (row?.state === 'intended' && hasComeInside(row))
        found.set(carrier, [...(found.get(carrier) ?? []), { entity, sourceId: record.sourceId }])
    }
  }
  return found
}

async function asPart(context: RunContext, carrier: Sending, part: Sending, position: number): Promise<Sending> {
  const { soughtAt: _, ...rest } = part
  const { record, parent, outgoing } = part
  const parentKey = recordKey(context.importId, parent?.entity ?? '', parent?.sourceId ?? '')
  const hash = await hashOutgoing(context, record.entity, placeParent(outgoing, parentKey, null), true)
  return { ...rest, hash, position, isDoubtful: carrier.isDoubtful }
}

const isCarrier = ({ record, outgoing, refusal }: Sending, known: Known): boolean =>
  outgoing.destinationId === null && refusal === undefined && isCarrierRow(known.get(refKey(record)))

/** Whether the record may be sent with its parts. */
export const isCarrierRow = (row: LedgerRow | undefined): boolean => (row?.failures ?? 0) < failuresUntilBare

export function canComeInside({ record, outgoing }: Sending, known: Known): boolean {
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
  if (!batch.some(hasParts)) return outcomes
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
  if (!batch.some(hasParts)) return [...batch]
  const idOf = new Map(
    outcomes.flatMap((outcome) => ('destinationId' in outcome ? [[outcome.key, outcome.destinationId] as const] : [])),
  )
  return batch.flatMap((carrier) => {
    const { outgoing, parts = [] } = carrier
    if (!idOf.has(outgoing.key)) return [carrier]
    const keys = new Map([carrier, ...parts].map((one) => [refKey(one.record), one.outgoing.key]))
    const place = (part: Sending): Sending => {
      const parentKey = part.parent ? (keys.get(refKey(part.parent)) ?? '') : ''
      const destinationId = idOf.get(parentKey)
      if (part.parent === null || destinationId === undefined) return part
      return {
        ...part,
        parentId: { entity: part.parent.entity, destinationId },
        outgoing: placeParent(part.outgoing, parentKey, destinationId),
      }
    }
    return [carrier, ...parts.map(place)]
  })
}
