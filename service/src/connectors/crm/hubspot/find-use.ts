import type { HubspotApi, ObjectType } from './api.ts'
import { keyName } from './own-properties.ts'

const activities = ['notes', 'calls', 'meetings', 'tasks', 'emails'] as const
/** The records that HubSpot shows at a record, or that name it. They lose it when it is deleted. */
const linkedTo: Partial<Record<ObjectType, readonly ObjectType[]>> = {
  companies: [...activities, 'companies', 'contacts', 'deals', 'tickets'],
  contacts: [...activities, 'deals', 'tickets'],
  deals: activities,
  tickets: activities,
}
/** HubSpot's number for the link from a company to those below it. */
const childCompany = 13

/**
 * Why these records have to stay: people linked records of their own to them. HubSpot deletes notes and other activities
 * together with the last record that they are linked to. All records of ours have our key.
 */
export async function findUse(
  api: HubspotApi,
  type: ObjectType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const counts = new Map<string, number>()
  for (const other of ids.length === 0 ? [] : (linkedTo[type] ?? [])) {
    const linked = await api.linked(type, other, ids, other === 'companies' ? childCompany : undefined)
    const all = await api.byIds(other, [keyName], [...linked.values()].flat())
    const theirs = new Set(all.flatMap(({ id, properties }) => (properties[keyName] ? [] : id)))
    for (const [id, targets] of linked) {
      const count = targets.filter((target) => theirs.has(target)).length
      if (count > 0) counts.set(id, (counts.get(id) ?? 0) + count)
    }
  }
  return new Map([...counts].map(([id, count]) => [id, `Records of their own that people linked to it: ${count}.`]))
}
