import type { RecordPage } from '../connectors/contract/contract.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import { entityOf } from '../families/index.ts'
import type { SingleValue } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { toText } from '../mapping/fit-value.ts'
import { isRelation, isRichText, isUser, listValues } from '../mapping/record-values.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { cutText } from '../text/cut-text.ts'
import { plainWords } from '../text/plain-words.ts'
import { compareRecords } from './compare-records.ts'
import { type OpenRunParts, openImport } from './open-run.ts'
import type { OpenedImport } from './run-context.ts'
import { explainFailedLook, lookMs, type RecordView, type SourceRecord, toView } from './view-record.ts'

export interface Examples {
  /** Some values of each field of the source, as people read them. */
  samples: Record<string, string[]>
  records: RecordView[]
}

export interface ExamplesQuestion {
  importId: string
  entity: string
  /** A mapping that is only tried; null for the newest that was saved. */
  changes: MappingChanges | null
}

export type ViewExamples = (question: ExamplesQuestion) => Promise<Examples>

const shownRecords = 3
const shownValues = 3
const longestShown = 80
/** Characters of a text that surely hold some words. */
const mostRead = 2_000
const keptRecords = 50
/** While someone edits, the source is asked once in this time, and not for every change. */
const keptMs = 20_000
const mostKept = 30
const mostPages = 5

interface Kept {
  at: number
  found: SourceRecord[]
}

/**
 * Real records of the first page, in their form for the destination. They stay in memory for a moment and nowhere else.
 */
export function createViewExamples(parts: Omit<OpenRunParts, 'signal'>): ViewExamples {
  const kept = new Map<string, Kept>()
  const readSome = async (opened: OpenedImport, importId: string, entity: string): Promise<SourceRecord[]> => {
    const key = `${importId}/${entity}`
    const known = kept.get(key)
    if (known && Date.now() - known.at < keptMs) return known.found
    const found = await readFirst(opened, entity)
    kept.delete(key)
    kept.set(key, { at: Date.now(), found })
    for (const [old, { at }] of kept) {
      if (kept.size > mostKept || Date.now() - at >= keptMs) kept.delete(old)
    }
    return found
  }
  return async ({ importId, entity, changes }) => {
    try {
      const chosen = changes ?? (await findNewest(parts.db, importId)).changes
      const opened = await openImport({ ...parts, signal: AbortSignal.timeout(lookMs) }, importId, chosen)
      try {
        const found = await readSome(opened, importId, entity)
        const wanted = found.filter(({ source }) => isWanted(source, chosen))
        const picked = pickTelling(wanted)
        const sources = picked.map(({ source }) => source)
        const compared = await compareRecords(opened, entity, sources, { isPreview: true })
        const records = compared.map((one, index) => toView(opened, one, picked[index]?.odd ?? []))
        return { samples: await listSamples(opened, entity, found), records }
      } finally {
        await opened.close()
      }
    } catch (error) {
      throw explainFailedLook(error)
    }
  }
}

async function readFirst({ reader }: OpenedImport, entity: string): Promise<SourceRecord[]> {
  let cursor: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const { items, warnings, next }: RecordPage = await reader.read(entity, cursor, {})
    if (items.length > 0) {
      return items.slice(0, keptRecords).map((source) => ({
        source,
        odd: warnings.filter(({ sourceId }) => sourceId === source.sourceId),
      }))
    }
    cursor = next
    if (cursor === null) break
  }
  return []
}

/** Those that together show the most fields. */
function pickTelling(found: readonly SourceRecord[]): SourceRecord[] {
  const filledOf = ({ source }: SourceRecord) =>
    [
      ...Object.entries(source.fields),
      ...Object.entries(source.customFields ?? {}).map(([key, { value }]) => [key, value]),
    ]
      .filter(([, value]) => value !== null && value !== '')
      .map(([name]) => String(name))
  const shown = new Set<string>()
  const picked: SourceRecord[] = []
  while (picked.length < Math.min(shownRecords, found.length)) {
    const gain = (one: SourceRecord) => filledOf(one).filter((name) => !shown.has(name)).length
    const [best] = found.filter((one) => !picked.includes(one)).sort((one, other) => gain(other) - gain(one))
    if (!best) break
    picked.push(best)
    for (const name of filledOf(best)) shown.add(name)
  }
  return picked
}

async function listSamples({ db, importId, family }: OpenedImport, entity: string, found: readonly SourceRecord[]) {
  const definition = entityOf(family, entity)
  const values = found.flatMap(({ source }) => listValues(source, definition))
  const people = values.flatMap(({ value }) => [value].flat().flatMap((one) => (isUser(one) ? [one.userId] : [])))
  const users = await db
    .selectFrom('user_map')
    .select(['source_user_id', 'name'])
    .where('import_id', '=', importId)
    .where('source_user_id', 'in', people.length === 0 ? [''] : [...new Set(people)])
    .execute()
  const names = new Map(users.map(({ source_user_id, name }) => [source_user_id, name]))
  const samples: Record<string, string[]> = {}
  for (const { source, value } of values) {
    const listed = samples[source.name] ?? []
    samples[source.name] = listed
    for (const one of [value].flat() as SingleValue[]) {
      const words = isUser(one) ? (names.get(one.userId) ?? '') : wordsOf(one)
      if (listed.length < shownValues && words !== '' && !listed.includes(words)) listed.push(words)
    }
  }
  return samples
}

/** Empty for another record: its id tells people nothing. */
function wordsOf(value: SingleValue): string {
  if (isRelation(value)) return ''
  const text = isRichText(value) ? plainWords(value.body.slice(0, mostRead)) : (toText(value) ?? '')
  const words = text.slice(0, mostRead).replace(/\s+/g, ' ').trim()
  return words.length > longestShown ? `${cutText(words, longestShown - 1)}…` : words
}
