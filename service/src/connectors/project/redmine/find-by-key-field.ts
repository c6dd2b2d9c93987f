import { ObstacleError } from '../../../errors.ts'
import type { SoughtRecord } from '../../contract/contract.ts'
import { keyFieldName, keyFieldOf } from './custom-fields.ts'
import { issueParts, type Raw } from './schema.ts'
import type { Writing } from './writing.ts'

const kinds = {
  issue: { customized: 'issue', query: { status_id: '*', sort: 'id' }, include: { include: issueParts } },
  timeEntry: { customized: 'time_entry', query: {}, include: {} },
} as const

/**
 * Finds records by key, and by known id if people emptied the key field. A key can give several records, because
 * Redmine does not keep the field unique.
 */
export async function findByKeyField<K extends keyof typeof kinds>(
  { api, vocabulary }: Writing,
  kind: K,
  records: readonly SoughtRecord[],
): Promise<{ key: string; raw: Raw<K> }[]> {
  if (records.length === 0) return []
  const { customized, query, include } = kinds[kind]
  const keyField = keyFieldOf(vocabulary.fields, customized)
  if (!keyField?.isFilter) {
    // Redmine ignores an unknown filter and would return all records.
    throw new ObstacleError(
      'key_field_missing',
      'customer',
      `The custom field "${keyFieldName}" is missing in Redmine or not used as a filter. Please restore it.`,
    )
  }
  const keys = records.map(({ key }) => key)
  const listed = await api.all(kind, { ...query, [`cf_${keyField.id}`]: keys.join('|') })
  const byId = new Map<number, string>()
  for (const { id, custom_fields } of listed as Raw<'issue'>[]) {
    const key = custom_fields?.find((custom) => custom.id === keyField.id)?.value
    if (typeof key === 'string' && keys.includes(key)) byId.set(id, key)
  }
  for (const { key, destinationId } of records) {
    if (destinationId !== null && /^\d+$/.test(destinationId) && !byId.has(Number(destinationId))) {
      byId.set(Number(destinationId), key)
    }
  }
  const found = []
  for (const [id, key] of byId) {
    const raw = await api.one(kind, id, include)
    if (raw !== null) found.push({ key, raw })
  }
  return found
}
