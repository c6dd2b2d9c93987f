import { sql } from 'kysely'
import type { RecordWarning, Skipped } from '../connectors/contract.ts'
import type { Tx } from '../db/open-database.ts'
import type { EntityDefinition } from '../families/definition.ts'
import {
  describeWarning,
  namesAddress,
  readTimes,
  type SkippedKind,
  skippedKinds,
  type WarningCode,
} from '../warnings/codes.ts'

/** As much as the column holds. Sources say anything. */
const mostCounted = 2 ** 31 - 1

/** What one record is warned of, before and after. */
export interface WarnedChange {
  before: readonly WarningCode[] | null | undefined
  after: readonly WarningCode[] | null
}

/** What only reading back, another attempt or the first one has shown; mapping the record again does not tell. */
export const isFoundLater = (code: WarningCode): boolean =>
  ['differs', 'edited', 'refused', 'file_size_differs', 'doubled', 'merged', 'link_not_rewritten'].includes(code) ||
  code.startsWith('lost:')

/** What a source said of a record, with the number where it is about several things. */
export function codesOf({ code, count = 1 }: RecordWarning): WarningCode[] {
  const isSeveral = code === 'truncated_by_source' && Number.isSafeInteger(count) && count > 1
  return isSeveral ? [code, `${code}*${count}`] : [code]
}

/** Each code once. */
export const uniteCodes = (...lists: (readonly WarningCode[] | null | undefined)[]): WarningCode[] => [
  ...new Set(lists.flatMap((codes) => codes ?? [])),
]

/** Without the word that a required field is empty, once the mapping has filled it. */
export function withoutMended<Code extends string>(
  codes: readonly Code[],
  { fields }: EntityDefinition,
  filled: Readonly<Record<string, unknown>>,
): Code[] {
  const isEmpty = (name: string) => filled[name] === undefined || filled[name] === null || filled[name] === ''
  const isMended = !Object.entries(fields).some(([name, { required }]) => required && isEmpty(name))
  return codes.filter((code) => code !== 'required_empty' || !isMended)
}

export const orNull = (codes: WarningCode[]): WarningCode[] | null => (codes.length === 0 ? null : codes)

/** Brings the counts up to date with what the records are warned of now, in the transaction that changes it. */
export async function countWarned(
  tx: Tx,
  importId: string,
  entity: string,
  changes: readonly WarnedChange[],
): Promise<void> {
  const counts = new Map<WarningCode, number>()
  const count = (codes: readonly WarningCode[], by: number) => {
    for (const [code, times] of codes.filter((one) => !namesAddress(one)).map(readTimes)) {
      counts.set(code, (counts.get(code) ?? 0) + by * times)
    }
  }
  for (const { before, after } of changes) {
    count(before ?? [], -1)
    count(after ?? [], 1)
  }
  for (const [code, by] of [...counts].sort()) {
    if (by > 0) await add(tx, importId, entity, code, by)
    if (by < 0) await takeBack(tx, importId, entity, code, -by)
  }
}

/** For what is no record of the ledger. */
export async function addWarnings(
  tx: Tx,
  importId: string,
  entity: string,
  codes: readonly WarningCode[],
): Promise<void> {
  await countWarned(tx, importId, entity, [{ before: null, after: codes }])
}

/** Warns of so many records in all, however often it is said. */
export async function warnOfAll(
  tx: Tx,
  importId: string,
  entity: string,
  code: WarningCode,
  count: number,
): Promise<void> {
  await sql`
    insert into warnings (import_id, code, entity, message, count)
    values (${importId}, ${code}, ${entity}, ${describeWarning(code)}, ${Math.min(count, mostCounted)})
    on conflict (import_id, code, entity) do update set count = excluded.count`.execute(tx)
}

/** Tells anew what the source has and nobody copies. */
export async function tellSkipped(tx: Tx, importId: string, skipped: Skipped): Promise<void> {
  for (const [kind, count] of entriesOf(skipped)) {
    const [entity] = skippedKinds[kind]
    if (count > 0) await warnOfAll(tx, importId, entity, `skipped:${kind}`, count)
    else await dropWarnings(tx, importId, entity, [`skipped:${kind}`])
  }
}

/** Tells anew what the source has and does not hand out, of the entities that are copied. */
export async function tellWithheld(tx: Tx, importId: string, withheld: Record<string, number>): Promise<void> {
  for (const [entity, count] of Object.entries(withheld)) {
    if (count > 0) await warnOfAll(tx, importId, entity, 'withheld_by_source', count)
    else await dropWarnings(tx, importId, entity, ['withheld_by_source'])
  }
}

/** Adds what a page had. */
export async function addSkipped(tx: Tx, importId: string, skipped: Skipped): Promise<void> {
  for (const [kind, count] of entriesOf(skipped)) {
    const [entity] = skippedKinds[kind]
    if (count > 0) await add(tx, importId, entity, `skipped:${kind}`, count)
  }
}

const entriesOf = (skipped: Skipped) => Object.entries(skipped) as [SkippedKind, number][]

/** These are over for all records of an entity. */
export async function dropWarnings(
  tx: Tx,
  importId: string,
  entity: string,
  codes: readonly WarningCode[],
): Promise<void> {
  await tx
    .deleteFrom('warnings')
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('code', 'in', [...codes])
    .execute()
}

async function add(tx: Tx, importId: string, entity: string, code: WarningCode, count: number): Promise<void> {
  await sql`
    insert into warnings as w (import_id, code, entity, message, count)
    values (${importId}, ${code}, ${entity}, ${describeWarning(code)}, ${Math.min(count, mostCounted)})
    on conflict (import_id, code, entity)
      do update set count = least(w.count::bigint + excluded.count, ${mostCounted})`.execute(tx)
}

async function takeBack(tx: Tx, importId: string, entity: string, code: WarningCode, by: number): Promise<void> {
  const count = Math.min(by, mostCounted)
  await sql`
    with gone as (
      delete from warnings
      where import_id = ${importId} and entity = ${entity} and code = ${code} and count <= ${count}
    )
    update warnings set count = count - ${count}
    where import_id = ${importId} and entity = ${entity} and code = ${code} and count > ${count}`.execute(tx)
}
