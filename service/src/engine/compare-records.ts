import { sql } from 'kysely'
import type { FoundRecord, StoredContent } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { type ComparedSides, compareFields, judgeRecord, type RecordVerdict, valuesOf } from './compare-fields.ts'
import { findPlaced } from './find-placed.ts'
import { storedContent } from './hash-record.ts'
import { findPlacedRows, findRows, hasComeInside, type PlacedRow, refKey } from './ledger.ts'
import { nameRecord, type RecordName } from './name-record.ts'
import { type NamedField, nameValues } from './name-values.ts'
import { type PreparedSending, prepareRecords } from './prepare-records.ts'
import type { OpenedImport } from './run-context.ts'
import { isLong, withoutRest } from './shorten-content.ts'
import { isFoundLater, uniteCodes } from './warnings.ts'

/** A record of the source beside its copy in the destination. */
export interface ComparedRecord extends RecordName {
  source: FamilyRecord
  verdict: RecordVerdict
  fields: NamedField[]
  mapped: StoredContent | null
  stored: FoundRecord | null
  /** Warnings about this record, except those about fields that the destination lacks. */
  warnings: WarningCode[]
}

/** Compares records of one entity, with few requests to the destination however many there are. */
export async function compareRecords(
  opened: OpenedImport,
  entity: string,
  records: readonly FamilyRecord[],
  { isPreview = false } = {},
): Promise<ComparedRecord[]> {
  if (records.length === 0) return []
  const { db, importId, mapping, family } = opened
  const known = await findRows(db, importId, records)
  const { parent } = entityOf(family, entity)
  // Someone looks at them in a process that answers others meanwhile: it converts no text by itself.
  const options = { known, isLastPass: true, isAhead: known.size === 0, hereMs: 0 }
  const wholes = await prepareRecords(opened, entity, records, options)
  // A long text is converted once, with its record. For the parts, the beginning of a text is enough: it shows the field
  // into which the text goes.
  const shown = records.map((record) => ({ ...record, fields: withoutRest(record.fields), ...customOf(record) }))
  const parts = shown.flatMap((record) => partsOf(record, parent).map((part) => ({ ...part, of: record })))
  const prepared = await prepareRecords(
    opened,
    entity,
    parts.map(({ record }) => record),
    options,
  )
  const rows = await findHeld(opened, entity, records)
  const offered = mapping.destination.entities[entity]
  const there = offered ? [...rows.values()].filter(({ destination_id }) => destination_id !== null) : []
  const foundOf = await findPlaced(opened, entity, there)
  const optionFields = new Set(
    Object.entries(offered?.fields ?? {}).flatMap(([name, { type, options }]) =>
      type === 'option' && options.length > 0 ? [name] : [],
    ),
  )
  const sides: (ComparedSides & { found: FoundRecord | null; mapped: StoredContent | null })[] = []
  for (const [index, source] of shown.entries()) {
    const whole = wholes[index]?.sending ?? null
    const isInside = hasComeInside(known.get(refKey(source)))
    const expected = whole && !whole.refusal ? await storedContent(opened, entity, whole.outgoing, isInside) : null
    const row = rows.get(source.sourceId)
    const found = (row && foundOf(row)) ?? null
    const single = new Map<string, PreparedSending | null>()
    let bare: PreparedSending | null = null
    for (const [at, part] of parts.entries()) {
      if (part.of !== source) continue
      const sending = prepared[at]?.sending ?? null
      if (part.name === null) bare = sending
      else single.set(part.name, sending)
    }
    const version = row?.destination_version ?? null
    tellOfRest(source, whole, single)
    sides.push({
      source,
      changes: mapping.changes,
      optionFields,
      parent,
      whole,
      single,
      bare,
      expected,
      mapped: expected,
      stored: found,
      isPreview,
      found,
      isEdited: found !== null && version !== null && found.version !== version,
      warned: row?.warned ?? [],
    })
  }
  const named = await nameValues(opened, sides.map(compareFields))
  return sides.map(({ source, mapped, found, whole, warned }, index) => {
    const fields = named[index] ?? []
    const later = warned.filter(isFoundLater)
    return {
      ...nameRecord(source.fields),
      source,
      verdict: judgeRecord(fields, found !== null),
      fields,
      mapped,
      stored: found,
      warnings: uniteCodes(whole?.warnings ?? [], later),
    }
  })
}

const customOf = ({ customFields }: FamilyRecord) => customFields && { customFields: withoutRest(customFields) }

/** A warning of the whole record that no field has by itself is about the rest of a long text. */
function tellOfRest(
  source: FamilyRecord,
  whole: PreparedSending | null,
  single: Map<string, PreparedSending | null>,
): void {
  const told = new Set([...single.values()].flatMap((sending) => sending?.warnings ?? []))
  const untold = whole?.warnings.filter((code) => !told.has(code)) ?? []
  for (const { name, value } of valuesOf(source)) {
    const sending = single.get(name)
    if (sending && isLong(value)) single.set(name, { ...sending, warnings: [...sending.warnings, ...untold] })
  }
}

/** The record with only the relation to its parent, and the same with each other field alone. */
function partsOf(record: FamilyRecord, parent: string | undefined): { name: string | null; record: FamilyRecord }[] {
  const { customFields = {}, fields } = record
  const kept = parent === undefined || fields[parent] === undefined ? {} : { [parent]: fields[parent] }
  const bare = { ...record, fields: kept, customFields: {} }
  const single = valuesOf(record)
    .filter(({ name }) => name !== parent)
    .map(({ name, value }) => {
      const key = name.startsWith('custom:') ? name.slice('custom:'.length) : null
      const custom = key === null ? undefined : customFields[key]
      const part = custom
        ? { ...bare, customFields: { [String(key)]: { ...custom, value: withWord(custom.value) } } }
        : { ...bare, fields: { ...kept, [name]: withWord(value) } }
      return { name, record: part }
    })
  return [{ name: null, record: bare }, ...single]
}

/** The beginning of a long text may hold no words, such as a picture. By itself it would then go nowhere. */
function withWord<V>(value: V): V {
  if (!isLong(value) || typeof value !== 'object' || value === null || !('body' in value)) return value
  return { ...value, body: `…\n\n${value.body}` }
}

async function findHeld({ db, importId }: OpenedImport, entity: string, records: readonly FamilyRecord[]) {
  const ids = records.map(({ sourceId }) => sourceId)
  const place = { importId, entity, after: null, limit: ids.length }
  const rows = await findPlacedRows(db, place, sql`m.source_id = any(${ids})`)
  return new Map(rows.map((row): [string, PlacedRow] => [row.source_id, row]))
}
