import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'

/** What one record is warned of, before and after. */
export interface WarnedChange {
  before: readonly string[] | null | undefined
  after: readonly string[] | null
}

/** What only reading back or another attempt has shown; mapping the record again does not tell. */
export const isFoundLater = (code: string): boolean =>
  ['differs', 'edited', 'refused', 'file_size_differs', 'doubled'].includes(code) || code.startsWith('lost:')

export const orNull = (codes: string[]): string[] | null => (codes.length === 0 ? null : codes)

/** Brings the counts up to date with what the records are warned of now, in the transaction that changes it. */
export async function countWarned(
  tx: Tx,
  importId: string,
  entity: string,
  changes: readonly WarnedChange[],
): Promise<void> {
  const counts = new Map<string, number>()
  const count = (codes: readonly string[], by: number) => {
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + by)
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
export async function addWarnings(tx: Tx, importId: string, entity: string, codes: readonly string[]): Promise<void> {
  await countWarned(tx, importId, entity, [{ before: null, after: codes }])
}

/** Warns of so many records in all, however often it is said. */
export async function warnOfAll(tx: Tx, importId: string, entity: string, code: string, count: number): Promise<void> {
  await sql`
    insert into warnings (import_id, code, entity, message, count)
    values (${importId}, ${code}, ${entity}, ${describeWarning(code)}, ${count})
    on conflict (import_id, code, entity) do update set count = excluded.count`.execute(tx)
}

/** These are over for all records of an entity. */
export async function dropWarnings(tx: Tx, importId: string, entity: string, codes: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('warnings')
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('code', 'in', [...codes])
    .execute()
}

async function add(tx: Tx, importId: string, entity: string, code: string, count: number): Promise<void> {
  await sql`
    insert into warnings as w (import_id, code, entity, message, count)
    values (${importId}, ${code}, ${entity}, ${describeWarning(code)}, ${count})
    on conflict (import_id, code, entity) do update set count = w.count + excluded.count`.execute(tx)
}

async function takeBack(tx: Tx, importId: string, entity: string, code: string, count: number): Promise<void> {
  await sql`
    with gone as (
      delete from warnings
      where import_id = ${importId} and entity = ${entity} and code = ${code} and count <= ${count}
    )
    update warnings set count = count - ${count}
    where import_id = ${importId} and entity = ${entity} and code = ${code} and count > ${count}`.execute(tx)
}

const sentences: Record<string, string> = {
  kept: 'Some records were not removed. The report says why.',
  unknown: 'It could not be found out whether some records arrived. They were not sent again; please look for them.',
  differs: 'Some records are not in the destination as they were sent. The report names them.',
  deleted: 'Someone deleted these records in the destination after they were written. They stay deleted.',
  doubled: 'These records are in the destination more than once: it did not let us remove the other one.',
  vanished: 'These records vanished from the source before they were copied. They are not in the destination.',
  fewer_than_counted: 'The source counted more records than it handed out.',
  source_page_skipped: 'The source failed to hand out some records, again and again. They were skipped.',
  source_rest_skipped: 'The source failed to hand out a page of records. Neither it nor anything after it was read.',
  entity_not_taken: 'The destination does not take these records at all.',
  field_unreadable: 'Some fields of the source hold something unexpected and were left out.',
  value_unreadable:
    'Some values cannot be read as what their column holds, such as a day that does not exist. They were left out.',
  duplicate_id: 'Several rows have the same id. Each became a record of its own.',
  row_skipped: 'Some rows of the files cannot be read. They were left out.',
  required_empty: 'Some records of the source lack a field that they should have.',
  value_does_not_fit: 'Some values do not fit the field of the destination and were left empty.',
  refused: 'The destination refused some records. Their reasons are in the report.',
  held: 'Some records wait for a record they belong to, which is not in the destination.',
  edited: 'Some records were changed in the destination since they were written. They were left as they are there.',
  file_size_differs: 'Some files came with another length than the source says. Please compare them.',
  file_too_large: 'Some files are larger than the destination takes and were left out.',
  user_not_matched: 'Some people of the source have no account in the destination, so they are not named there.',
  user_replaced:
    'Some people of the source have no account in the destination. The person you chose stands in for them.',
  option_not_offered: 'Some choices do not exist in the destination and were left empty.',
  relation_lost: 'Some links between records were left out because the other record was not taken along.',
  only_first_kept: 'The destination takes one value where the source has several; the first was kept.',
  text_cut: 'Some texts are longer than the destination takes and were cut.',
  text_too_complex: 'Some texts took too long to convert. Their words arrived as plain text, without formatting.',
  link_not_rewritten:
    'Some links in texts still lead to the source: what they lead to came later, and the destination cannot change a text.',
}

/** What a destination would not take of a record that it took. */
const losses: Record<string, string> = {
  address_refused: 'The destination does not accept some e-mail addresses; these people came without.',
  assignee_refused: 'The destination does not let some people be responsible for records.',
  author_not_kept: 'Some texts stand under another name in the destination; a line in them says who wrote them.',
  custom_value_refused: 'The destination did not accept some values of custom fields.',
  milestone_refused: 'The destination did not accept some milestones.',
  moment_not_kept: 'The destination cannot keep some moments, such as those before 1970.',
  parent_refused: 'The destination did not let some records hang below another.',
  relation_refused: 'The destination did not accept some links between records.',
  status_refused: 'The destination did not accept the status of some records.',
  watcher_refused: 'The destination does not let some people follow records.',
}

function describeWarning(code: string): string {
  const [kind = '', name] = code.split(':')
  if (kind === 'field_not_taken') return `The destination has no field for "${name}".`
  if (kind === 'lost') return losses[String(name)] ?? `The destination did not take all of some records (${name}).`
  if (kind === 'custom_field_not_taken') return `The destination has no field for the custom field "${name}".`
  return (
    sentences[kind] ?? `Some texts lost part of their formatting (${kind.replace(/^text_/, '').replaceAll('_', ' ')}).`
  )
}
