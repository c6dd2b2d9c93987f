import { sql } from 'kysely'
import type { RecordWarning, Skipped } from '../connectors/contract/contract.ts'
import type { Tx } from '../db/open-database.ts'
import type { EntityDefinition } from '../families/definition.ts'
import {
  describeWarning,
  isCounted,
  namesAddress,
  readTimes,
  type SkippedKind,
  skippedKinds,
  type WarningCode,
} from '../warnings/codes.ts'

/** The most that the column holds. A source may report any number. */
const mostCounted = 2 ** 31 - 1

/** The warnings of one record, before and after. */
export interface WarnedChange {
  before: readonly WarningCode[] | null | undefined
  after: readonly WarningCode[] | null
}

/** Whether mapping cannot find this warning again: only reading back or an attempt has shown it. */
export const isFoundLater = (code: WarningCode): boolean =>
  ['differs', 'edited', 'refused', 'file_size_differs', 'doubled', 'merged', 'link_not_rewritten'].includes(code) ||
  code.startsWith('lost:')

/** A source's remark on a record, with a number if it concerns several things. */
export function codesOf({ code, count = 1 }: RecordWarning): WarningCode[] {
  return isCounted(code) && Number.isSafeInteger(count) && count > 1 ? [code, `${code}*${count}`] : [code]
}

/** Each code once. */
export const uniteCodes = (...lists: (readonly WarningCode[] | null | undefined)[]): WarningCode[] => [
  ...new Set(lists.flatMap((codes) => codes ?? [])),
]

/** Leaves out the warning about an empty required field, if the mapping has filled the field. */
export function withoutMended<Code extends string>(
  codes: readonly Code[],
  { fields }: EntityDefinition,
  filled: Readonly<Record<string, unknown>>,
): Code[] {
  // Most records have no warning, and every record passes here.
  if (!codes.some((code) => code === 'required_empty')) return [...codes]
  const isEmpty = (name: string) => filled[name] === undefined || filled[name] === null || filled[name] === ''
  const isMended = !Object.entries(fields).some(([name, { required }]) => required && isEmpty(name))
  return codes.filter((code) => code !== 'required_empty' || !isMended)
}

export const orNull = (codes: WarningCode[]): WarningCode[] | null => (codes.length === 0 ? null : codes)

/** Updates the counts of warnings, in the transaction that changes the warnings of the records. */
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
    if (before && before.length > 0) count(before, -1)
    if (after && after.length > 0) count(after, 1)
  }
  for (const [code, by] of [...counts].sort()) {
    if (by > 0) await add(tx, importId, entity, code, by)
    if (by < 0) await takeBack(tx, importId, entity, code, -by)
  }
}

/** Adds warnings that are about no record of the ledger. */
export async function addWarnings(
  tx: Tx,
  importId: string,
  entity: string,
  codes: readonly WarningCode[],
): Promise<void> {
  await countWarned(tx, importId, entity, [{ before: null, after: codes }])
}

/** Sets the warning's count. Repeated calls do not add up. */
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

/** Replaces the counts of records that are not copied. */
export async function tellSkipped(tx: Tx, importId: string, skipped: Skipped): Promise<void> {
  for (const [kind, count] of entriesOf(skipped)) {
    const [entity] = skippedKinds[kind]
    if (count > 0) await warnOfAll(tx, importId, entity, `skipped:${kind}`, count)
    else await dropWarnings(tx, importId, entity, [`skipped:${kind}`])
  }
}

/** Replaces the counts of records that the source withholds, of the entities that are copied. */
export async function tellWithheld(tx: Tx, importId: string, withheld: Record<string, number | null>): Promise<void> {
  for (const [entity, count] of Object.entries(withheld)) {
    if (count === null) await warnOfAll(tx, importId, entity, 'list_withheld', 1)
    else await dropWarnings(tx, importId, entity, ['list_withheld'])
    if (count !== null && count > 0) await warnOfAll(tx, importId, entity, 'withheld_by_source', count)
    else await dropWarnings(tx, importId, entity, ['withheld_by_source'])
  }
}

/** Adds the counts of a page. */
export async function addSkipped(tx: Tx, importId: string, skipped: Skipped): Promise<void> {
  for (const [kind, count] of entriesOf(skipped)) {
    const [entity] = skippedKinds[kind]
    if (count > 0) await add(tx, importId, entity, `skipped:${kind}`, count)
  }
}

const entriesOf = (skipped: Skipped) => Object.entries(skipped) as [SkippedKind, number][]

/** Deletes these warnings of an entity. */
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
