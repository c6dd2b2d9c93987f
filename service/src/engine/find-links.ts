import type { Lead } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import type { FamilyRecord, RecordRef, RichText } from '../families/record.ts'
import { createGiveWay } from '../give-way.ts'
import { type FollowedLink, type FoundAddresses, type Links, listAddresses } from '../mapping/map-texts.ts'
import { absoluteUrl, isRelative, pinUrl } from '../text/absolute-url.ts'
import type { RecordBudget } from '../text/budget-text.ts'
import type { TextAddresses } from '../text/change-text.ts'
import { type Place, type Places, refKey } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { OpenedImport } from './run-context.ts'

export interface PageLinks {
  of(record: FamilyRecord): Links
  found: FoundAddresses
}

/** Links that one query looks up. */
const atOnce = 1_000

/** Follows every link in the texts of a page, and looks up all linked records together. */
export async function findPageLinks(
  parts: Pick<OpenedImport, 'importId' | 'reader' | 'sourceSite' | 'writer' | 'mapping'>,
  records: readonly WithTexts[],
  { fileEntity, isLastPass, places: known }: { fileEntity: string; isLastPass: boolean; places: Places },
): Promise<PageLinks> {
  const found = new Map<RichText, TextAddresses | null>()
  const { fromOf, leadOf } = createLeads(parts)
  const refs = new Map<string, RecordRef>()
  const urls = new Set<string>()
  await eachTarget(records, { fromOf, leadOf }, found, (_record, target) => {
    if ('entity' in target) refs.set(refKey(target), target)
    else for (const url of writingsOf(target.sourceUrl)) urls.add(url)
  })
  for (const { attachment } of records.flatMap(({ texts }) => texts.flatMap(({ inlineFiles = [] }) => inlineFiles))) {
    refs.set(refKey({ entity: fileEntity, sourceId: attachment }), { entity: fileEntity, sourceId: attachment })
  }
  const places = await lookUp(known, [...refs.values()], [...urls])
  await lookCloser(parts, [...places.values()])
  const placeOf = (target: Target): Place | undefined =>
    'entity' in target
      ? places.get(refKey(target))
      : writingsOf(target.sourceUrl).flatMap((url) => places.get(url) ?? [])[0]
  const stateOf = (place: Place | undefined) => destinationOf(place, isLastPass)

  return {
    found,
    of(record) {
      const from = fromOf(record)
      return {
        from,
        follow(address, attachment) {
          if (attachment !== undefined) {
            const target = stateOf(places.get(refKey({ entity: fileEntity, sourceId: attachment })))
            if (target !== 'unknown' && target !== null) return { url: target }
            const old = absoluteUrl(address, from)
            const isOpen = target === 'unknown'
            return old ? unresolved(old.href, isOpen, isLastPass) : { url: null, isOpen }
          }
          const lead = leadOf(address, from)
          if (address.startsWith('#')) return followWithin(lead, (target) => stateOf(placeOf(target)))
          if (lead) return followLead(lead, (target) => stateOf(placeOf(target)), isLastPass)
          if (!isRelative(address)) return { url: null }
          const pinned = pinUrl(address, from)
          return pinned === null ? { url: null, end: 'nowhere' } : { url: pinned }
        },
      }
    },
  }
}

type Target = Lead['to'][number]
type WithTexts = { record: FamilyRecord; texts: readonly RichText[]; budget: RecordBudget }
type Leads = ReturnType<typeof createLeads>

/** How a text may name a record: by its id, or by its address. */
export const namesOf = (record: FamilyRecord): string[] => [
  refKey(record),
  ...(record.sourceUrl ? writingsOf(record.sourceUrl).slice(0, 1) : []),
]

/** The names of the records that texts link to, by the id of the linking record. */
export async function findLinked(
  parts: Pick<OpenedImport, 'reader' | 'sourceSite'>,
  records: readonly WithTexts[],
): Promise<Map<string, Set<string>>> {
  const linked = new Map<string, Set<string>>()
  await eachTarget(records, createLeads(parts), new Map(), ({ sourceId }, target) => {
    const [name] = 'entity' in target ? [refKey(target)] : writingsOf(target.sourceUrl)
    if (name !== undefined) linked.set(sourceId, (linked.get(sourceId) ?? new Set()).add(name))
  })
  return linked
}

function createLeads({ reader, sourceSite }: Pick<OpenedImport, 'reader' | 'sourceSite'>) {
  const leads = new Map<string, Lead | null>()
  return {
    fromOf: ({ sourceUrl }: FamilyRecord) => (sourceUrl && absoluteUrl(sourceUrl, null) ? sourceUrl : sourceSite),
    leadOf(address: string, from: string | null): Lead | null {
      // Many texts of a page have the same links.
      const key = `${from} ${address}`
      const known = leads.get(key)
      if (known !== undefined) return known
      const lead = reader.follow?.(address, from) ?? null
      leads.set(key, lead)
      return lead
    },
  }
}

/** Calls back for each record of the source that the texts link to. */
async function eachTarget(
  records: readonly WithTexts[],
  { leadOf, fromOf }: Leads,
  found: Map<RichText, TextAddresses | null>,
  meet: (record: FamilyRecord, target: Target) => void,
): Promise<void> {
  const giveWay = createGiveWay()
  for (const { record, texts, budget } of records) {
    const { hereMs } = budget
    for (const text of texts) {
      const turn = giveWay()
      if (turn) await turn
      const listed = listAddresses(text, found, budget)
      for (const address of listed instanceof Promise ? await listed : listed) {
        const next = giveWay()
        if (next) await next
        for (const target of leadOf(address, fromOf(record))?.to ?? []) meet(record, target)
      }
    }
    // The text is mapped in another turn of the event loop.
    budget.hereMs = hereMs
  }
}

type StateOf = (target: Target) => string | 'unknown' | null

function followLead({ url, to, anchor }: Lead, stateOf: StateOf, isLastPass: boolean): FollowedLink {
  let isOpen = false
  for (const target of to) {
    const state = stateOf(target)
    if (state === 'unknown') isOpen = true
    else if (state !== null) {
      return { url: anchor === undefined || state.includes('#') ? state : `${state}#${anchor}`, isOpen }
    }
  }
  return unresolved(url, isOpen, isLastPass)
}

/** The link keeps its old address. A warning says so once nothing in this run can change it. */
const unresolved = (url: string | null, isOpen: boolean, isLastPass: boolean): FollowedLink => ({
  url,
  isOpen,
  ...(!isOpen || isLastPass ? { end: 'old' as const } : {}),
})

/** A place within the text itself stays, unless it is a record of its own. */
function followWithin(lead: Lead | null, stateOf: StateOf): FollowedLink {
  const part = lead?.anchor === undefined ? lead?.to[0] : undefined
  const state = part ? stateOf(part) : null
  return state === 'unknown' ? { url: null, isOpen: true } : { url: state }
}

function destinationOf(place: Place | undefined, isLastPass: boolean): string | 'unknown' | null {
  if (!place) return isLastPass ? null : 'unknown'
  const { state, destination_url } = place
  if (destination_url !== null && (state === 'written' || state === 'matched')) return destination_url
  // A refused or waiting record may arrive with a retry. The text is corrected then.
  if (['refused', 'held', 'deleted'].includes(state)) return 'unknown'
  return isLastPass || state === 'filtered' ? null : 'unknown'
}

async function lookUp(known: Places, refs: readonly RecordRef[], urls: readonly string[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  for (let start = 0; start < refs.length; start += atOnce) {
    for (const [key, row] of await known.byRef(refs.slice(start, start + atOnce))) places.set(key, row)
  }
  for (let start = 0; start < urls.length; start += atOnce) {
    for (const link of await known.byUrl(urls.slice(start, start + atOnce))) places.set(link.source_url, link)
  }
  return places
}

/** Asks the destination for the addresses that only it knows. Few records are linked to, so these requests are few. */
async function lookCloser(
  { importId, writer, mapping: { destination } }: Pick<OpenedImport, 'importId' | 'writer' | 'mapping'>,
  places: readonly Place[],
): Promise<void> {
  const vague = places.filter(
    ({ entity, state, destination_id }) =>
      destination.entities[entity]?.isPlacedByFind && state === 'written' && destination_id !== null,
  )
  for (const [entity, some] of Map.groupBy(vague, (place) => place.entity)) {
    const { batchSize } = capabilitiesOf(destination, entity)
    for (let start = 0; start < some.length; start += batchSize) {
      const sought = some.slice(start, start + batchSize)
      const keyOf = ({ source_id }: Place) => recordKey(importId, entity, source_id)
      const records = sought.map((place) => ({
        key: keyOf(place),
        destinationId: place.destination_id,
        parent: null,
      }))
      const found = new Map((await writer.find(entity, records)).map((record) => [record.key, record.url]))
      for (const place of sought) place.destination_url = found.get(keyOf(place)) ?? place.destination_url
    }
  }
}

/** The ways in which tools write one address: with either scheme, with a slash at the end or none, with %c3 or %C3. */
export function writingsOf(address: string): string[] {
  const url = URL.parse(address)
  if (!url) return [address]
  const path = url.pathname.replace(/\/+$/, '')
  const ends = [`${path}/`, path].map((one) => `//${url.host}${one}${url.search}${url.hash}`)
  const inCase = (change: (code: string) => string) => (end: string) => end.replace(/%[0-9a-f]{2}/gi, change)
  const encoded = ends.flatMap((end) => [
    inCase((code) => code.toLowerCase())(end),
    inCase((code) => code.toUpperCase())(end),
  ])
  return [...new Set(encoded)].flatMap((end) => [`https:${end}`, `http:${end}`])
}
