import type {
  DestinationDescription,
  RecordPage,
  RecordWarning,
  StoredContent,
} from '../connectors/contract/contract.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import {
  BudgetSpentError,
  isAddressRefusal,
  ObstacleError,
  RequestError,
  RetryableError,
  ValidationError,
} from '../errors.ts'
import type { FieldType } from '../families/definition.ts'
import { familyDefinitions } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { findChanges, findNewest } from '../mapping/save-changes.ts'
import { isAboutField, type WarningCode } from '../warnings/codes.ts'
import type { RecordVerdict } from './compare-fields.ts'
import { type ComparedRecord, compareRecords } from './compare-records.ts'
import { createFindNamed, type NamedRecords } from './find-named.ts'
import { listDifferences } from './hash-record.ts'
import { readInTurn } from './large-pages.ts'
import { refKey } from './ledger.ts'
import type { RecordName } from './name-record.ts'
import type { NamedField } from './name-values.ts'
import { type OpenRunParts, openImport } from './open-run.ts'
import type { OpenedImport } from './run-context.ts'
import { shorten, shortenContent } from './shorten-content.ts'
import { codesOf, uniteCodes } from './warnings.ts'

export interface RecordQuestion {
  importId: string
  entity: string
  /** Null for any record that there is. */
  sourceId: string | null
  /** A mapping that is only tried; null for the newest that was saved. */
  changes: MappingChanges | null
}

/** One record three times: in the source, as it is mapped, and as the destination has it now; and field by field. */
export interface RecordView extends RecordName {
  source: FamilyRecord
  verdict: RecordVerdict
  compared: NamedField[]
  mapped: StoredContent | null
  /** Codes of everything that the customer is warned of because of this record. */
  warnings: WarningCode[]
  /** Notes of the source about the record, in words. */
  notes: string[]
  /** Null if the destination does not have the record. */
  stored: (StoredContent & { url: string | null }) | null
  differences: string[]
  /** Fields that are HTML in the destination; custom ones begin with `custom:`. All others are plain text. */
  htmlFields: string[]
}

/** Long texts wait for their turn, so this is more than a tool alone may take. */
export const lookMs = 60_000
/** Records of an entity that are shown below another one. */
const mostBelow = 100

export type ViewRecord = (question: RecordQuestion) => Promise<RecordView>

export interface ListedRecord {
  entity: string
  source_id: string
}

export interface ListedComparison extends RecordName {
  verdict: RecordVerdict
  /** Fields that are not the same, by name. */
  fields: string[]
}

/** The children of a record, in the order of the source. */
export interface RecordThread {
  records: RecordView[]
  /** False when there is more than is shown. */
  isWhole: boolean
}

export interface RecordViews {
  viewRecord: ViewRecord
  /** By `entity/source id`; without those that the source does not have any more. */
  compareListed(importId: string, records: readonly ListedRecord[]): Promise<ReadonlyMap<string, ListedComparison>>
  viewThread(importId: string, record: { entity: string; sourceId: string }): Promise<RecordThread>
  /** By the number or title that people see. */
  findNamed(importId: string, sought: string): Promise<NamedRecords>
}

export function createRecordViews(parts: Omit<OpenRunParts, 'signal'>): RecordViews {
  const { db } = parts
  const findNamed = createFindNamed(parts)
  const within = async <T>(
    importId: string,
    changes: MappingChanges | null,
    look: (opened: OpenedImport) => Promise<T>,
  ) => {
    try {
      const chosen = changes ?? (await findUsedChanges(db, importId))
      const opened = await openImport({ ...parts, signal: AbortSignal.timeout(lookMs) }, importId, chosen)
      try {
        return await look(opened)
      } finally {
        await opened.close()
      }
    } catch (error) {
      throw explainFailedLook(error)
    }
  }
  return {
    viewRecord: ({ importId, entity, sourceId, changes }) =>
      within(importId, changes, async (opened) => {
        const { page, endTurn } = await readInTurn(async () => {
          const found =
            (await readOne(opened, entity, sourceId)) ?? (sourceId && (await readNamed(opened, entity, sourceId)))
          return { items: found ? [found.source] : [], odd: found ? found.odd : [] }
        }, AbortSignal.timeout(lookMs))
        try {
          const [compared] = await compareRecords(opened, entity, page.items, { isPreview: changes !== null })
          if (!compared) throw new RequestError('not_found', 'The source no longer has this record.')
          return toView(opened, compared, page.odd)
        } finally {
          endTurn?.()
        }
      }),
    compareListed: (importId, records) =>
      within(importId, null, async (opened) => {
        const listed = new Map<string, ListedComparison>()
        for (const [entity, some] of Map.groupBy(records, (record) => record.entity)) {
          const ids = some.map(({ source_id }) => source_id)
          for (const one of await compareRecords(opened, entity, await readAll(opened, entity, ids))) {
            const different = one.fields.filter(({ verdict }) => verdict === 'lost' || verdict === 'changed')
            listed.set(refKey(one.source), {
              title: one.title,
              number: one.number,
              verdict: one.verdict,
              fields: different.map(({ name }) => name),
            })
          }
        }
        return listed
      }),
    viewThread: (importId, record) => within(importId, null, (opened) => readThread(opened, record)),
    findNamed: (importId, sought) =>
      findNamed(importId, sought).catch((error: unknown) => {
        throw explainFailedLook(error)
      }),
  }
}

/** The mapping of the last run that wrote something; before the first, the newest. */
async function findUsedChanges(db: Db, importId: string): Promise<MappingChanges> {
  const run = await db
    .selectFrom('runs')
    .select('mapping_version')
    .where('import_id', '=', importId)
    .where('kind', 'in', ['sample', 'full', 'delta', 'retry'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run ? findChanges(db, importId, run.mapping_version) : (await findNewest(db, importId)).changes
}

async function readThread(opened: OpenedImport, record: { entity: string; sourceId: string }): Promise<RecordThread> {
  const { reader, family, mapping } = opened
  const { readSome } = reader
  const below: ComparedRecord[] = []
  let isWhole = readSome !== undefined
  let parents = [record]
  // Files belong to comments, and comments to a ticket.
  for (let depth = 0; depth < 2 && parents.length > 0 && readSome; depth++) {
    const found: FamilyRecord[] = []
    for (const { name, parent, fields } of familyDefinitions[family].entities) {
      const above = parents.filter(({ entity }) => parent !== undefined && fields[parent]?.to?.includes(entity))
      if (above.length === 0) continue
      const page = await readSome(name, { parents: above }, null)
      if (page.next !== null || page.items.length > mostBelow) isWhole = false
      const items = page.items.slice(0, mostBelow)
      found.push(...items)
      if (mapping.destination.entities[name]) below.push(...(await compareRecords(opened, name, items)))
    }
    parents = found
  }
  return { records: below.map((one) => toView(opened, one, [])), isWhole }
}

/** Records of one entity by their ids; where single ones cannot be asked for, everything is read until all are met. */
async function readAll({ reader }: OpenedImport, entity: string, ids: string[]): Promise<FamilyRecord[]> {
  const wanted = new Set(ids)
  const found: FamilyRecord[] = []
  let cursor: string | null = null
  do {
    const page: RecordPage = reader.readSome
      ? await reader.readSome(entity, { ids }, cursor)
      : await reader.read(entity, cursor, {})
    found.push(...page.items.filter(({ sourceId }) => wanted.has(sourceId)))
    cursor = page.next
  } while (cursor !== null && found.length < wanted.size)
  return found
}

export interface SourceRecord {
  source: FamilyRecord
  /** Warnings of the source about this record. */
  odd: RecordWarning[]
}

async function readOne(
  { reader }: OpenedImport,
  entity: string,
  sourceId: string | null,
): Promise<SourceRecord | null> {
  const isSought = (record: FamilyRecord) => sourceId === null || record.sourceId === sourceId
  let cursor: string | null = null
  do {
    const page: RecordPage =
      sourceId !== null && reader.readSome
        ? await reader.readSome(entity, { ids: [sourceId] }, cursor)
        : await reader.read(entity, cursor, {})
    const source = page.items.find(isSought)
    if (source) return { source, odd: page.warnings.filter((warning) => warning.sourceId === source.sourceId) }
    cursor = page.next
  } while (cursor !== null)
  return null
}

/** People know a record by its number or title: a look through the first pages finds it so. */
async function readNamed({ reader }: OpenedImport, entity: string, given: string): Promise<SourceRecord | null> {
  const sought = given.trim().replace(/^#/, '').toLowerCase()
  const isSought = ({ fields }: FamilyRecord) =>
    naming.some((name) => String(fields[name] ?? '').toLowerCase() === sought)
  let cursor: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const page: RecordPage = await reader.read(entity, cursor, {})
    const source = page.items.find(isSought)
    if (source) return { source, odd: page.warnings.filter((warning) => warning.sourceId === source.sourceId) }
    cursor = page.next
    if (cursor === null) return null
  }
  return null
}

const naming = ['number', 'key', 'subject', 'title', 'name', 'file_name', 'email']
const mostPages = 20

export function toView(
  { mapping }: OpenedImport,
  { source, mapped, stored, fields, warnings, title, number, verdict }: ComparedRecord,
  odd: RecordWarning[],
): RecordView {
  return {
    title,
    number,
    verdict,
    compared: fields.map((field) => ({ ...field, source: shorten(field.source), stored: shorten(field.stored) })),
    source: { ...source, fields: shorten(source.fields), customFields: shorten(source.customFields ?? {}) },
    mapped: mapped && shortenContent(mapped),
    warnings: uniteCodes(
      warnings.filter((code) => !isAboutField(code)),
      odd.flatMap(codesOf),
    ),
    notes: odd.map(({ message }) => message),
    stored: stored ? { ...stored, ...shortenContent(stored) } : null,
    differences: mapped && stored ? listDifferences(mapped, stored) : [],
    htmlFields: listHtmlFields(mapping.destination, source),
  }
}

function listHtmlFields({ textFormat, entities }: DestinationDescription, source: FamilyRecord): string[] {
  const described = entities[source.entity]
  if (textFormat !== 'html' || !described) return []
  const isRich = ({ type }: { type: FieldType }) => type === 'rich_text'
  const namesOf = (fields: Record<string, { type: FieldType }>) =>
    Object.keys(fields).filter((name) => fields[name] && isRich(fields[name]))
  const custom =
    described.customFields === 'any'
      ? namesOf(source.customFields ?? {})
      : described.customFields.filter(isRich).map(({ key }) => key)
  return [...namesOf(described.fields), ...custom.map((key) => `custom:${key}`)]
}

/** Turns an error of a tool into an answer for the person who looks at a record, with the next step. */
export function explainFailedLook(error: unknown): unknown {
  if (isAddressRefusal(error)) {
    const message = 'could not be read: the address of a tool is no longer allowed. Please connect it again.'
    return new ValidationError({ record: [message] })
  }
  if (error instanceof ObstacleError) return new ValidationError({ record: [error.message] })
  if (error instanceof BudgetSpentError) {
    const message = 'could not be read: a tool allows no more requests for now. Please try again later.'
    return new ValidationError({ record: [message] })
  }
  if (error instanceof RetryableError) {
    return new ValidationError({ record: ['could not be read: a tool does not answer. Please try again.'] })
  }
  if (isTimeout(error)) {
    const message = 'could not be read within a minute: a tool or this service is busy. Please try again.'
    return new ValidationError({ record: [message] })
  }
  return error
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
