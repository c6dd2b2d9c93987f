import { type RawBuilder, sql } from 'kysely'

/**
 * The rows of an import with one of these values, found by the hash of the value. `offset 0` keeps the import's id out of
 * the inner lookup: of a new import the planner knows nothing, and would rather read all of it by its key. Two values can
 * have one hash, so the values are compared, too.
 */
export const rowsWith = (
  column: 'source_url' | 'destination_id',
  importId: string,
  values: readonly string[],
): RawBuilder<unknown> => sql`(
  select m.* from unnest(${[...new Set(values)]}::text[]) as wanted(value)
  cross join lateral (
    select * from id_map k
    where hashtext(k.import_id) = hashtext(${importId}) and hashtext(${sql.ref(`k.${column}`)}) = hashtext(wanted.value)
    offset 0
  ) m
  where m.import_id = ${importId} and ${sql.ref(`m.${column}`)} = wanted.value)`
