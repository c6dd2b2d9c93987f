import { ObstacleError } from '../../../errors.ts'
import type { SoughtRecord } from '../../contract/contract.ts'
import { largestPage } from './api.ts'
import { keyFieldName, keyFieldOf } from './custom-fields.ts'
import { take } from './schema.ts'
import type { Writing } from './writing.ts'

const kinds = {
  issue: {
    list: '/issues.json',
    name: 'issues',
    one: 'issues',
    wrap: 'issue',
    query: { status_id: '*', sort: 'id' },
    include: { include: 'journals,attachments,relations,watchers,children' },
  },
  time_entry: {
    list: '/time_entries.json',
    name: 'time_entries',
    one: 'time_entries',
    wrap: 'time_entry',
    query: {},
    include: {},
  },
} as const

/**
 * Everything that carries one of the keys, and what is known by its id even if someone emptied the field. Doubles come
 * out as such: Redmine does not keep the field unique.
 */
export async function findByKeyField(
  { api, vocabulary }: Writing,
  kind: keyof typeof kinds,
  records: readonly SoughtRecord[],
): Promise<{ key: string; given: unknown }[]> {
  if (records.length === 0) return []
  const { list, name, one, wrap, query, include } = kinds[kind]
  const keyField = keyFieldOf(vocabulary.fields, kind)
  if (!keyField?.isFilter) {
    // A filter that Redmine does not know is ignored: it would answer with everything there is.
    throw new ObstacleError(
      'key_field_missing',
      'customer',
      `The custom field "${keyFieldName}" is missing in Redmine or not used as a filter. Please make it so again.`,
    )
  }
  const keys = records.map(({ key }) => key)
  const listed = await api.listAll(list, name, { ...query, [`cf_${keyField.id}`]: keys.join('|'), limit: largestPage })
  const byId = new Map<number, string>()
  for (const item of listed) {
    const { id, custom_fields } = take(kind === 'issue' ? 'issue' : 'timeEntry', item)
    const key = custom_fields?.find((custom) => custom.id === keyField.id)?.value
    if (typeof key === 'string' && keys.includes(key)) byId.set(id, key)
  }
  for (const { key, destinationId } of records) {
    if (destinationId !== null && /^\d+$/.test(destinationId) && !byId.has(Number(destinationId))) {
      byId.set(Number(destinationId), key)
    }
  }
  const found: { key: string; given: unknown }[] = []
  for (const [id, key] of byId) {
    const given = await api.find(`/${one}/${id}.json`, wrap, include)
    if (given !== null) found.push({ key, given })
  }
  return found
}
