import type { RecordPage } from '../connectors/contract/contract.ts'
import type { Fate, ForeseenLoss } from '../db/run-tables.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, FieldValue } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import type { Cause } from '../mapping/map-record.ts'
import { cutText } from '../text/cut-text.ts'
import { plainWords } from '../text/plain-words.ts'
import { namesAddress, readTimes, type WarningCode } from '../warnings/codes.ts'
import { isDecidable } from '../warnings/decidable.ts'
import { findUnited, unitedBy } from './foresee-united.ts'
import { plannedPlaces } from './planned-places.ts'
import { type PreparedRecord, prepareRecords } from './prepare-records.ts'
import type { RunContext } from './run-context.ts'
import { isFileEntity } from './send-batches.ts'
import { codesOf, withoutMended } from './warnings.ts'

/** The fates that a run would give the records of a page. */
export interface Foreseen {
  /** Open: it refers to records that were not met yet, so its losses are counted by a second look. */
  fates: { record: FamilyRecord; fate: Fate; isOpen: boolean; unitedBy: string | null }[]
  losses: ForeseenLoss[]
  mapped: number
  whole: number
  undecided: number
}

const mostExamples = 3
const mostValues = 50
const longestValue = 100
const longestTitle = 80
/** Characters of a text that surely hold some words. */
const mostRead = 2_000
/** Fields that name a record, the best one first. */
const naming = ['title', 'subject', 'name', 'file_name', 'email', 'body', 'description'] as const
/** Fields with the number that people know a record by. */
const numbering = ['number', 'key'] as const

/** Maps the records of a page as a run would, and notes the losses. Nothing is sent. */
export async function foreseeLosses(
  context: RunContext,
  entity: string,
  page: RecordPage,
  { isLastPass }: { isLastPass: boolean },
): Promise<Foreseen> {
  const { db, importId, mapping } = context
  const foreseen: Foreseen = { fates: [], losses: [], mapped: 0, whole: 0, undecided: 0 }
  if (mapping.destination.entities[entity] === undefined) return foreseen
  const places = await plannedPlaces(context, { entity, isLastPass })
  const prepared = await prepareRecords(context, entity, page.items, { known: new Map(), isLastPass, places })
  const offered = mapping.destination.entities[entity]
  const keys = prepared.map((one) => unitedBy(offered, one))
  const sourceIds = page.items.map(({ sourceId }) => sourceId)
  const met = await findUnited(db, importId, entity, { sourceIds, keys: keys.filter((key) => key !== null) })
  const odd = Map.groupBy(page.warnings, ({ sourceId }) => sourceId)
  for (const [index, one] of prepared.entries()) {
    const { record } = one
    const told = judge(context, entity, one)
    const isOpen = !isLastPass && told.fate === 'sent' && one.sending?.isIncomplete === true
    const key = told.fate === 'sent' ? (keys[index] ?? null) : null
    // The first of its name arrives as it is; those that follow become one with it.
    const isMerged = key !== null && met.has(key) && !isLastPass
    if (key !== null) met.add(key)
    foreseen.fates.push({ record, fate: told.fate, isOpen, unitedBy: key })
    if (told.fate === 'filtered' || isOpen) continue
    foreseen.mapped++
    const said = told.fate === 'sent' ? (odd.get(record.sourceId) ?? []).flatMap(codesOf) : []
    const notes = withoutMended(said, entityOf(context.family, entity), one.sending?.outgoing.fields ?? {})
    const codes = [
      ...new Set<WarningCode>([...told.codes, ...notes, ...(isMerged ? (['merged'] as const) : [])]),
    ].filter((code) => !namesAddress(code))
    for (const code of codes) addLoss(foreseen.losses, code, told.causes, record)
    if (codes.length === 0) foreseen.whole++
    if (codes.some(isDecidable)) foreseen.undecided++
  }
  // Records that the source could not hand out are not on the page. The first look counted them.
  if (isLastPass) return foreseen
  for (const warning of page.warnings) {
    const { sourceId } = warning
    if (sourceIds.includes(sourceId)) continue
    for (const code of codesOf(warning)) addLoss(foreseen.losses, code, [], { entity, sourceId, fields: {} })
  }
  return foreseen
}

interface Judgement {
  fate: Fate
  codes: WarningCode[]
  causes: readonly (Pick<Cause, 'code' | 'field'> & { value?: Cause['value'] })[]
}

/** Decides as a run would, by the rules that the destination declares. */
function judge({ mapping }: RunContext, entity: string, { record, parentRow, sending }: PreparedRecord): Judgement {
  if (parentRow?.state === 'filtered' || !isWanted(record, mapping.changes)) {
    return { fate: 'filtered', codes: [], causes: [] }
  }
  if (sending === null) return { fate: 'held', codes: ['held'], causes: [] }
  if (sending.refusal) return { fate: 'refused', codes: [sending.refusal], causes: [] }
  const { maxFileBytes, entities } = mapping.destination
  const { size } = record.fields
  if (isFileEntity(entity) && maxFileBytes !== null && typeof size === 'number' && size > maxFileBytes) {
    return { fate: 'refused', codes: ['file_too_large'], causes: [] }
  }
  const blank = Object.entries(entities[entity]?.fields ?? {}).find(
    ([name, { required }]) => required && isBlank(sending.outgoing.fields[name]),
  )
  if (blank) return { fate: 'refused', codes: ['refused'], causes: [{ code: 'refused', field: blank[0] }] }
  return { fate: 'sent', codes: sending.warnings, causes: sending.causes }
}

/** As destinations read it: a text of spaces names nothing. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Once for each field behind it. A record with several things of a kind counts as often, as in the warnings of a run. */
function addLoss(losses: ForeseenLoss[], given: WarningCode, causes: Judgement['causes'], record: FamilyRecord): void {
  const [code, times] = readTimes(given)
  const behind = causes.filter((cause) => cause.code === given)
  const fields = new Set<string | null>(behind.map(({ field }) => field))
  for (const field of fields.size > 0 ? fields : [null]) {
    const loss = losses.find((one) => one.code === code && one.field === field) ?? {
      code,
      field,
      count: 0,
      examples: [],
    }
    if (!losses.includes(loss)) losses.push(loss)
    loss.count += times
    if (given !== code) continue
    if (loss.examples.length < mostExamples) loss.examples.push(exampleOf(record))
    for (const value of new Set(behind.filter((one) => one.field === field).map(({ value }) => shown(value)))) {
      if (value !== null) countValue(loss, value, 1)
    }
  }
}

function countValue(loss: ForeseenLoss, value: string, by: number): void {
  loss.values ??= {}
  const isKnown = Object.hasOwn(loss.values, value)
  if (isKnown || Object.keys(loss.values).length < mostValues) loss.values[value] = (loss.values[value] ?? 0) + by
}

/** Single choices, numbers and people are named; texts are not kept. */
function shown(value: Cause['value'] | undefined): string | null {
  if (value === undefined) return null
  if (typeof value === 'object') return 'userId' in value ? value.userId : null
  const text = String(value)
  return text.length > longestValue ? null : text
}

function exampleOf({ sourceId, fields }: FamilyRecord): ForeseenLoss['examples'][number] {
  const number = numbering.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  return {
    source_id: sourceId,
    number: number === undefined ? null : cutText(String(number), 40),
    title: titleOf(fields),
  }
}

function titleOf(fields: FamilyRecord['fields']): string | null {
  for (const name of naming) {
    const value = fields[name]
    const words = wordsOf(value).replace(/\s+/g, ' ').trim()
    if (words !== '') return words.length > longestTitle ? `${cutText(words, longestTitle - 1)}…` : words
  }
  return null
}

/** The visible words of a text with markup. */
function wordsOf(value: FieldValue | undefined): string {
  if (typeof value === 'string') return value.slice(0, mostRead)
  if (typeof value !== 'object' || value === null || !('body' in value)) return ''
  const body = value.body.slice(0, mostRead)
  return value.format === 'html' ? plainWords(body.replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, ' ')) : body
}

/** The losses of earlier pages and of this one. */
export function joinLosses(before: readonly ForeseenLoss[], added: readonly ForeseenLoss[]): ForeseenLoss[] {
  const joined = structuredClone([...before])
  for (const loss of added) {
    const same = joined.find(({ code, field }) => code === loss.code && field === loss.field)
    if (!same) {
      joined.push(loss)
      continue
    }
    same.count += loss.count
    same.examples = [...same.examples, ...loss.examples].slice(0, mostExamples)
    for (const [value, count] of Object.entries(loss.values ?? {})) countValue(same, value, count)
  }
  return joined
}
