import { type HubObject, type HubspotApi, largestPage, type ObjectType } from './api.ts'
import { keyName } from './own-properties.ts'

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
