import { createHash } from 'node:crypto'
import type { DestinationEntity } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import type { PreparedRecord } from './prepare-records.ts'

/** By what the destination would make one record of several; null for one that stands for itself. */
export function unitedBy(offered: DestinationEntity | undefined, { sending }: PreparedRecord): string | null {
  if (!offered?.unites || !sending || sending.refusal) return null
  const { kind, by } = offered.unites
  const value = plain(sending.outgoing.fields[by])
  return value === '' ? null : createHash('sha256').update(`${kind}\0${value}`).digest('hex')
}

/** Names and addresses are compared without capitals and spaces around them. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return plain(value[0])
  if (typeof value === 'object' && value !== null && 'address' in value) return plain(value.address)
  return typeof value === 'string' ? value.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase() : ''
}

/** Which of these the plan has met before, in other records than those of this page. */
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
