import type { DestinationDescription, RecordPage, RecordWarning, StoredContent } from '../connectors/contract.ts'
import { isAddressRefusal, ObstacleError, RequestError, RetryableError, ValidationError } from '../errors.ts'
import type { FieldType } from '../families/definition.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { MappingChanges } from '../mapping/changes.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { isAboutField, type WarningCode } from '../warnings/codes.ts'
import { listDifferences, storedContent } from './hash-record.ts'
import { findPlacedRows, findRows, soughtRecord } from './ledger.ts'
import { type OpenRunParts, openImport } from './open-run.ts'
import { prepareRecords } from './prepare-records.ts'
import type { MappingParts } from './run-context.ts'
import { isFoundLater, uniteCodes } from './warnings.ts'

export interface RecordQuestion {
  importId: string
  entity: string
  /** Null for any record that there is. */
  sourceId: string | null
  /** A mapping that is only tried; null for the newest that was saved. */
  changes: MappingChanges | null
}

/** One record three times: in the source, as it is mapped, and as the destination has it now. */
export interface RecordView {
  source: FamilyRecord
  mapped: StoredContent | null
  /** Codes of everything that the customer is warned of because of this record. */
  warnings: WarningCode[]
  /** What the source said about it, in words. */
  notes: string[]
  /** Null when it is not there. */
  stored: (StoredContent & { url: string | null }) | null
  differences: string[]
  /** Fields that are HTML in the destination; custom ones begin with `custom:`. All others are what they look like. */
  htmlFields: string[]
}

const lookMs = 20_000

export type ViewRecord = (question: RecordQuestion) => Promise<RecordView>

export function createViewRecord(parts: Omit<OpenRunParts, 'signal'>): ViewRecord {
  return async ({ importId, entity, sourceId, changes }) => {
    try {
      const chosen = changes ?? (await findNewest(parts.db, importId)).changes
      const opened = await openImport({ ...parts, signal: AbortSignal.timeout(lookMs) }, importId, chosen)
      try {
        const found = await readOne(opened, entity, sourceId)
        if (!found) throw new RequestError('not_found', 'The source has no such record any more.')
        return await view(opened, found)
      } finally {
        await opened.close()
      }
    } catch (error) {
      throw explain(error)
    }
  }
}

interface FoundRecord {
  source: FamilyRecord
  /** What the source said about this very record when it handed it out. */
  odd: RecordWarning[]
}

async function readOne({ reader }: MappingParts, entity: string, sourceId: string | null): Promise<FoundRecord | null> {
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

async function view(opened: MappingParts, { source, odd }: FoundRecord): Promise<RecordView> {
  const { db, importId, writer, mapping } = opened
  const { entity } = source
  const known = await findRows(db, importId, [source])
  const isAhead = known.size === 0
  // Someone looks at a single record, in a process that answers others meanwhile: it converts nothing by itself.
  const options = { known, isLastPass: true, isAhead, hereMs: 0 }
  const [prepared] = await prepareRecords(opened, entity, [source], options)
  const sending = prepared?.sending ?? null
  const mapped = sending && !sending.refusal ? await storedContent(opened, entity, sending.outgoing) : null
  const [row] = await findPlacedRows(db, { importId, entity, sourceId: source.sourceId })
  const isThere = row?.destination_id != null && mapping.destination.entities[entity] !== undefined
  const [stored] = isThere ? await writer.find(entity, [soughtRecord(importId, entity, row)]) : []
  const foundLater = (row?.warned ?? []).filter(isFoundLater)
  return {
    source: { ...source, fields: shorten(source.fields), customFields: shorten(source.customFields ?? {}) },
    mapped: mapped && shortenContent(mapped),
    warnings: uniteCodes(
      sending?.warnings.filter((code) => !isAboutField(code)),
      odd.map(({ code }) => code),
      foundLater,
    ),
    notes: odd.map(({ message }) => message),
    stored: stored ? { ...stored, ...shortenContent(stored) } : null,
    differences: mapped && stored ? listDifferences(mapped, stored) : [],
    htmlFields: listHtmlFields(mapping.destination, source),
  }
}

/** People look at this. More than anyone reads is left out, so that it needs not be sent to their browser. */
const longestShown = 100_000

const shortenContent = (content: StoredContent): StoredContent => ({
  ...content,
  fields: shorten(content.fields),
  customFields: shorten(content.customFields),
})

/** The same, with long texts cut. */
function shorten<T>(value: T): T {
  if (typeof value === 'string') return (value.length > longestShown ? `${value.slice(0, longestShown)}…` : value) as T
  if (Array.isArray(value)) return value.map(shorten) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shorten(entry)])) as T
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

/** For someone who waits for an answer: what could not be looked at, and what to do about it. */
function explain(error: unknown): unknown {
  if (isAddressRefusal(error)) {
    const message = 'could not be looked at: the address of a tool is not allowed any more. Please connect it again.'
    return new ValidationError({ record: [message] })
  }
  if (error instanceof ObstacleError) return new ValidationError({ record: [error.message] })
  if (error instanceof RetryableError || isTimeout(error)) {
    return new ValidationError({ record: ['could not be looked at: a tool does not answer. Please try again.'] })
  }
  return error
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
