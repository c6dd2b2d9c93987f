import { type HubObject, type HubspotApi, type ObjectType, textOf, type Version } from './api.ts'

/** HubSpot's names for its own data about companies and people, and for sums, in the history of a property. */
const ownSources = new Set(['BIDEN', 'CALCULATED', 'COMPANY_INSIGHTS', 'DATA_ENRICHMENT'])
const isAutomatic = ({ sourceType, updatedByUserId }: Version) =>
  ownSources.has(sourceType ?? '') && !Number(updatedByUserId ?? 0)

/**
 * Replaces values that HubSpot itself filled in or overwrote with the last ones of people or apps. Nobody changed the
 * record then, and an undo removes it.
 */
export async function withoutEnriched(
  api: HubspotApi,
  type: ObjectType,
  objects: readonly HubObject[],
  compared: (object: HubObject) => readonly string[],
): Promise<HubObject[]> {
  const filled = objects.flatMap((one) => compared(one).filter((name) => one.properties[name]))
  const ids = objects.map(({ id }) => id)
  const history = await api.history(type, [...new Set(filled)], ids)
  return objects.map((object) => {
    const earlier = Object.entries(history.get(object.id) ?? {}).flatMap(([name, versions]) => {
      if (!versions[0] || !isAutomatic(versions[0])) return []
      return [[name, textOf(versions.find((one) => !isAutomatic(one))?.value)]]
    })
    return { ...object, properties: { ...object.properties, ...Object.fromEntries(earlier) } }
  })
}
