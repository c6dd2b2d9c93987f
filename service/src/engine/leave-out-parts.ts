import { entityOf } from '../families/index.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import { forgetPlaces, recordIntents } from './change-ledger.ts'
import { intentOf } from './decide-page.ts'
import { refKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import { type Sending, type SendOutcome, withParts } from './sending.ts'

/** How often a refused record is sent again with fewer parts. The last time it has none of them. */
const mostAttempts = 20

type Refusal = Extract<SendOutcome, { result: 'refused' }>

/** What a record is sent without, after the destination had refused it with all of its parts. */
export interface LeftOut {
  /** The record with all of its parts. */
  whole: Sending
  attempts: number
  /** Parts that the destination refused by name. */
  refused: readonly { part: Sending; refusal: Refusal }[]
  /** While nobody knows which part is the reason: the parts left out this time, and those to leave out the next times. */
  search: { without: readonly Sending[]; next: readonly Sending[][]; refusal: Refusal } | null
}

/** Refusals whose reason was in no part, by their words: the next record that is refused so is searched less. */
const vainSearches = new WeakMap<RunContext, Set<string>>()
function vainOf(context: RunContext): Set<string> {
  const known = vainSearches.get(context) ?? new Set()
  vainSearches.set(context, known)
  return known
}
const wordsOf = ({ code, message }: Refusal): string => `${code} ${message}`

/**
 * A refused record with fewer parts, if one of them may be the reason; null if the record itself is. If the tool does
 * not name the guilty part, another one is left out each time, the longest first: once the tool accepts the record, it
 * does not take it again with more parts.
 */
export function withFewerParts(context: RunContext, carrier: Sending, refusal: Refusal): Sending | null {
  const { leftOut } = carrier
  const { whole = carrier, refused = [], search = null } = leftOut ?? {}
  const attempts = (leftOut?.attempts ?? 0) + 1
  const named = refusal.refusedParts
  if (named?.length === 0 || unitsOf(whole, carrier.parts).length === 0) {
    if (search) vainOf(context).add(wordsOf(search.refusal))
    return null
  }
  const gone = new Set(refused.map(({ part }) => part))
  const units = unitsOf(whole, whole.parts).filter(([first]) => first && !gone.has(first))
  if (named && attempts < mostAttempts) {
    const guilty = units.flatMap(([first]) => (first && named.includes(first.outgoing.key) ? [first] : []))
    const all = [...refused, ...guilty.map((part) => ({ part, refusal }))]
    if (guilty.length > 0) return sendWithout(carrier, { whole, attempts, refused: all, search: null })
  }
  const isVain = vainOf(context).has(wordsOf(refusal))
  const next = isVain || attempts >= mostAttempts ? [] : (search?.next ?? intoGroups(units))
  const [without = units.flat(), ...rest] = next
  return sendWithout(carrier, { whole, attempts, refused, search: { without, next: rest, refusal } })
}

/**
 * Parts that the record carries, each with the files inside it. Files of the record itself stay with it, because its
 * text may show them.
 */
function unitsOf({ record, outgoing }: Sending, parts: readonly Sending[] = []): Sending[][] {
  const uploaded = new Set((outgoing.parts ?? []).flatMap(({ key, upload }) => (upload ? [key] : [])))
  const isIn = (part: Sending, parent: Sending['record']) => part.parent && refKey(part.parent) === refKey(parent)
  return parts
    .filter((part) => isIn(part, record) && !uploaded.has(part.outgoing.key))
    .map((part) => [part, ...parts.filter((file) => isIn(file, part.record))])
}

function intoGroups(units: readonly Sending[][]): Sending[][] {
  const sizeOf = ([first]: Sending[]) => JSON.stringify(first?.outgoing.fields ?? null).length
  const sorted = units.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  const size = Math.ceil(units.length / (mostAttempts - 1))
  return Array.from({ length: Math.ceil(units.length / size) }, (_, at) =>
    sorted.slice(at * size, at * size + size).flat(),
  )
}

function sendWithout(carrier: Sending, leftOut: LeftOut): Sending {
  const { whole, refused, search } = leftOut
  const out = new Set(
    [...refused.map(({ part }) => part), ...(search?.without ?? [])].map(({ record }) => refKey(record)),
  )
  const isLeft = ({ record, parent }: Sending) => !out.has(refKey(record)) && !(parent && out.has(refKey(parent)))
  const places = new Map<string, number>()
  const parts = (whole.parts ?? []).filter(isLeft).map((part): Sending => {
    const place = `${part.record.entity} of ${part.parent && refKey(part.parent)}`
    const position = places.get(place) ?? 0
    places.set(place, position + 1)
    return { ...part, position }
  })
  const kept = new Set(parts.map(({ outgoing }) => outgoing.key))
  // The ledger counts each sending.
  const revision = carrier.outgoing.revision + 1
  const outgoing = whole.outgoing.parts?.flatMap((part) => (kept.has(part.key) ? [{ ...part, revision }] : [])) ?? []
  const { parts: _, ...alone } = whole.outgoing
  return {
    ...whole,
    leftOut,
    parts,
    outgoing: { ...alone, revision, ...(outgoing.length > 0 && { parts: outgoing }) },
  }
}

/** Announces the new attempt, so that after a crash each part is sought at its new place, or not at all. */
export async function announceAgain(context: RunContext, entity: string, carriers: readonly Sending[]): Promise<void> {
  const { run, importId, family } = context
  const isTop = entityOf(family, entity).isTop === true
  await run.lease.commit(async (tx) => {
    await recordAnnounced(tx, importId)
    const sent = withParts(carriers)
    for (const [name, sendings] of Map.groupBy(sent, ({ record }) => record.entity)) {
      const intents = sendings.map((sending) => intentOf(sending, isTop && name === entity))
      await recordIntents(tx, run, name, intents)
    }
    const keys = new Set(sent.map(({ outgoing }) => outgoing.key))
    const out = withParts(carriers.flatMap(({ leftOut }) => leftOut?.whole ?? [])).filter(
      (one) => !keys.has(one.outgoing.key),
    )
    for (const [name, parts] of Map.groupBy(out, ({ record }) => record.entity)) {
      const ids = parts.map(({ record }) => record.sourceId)
      await forgetPlaces(tx, importId, name, ids)
    }
  })
  await context.crashPoint('intents committed')
}

/**
 * Adds the outcomes of the parts that were the reason, now that the record has arrived without them. Parts that were
 * left out with others follow by themselves. So does one that may only have made the request too large.
 */
export function tellLeftOut(
  context: RunContext,
  batch: readonly Sending[],
  outcomes: readonly SendOutcome[],
): { batch: Sending[]; outcomes: SendOutcome[] } {
  const arrived = new Set(
    outcomes.flatMap(({ key, result }) => (result === 'written' || result === 'matched' ? [key] : [])),
  )
  const told: SendOutcome[] = [...outcomes]
  const complete = batch.map((carrier) => {
    const { leftOut, parts = [] } = carrier
    if (!leftOut || !arrived.has(carrier.outgoing.key)) return carrier
    const { refused, search } = leftOut
    if (search) vainOf(context).delete(wordsOf(search.refusal))
    const [found, ...others] = search?.without ?? []
    const isFound = search !== null && found !== undefined && others.length === 0 && search.refusal.code !== 'too_large'
    const guilty = [...refused, ...(isFound ? [{ part: found, refusal: search.refusal }] : [])]
    for (const { part, refusal } of guilty) {
      const { code, message } = refusal
      told.push({ key: part.outgoing.key, result: 'refused', code, message })
    }
    return { ...carrier, parts: [...parts, ...guilty.map(({ part }) => part)] }
  })
  return { batch: complete, outcomes: told }
}
