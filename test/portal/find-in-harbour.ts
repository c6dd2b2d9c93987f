import { recordKey } from '../../service/src/engine/record-key.ts'

export interface HarbourRecord {
  external_id: string
  fields: Record<string, unknown>
  custom_fields?: Record<string, unknown>
  created_at?: string | null
  updated_at?: string | null
}

/** The destination's own answer about these records, by our keys. */
export async function findInHarbour(
  { url, token }: { url: string; token: string },
  importId: string,
  entity: string,
  ids: string[],
): Promise<Map<string, HarbourRecord>> {
  const answer = await fetch(`${url}/records/${entity}/find`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ external_ids: ids.map((id) => recordKey(importId, entity, id)) }),
  })
  const { records } = (await answer.json()) as { records: HarbourRecord[] }
  return new Map(records.map((record) => [record.external_id, record]))
}
