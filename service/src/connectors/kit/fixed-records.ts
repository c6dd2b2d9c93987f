/**
 * The built-in records of a kind, such as a tool's fixed statuses. Plain data, because it is saved with the account's
 * description.
 */
export interface FixedRecords<Id extends string = string> {
  /** Ids by lower-case name. */
  named: Readonly<Record<string, Id>>
  /** For a record with any other name: ids by the value of this field. */
  field: string
  values: Readonly<Record<string, Id>>
  /** Id for every other record. */
  otherwise: Id
}

/** The id of the built-in record that a source record becomes. */
export function fixedRecordFor<Id extends string>(
  { named, field, values, otherwise }: FixedRecords<Id>,
  name: unknown,
  fields: Record<string, unknown>,
): Id {
  return (
    get(
      named,
      String(name ?? '')
        .trim()
        .toLowerCase(),
    ) ??
    get(values, String(fields[field] ?? '')) ??
    otherwise
  )
}

const get = <Id>(ids: Readonly<Record<string, Id>>, name: string) => (Object.hasOwn(ids, name) ? ids[name] : undefined)
