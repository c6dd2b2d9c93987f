import type { SideRecords } from '../contract/contract.ts'
import type { RawRecord } from './lens.ts'

/**
 * Completes the notes about custom fields that we made and whose answers were lost. Without the id, such a field would
 * count as one of the customer. Returns the fields.
 */
export async function adoptFields(
  sides: SideRecords | undefined,
  kind: string,
  fields: RawRecord[],
  markOf: (field: RawRecord) => string,
): Promise<RawRecord[]> {
  const open = ((await sides?.list(kind)) ?? []).filter(({ destinationId }) => destinationId === null)
  for (const side of open) {
    const made = fields.find((field) => markOf(field) === side.mark)
    if (made) await sides?.note({ ...side, destinationId: String(made.id) })
  }
  return fields
}
