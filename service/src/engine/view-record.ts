import type { StoredContent } from '../connectors/contract.ts'
import { AddressNotAllowedError, ObstacleError, RequestError, RetryableError, ValidationError } from '../errors.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { MappingChanges } from '../mapping/changes.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { listDifferences, storedContent } from './hash-record.ts'
import { findPlacedRows, findRows, soughtRecord } from './ledger.ts'
import { type OpenRunParts, openImport } from './open-run.ts'
import { prepareRecords } from './prepare-records.ts'
import type { MappingParts } from './run-context.ts'

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
  warnings: string[]
  /** Null when it is not there. */
  stored: (StoredContent & { url: string | null }) | null
  differences: string[]
}

const lookMs = 20_000

export type ViewRecord = (question: RecordQuestion) => Promise<RecordView>

export function createViewRecord(parts: Omit<OpenRunParts, 'signal'>): ViewRecord {
  return async ({ importId, entity, sourceId, changes }) => {
    try {
      const chosen = changes ?? (await findNewest(parts.db, importId)).changes
      const opened = await openImport({ ...parts, signal: AbortSignal.timeout(lookMs) }, importId, chosen)
      try {
        const source = await readOne(opened, entity, sourceId)
        if (!source) throw new RequestError('not_found', 'The source has no such record any more.')
        return await view(opened, source)
      } finally {
        await opened.close()
      }
    } catch (error) {
      throw explain(error)
    }
  }
}

async function readOne(
  { reader }: MappingParts,
  entity: string,
  sourceId: string | null,
): Promise<FamilyRecord | null> {
  if (sourceId === null) return (await reader.read(entity, null, {})).items[0] ?? null
  if (reader.readSome) return (await reader.readSome(entity, { ids: [sourceId] }, null)).items[0] ?? null
  let cursor: string | null = null
  do {
    const page = await reader.read(entity, cursor, {})
    const found = page.items.find((record) => record.sourceId === sourceId)
    if (found) return found
    cursor = page.next
  } while (cursor !== null)
  return null
}

async function view(opened: MappingParts, source: FamilyRecord): Promise<RecordView> {
  const { db, importId, writer, mapping } = opened
  const { entity } = source
  const known = await findRows(db, importId, [source])
  const isAhead = known.size === 0
  const [prepared] = await prepareRecords(opened, entity, [source], { known, isLastPass: true, isAhead })
  const sending = prepared?.sending ?? null
  const mapped = sending && (await storedContent(opened, entity, sending.outgoing))
  const [row] = await findPlacedRows(db, { importId, entity, sourceId: source.sourceId })
  const isThere = row?.destination_id != null && mapping.destination.entities[entity] !== undefined
  const [stored] = isThere ? await writer.find(entity, [soughtRecord(importId, entity, row)]) : []
  return {
    source: { ...source, fields: shorten(source.fields), customFields: shorten(source.customFields ?? {}) },
    mapped: mapped && shortenContent(mapped),
    warnings: sending?.warnings ?? [],
    stored: stored ? { ...stored, ...shortenContent(stored) } : null,
    differences: mapped && stored ? listDifferences(mapped, stored) : [],
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

/** For someone who waits for an answer: what could not be looked at, and what to do about it. */
function explain(error: unknown): unknown {
  if (error instanceof ObstacleError) return new ValidationError({ record: [error.message] })
  if (error instanceof RetryableError || error instanceof AddressNotAllowedError || isTimeout(error)) {
    return new ValidationError({ record: ['could not be looked at: a tool does not answer. Please try again.'] })
  }
  return error
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
