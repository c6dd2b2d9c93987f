import { sql } from 'kysely'
import type { SentRelation } from '../connectors/contract/contract.ts'
import type { FieldValue, RecordRef, UserRef } from '../families/record.ts'
import type { ComparedField } from './compare-fields.ts'
import { findPlaced } from './find-placed.ts'
import { findPlacedRows, refKey } from './ledger.ts'
import { nameRecord, type RecordName } from './name-record.ts'
import { pagesOf } from './read-by-ids.ts'
import { recordKey } from './record-key.ts'
import type { OpenedImport } from './run-context.ts'

/** The names of the people or records in a field, one for each value; null for other fields, and for unknown ones. */
export interface NamedField extends ComparedField {
  sourceNames: RecordName[] | null
  storedNames: RecordName[] | null
}

/** Records of an entity that are asked for because others refer to them. */
const mostNamed = 100

/** Names people and records that fields refer to, on both sides; a tool that does not answer costs only the names. */
export async function nameValues(parts: OpenedImport, records: readonly ComparedField[][]): Promise<NamedField[][]> {
  const fields = records.flat()
  const refs = fields.flatMap(({ source }) => listOf(source).filter(isRef))
  const [people, accounts, originals, copies] = await Promise.all([
    nameUsers(parts, fields),
    nameAccounts(parts, fields),
    nameOriginals(parts, refs).catch(() => new Map<string, RecordName>()),
    nameCopies(parts, refs).catch(() => new Map<string, RecordName>()),
  ])
  const originalOf = new Map(
    refs.flatMap((ref): [string, RecordName][] => {
      const name = originals.get(refKey(ref))
      return name ? [[recordKey(parts.importId, ref.entity, ref.sourceId), name]] : []
    }),
  )
  const nameless = ({ destinationId }: SentRelation): RecordName => ({ title: '', number: destinationId })
  const sourceName = (value: unknown): RecordName | null => {
    if (isUser(value)) return people.get(value.userId) ?? { title: value.userId, number: null }
    return isRef(value) ? (originals.get(refKey(value)) ?? { title: '', number: value.sourceId }) : null
  }
  const storedName = (value: unknown, isPerson: boolean): RecordName | null => {
    if (isPerson) return accounts.get(String(value)) ?? null
    // A record that is not copied yet has the name of its original.
    return isSent(value) ? (copies.get(value.key) ?? originalOf.get(value.key) ?? nameless(value)) : null
  }
  return records.map((some) =>
    some.map((field) => {
      const isPerson = isUser(listOf(field.source)[0])
      const shown = isPerson ? field.stored : field.sent
      return {
        ...field,
        sourceNames: allOrNone(listOf(field.source).map(sourceName)),
        storedNames: allOrNone(listOf(shown).map((value) => storedName(value, isPerson))),
      }
    }),
  )
}

const listOf = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isRef = (value: unknown): value is RecordRef => isObject(value) && 'sourceId' in value && 'entity' in value
const isUser = (value: unknown): value is UserRef => isObject(value) && 'userId' in value
const isSent = (value: unknown): value is SentRelation => isObject(value) && 'key' in value && 'destinationId' in value

const allOrNone = (names: (RecordName | null)[]): RecordName[] | null =>
  names.length > 0 && names.every((name) => name !== null) ? names : null

async function nameUsers({ db, importId }: OpenedImport, fields: readonly ComparedField[]) {
  const ids = fields.flatMap(({ source }) => listOf(source).flatMap((value) => (isUser(value) ? [value.userId] : [])))
  if (ids.length === 0) return new Map<string, RecordName>()
  const rows = await db
    .selectFrom('user_map')
    .select(['source_user_id', 'name', 'email'])
    .where('import_id', '=', importId)
    .where('source_user_id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ source_user_id, name, email }) => [source_user_id, personName(name, email)]))
}

async function nameAccounts({ db, importId }: OpenedImport, fields: readonly ComparedField[]) {
  const ids = fields.flatMap(({ source, stored }) => (isUser(listOf(source)[0]) ? listOf(stored).map(String) : []))
  if (ids.length === 0) return new Map<string, RecordName>()
  const rows = await db
    .selectFrom('destination_users')
    .select(['user_id', 'name', 'email'])
    .where('import_id', '=', importId)
    .where('user_id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ user_id, name, email }) => [user_id, personName(name, email)]))
}

const personName = (name: string, email: string | null): RecordName => ({ title: name || (email ?? ''), number: null })

async function nameOriginals(
  { reader: { readSome } }: OpenedImport,
  refs: readonly RecordRef[],
): Promise<Map<string, RecordName>> {
  const names = new Map<string, RecordName>()
  for (const [entity, ids] of readSome ? idsByEntity(refs) : [])
    for await (const { items } of pagesOf(async (at) => readSome?.(entity, { ids }, at) ?? { items: [], next: null }))
      for (const record of items) names.set(refKey(record), nameRecord(record.fields as Record<string, FieldValue>))
  return names
}

async function nameCopies(parts: OpenedImport, refs: readonly RecordRef[]): Promise<Map<string, RecordName>> {
  const { db, importId, mapping } = parts
  const names = new Map<string, RecordName>()
  for (const [entity, ids] of idsByEntity(refs)) {
    if (mapping.destination.entities[entity] === undefined) continue
    const place = { importId, entity, after: null, limit: ids.length }
    const isThere = sql`m.source_id = any(${ids}) and m.destination_id is not null`
    const rows = await findPlacedRows(db, place, isThere)
    const foundOf = await findPlaced(parts, entity, rows)
    for (const row of rows) {
      const found = foundOf(row)
      if (found) names.set(recordKey(importId, entity, row.source_id), nameRecord(found.fields))
    }
  }
  return names
}

function idsByEntity(refs: readonly RecordRef[]): [string, string[]][] {
  return [...Map.groupBy(refs, ({ entity }) => entity)].map(([entity, some]) => [
    entity,
    [...new Set(some.map(({ sourceId }) => sourceId))].slice(0, mostNamed),
  ])
}
