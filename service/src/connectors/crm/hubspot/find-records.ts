import { fitting, hasShape } from '../../kit/has-shape.ts'
import { type HubObject, type HubspotApi, largestPage, messageTypes, type ObjectType } from './api.ts'
import { passingFault } from './faults.ts'
import { keyName } from './own-properties.ts'
import { holderShape, linksShape } from './schema.ts'

/** For this long, HubSpot's search may miss a new record. */
export const searchLagMs = 60_000

/** The property for our key. Null until it exists; without it, no record of ours exists. */
export const keyProperty = async (api: HubspotApi, type: ObjectType) =>
  (await api.properties(type)).find(({ name }) => name === keyName) ?? null

/** Finds records by our keys. Where the property is not unique, the search finds them, and lags behind. */
export async function findByKeys(
  api: HubspotApi,
  type: ObjectType,
  keys: readonly string[],
  names: readonly string[],
): Promise<HubObject[]> {
  const property = await keyProperty(api, type)
  if (property === null) return []
  if (property.hasUniqueValue) return api.byIds(type, names, keys, keyName)
  const filter = { propertyName: keyName, operator: 'IN' as const, values: [...keys] }
  const { items } = await api.search(type, [], [filter], null, largestPage)
  // The search shows old values.
  const ids = items.map(({ id }) => id)
  return api.byIds(type, names, ids)
}

const activities = ['notes', 'calls', 'meetings', 'tasks', 'emails'] as const
/** The records that HubSpot shows at a record, or that name it. They lose it when it is deleted. */
const linkedTo: Partial<Record<ObjectType, readonly ObjectType[]>> = {
  companies: [...activities, 'companies', 'contacts', 'deals', 'tickets'],
  contacts: [...activities, 'contacts', 'deals', 'tickets'],
  deals: [...activities, 'deals', 'tickets'],
  tickets: [...activities, 'deals', 'tickets'],
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
  const add = (id: string, count: number) => count > 0 && counts.set(id, (counts.get(id) ?? 0) + count)
  const others = ids.length === 0 ? [] : (linkedTo[type] ?? [])
  for (const other of others) {
    const linked = await api.linked(type, other, ids, other === 'companies' ? childCompany : undefined)
    const all = await api.byIds(other, [keyName], [...linked.values()].flat())
    const theirs = new Set(all.flatMap(({ id, properties }) => (properties[keyName] ? [] : id)))
    for (const [id, targets] of linked) add(id, targets.filter((target) => theirs.has(target)).length)
  }
  for (const other of others.length === 0 ? [] : messageTypes) {
    const sent = await api.sendLinks(
      ...([type, other, 'read'] as const),
      ids.map((id) => ({ id })),
    )
    const fault = sent.result === 'done' && passingFault(sent.json)
    if (fault) throw fault
    // Refused to a token that may not see them.
    if (sent.result !== 'done' || !hasShape(linksShape, sent.json)) continue
    for (const { from, to } of fitting(holderShape, sent.json.results)) {
      add(String(from.id), Array.isArray(to) ? to.length : 1)
    }
  }
  return new Map([...counts].map(([id, count]) => [id, `Records of their own that people linked to it: ${count}.`]))
}
