/** The records of a kind that a tool has from the start. Plain data, as it is kept with the description of an account. */
export interface FixedRecords<Id extends string = string> {
  /** Ids by name, without capitals. */
  named: Readonly<Record<string, Id>>
  /** For a record of any other name: ids by the value of this field. */
  field: string
  values: Readonly<Record<string, Id>>
  /** For all the rest. */
  otherwise: Id
}

/** The one that a record becomes. */
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
