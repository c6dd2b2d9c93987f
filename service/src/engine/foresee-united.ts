import { createHash } from 'node:crypto'
import type { DestinationEntity } from '../connectors/contract/contract.ts'
import { fixedRecordFor } from '../connectors/kit/fixed-records.ts'
import type { Db } from '../db/open-database.ts'
import type { PreparedRecord } from './prepare-records.ts'

/** The values by which the destination would unite records; null for a record that stays by itself. */
export function unitedBy(offered: DestinationEntity | undefined, { sending }: PreparedRecord): string | null {
  if (!offered?.unites || !sending || sending.refusal) return null
  const { kind, by, isExact = false, fixed } = offered.unites
  const { fields } = sending.outgoing
  const values = fixed
    ? [fixedRecordFor(fixed, fields[by[0] ?? ''], fields)]
    : by.map((field) => plain(fields[field], isExact))
  return values[0] === ''
    ? null
    : createHash('sha256')
        .update([kind, ...values].join('\0'))
        .digest('hex')
}

/** Names and addresses are compared without spaces around them; people and other records by their keys. */
function plain(value: unknown, isExact: boolean): string {
  if (Array.isArray(value)) return plain(value[0], isExact)
  if (typeof value === 'object' && value !== null) {
    const { address, key, userId } = value as Record<string, unknown>
    return plain(address ?? key ?? userId, isExact)
  }
  if (typeof value !== 'string') return ''
  const text = value.normalize('NFC').replace(/\s+/g, ' ').trim()
  return isExact ? text : text.toLowerCase()
}

/** The keys that the plan has met before, in records of other pages. */
export async function findUnited(
  db: Db,
  importId: string,
  entity: string,
  page: { sourceIds: readonly string[]; keys: readonly string[] },
): Promise<Set<string>> {
  if (page.keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('plan_records')
    .select('united_by')
    .distinct()
    .where('import_id', '=', importId)
    .where('united_by', 'in', [...new Set(page.keys)])
    .where('fate', '=', 'sent')
    .where((on) => on.not(on.and([on('entity', '=', entity), on('source_id', 'in', [...page.sourceIds])])))
    .execute()
  return new Set(rows.flatMap(({ united_by }) => united_by ?? []))
}
