import { type HubObject, type HubspotApi, type ObjectType, textOf, type Version } from './api.ts'
import { type Body, type Item, isOurLink } from './send-batch.ts'

// Values that HubSpot itself fills in, and links that it makes. Nobody changed the record then.

/** HubSpot's names for its own data about companies and people, and for sums, in the history of a property. */
const ownSources = new Set(['BIDEN', 'CALCULATED', 'COMPANY_INSIGHTS', 'DATA_ENRICHMENT'])
const isAutomatic = ({ sourceType, updatedByUserId }: Version) =>
  ownSources.has(sourceType ?? '') && !Number(updatedByUserId ?? 0)

/** The last value of people or apps, if HubSpot itself has set another since. Undefined if it has not. */
function replacedIn(versions: readonly Version[] = []): string | null | undefined {
  if (!versions[0] || !isAutomatic(versions[0])) return undefined
  return textOf(versions.find((one) => !isAutomatic(one))?.value)
}

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
      const replaced = replacedIn(versions)
      return replaced === undefined ? [] : [[name, replaced]]
    })
    return { ...object, properties: { ...object.properties, ...Object.fromEntries(earlier) } }
  })
}

/** Leaves out of a change the empty values of properties that HubSpot itself filled in. */
export async function keepEnriched(api: HubspotApi, type: ObjectType, items: readonly Item[]): Promise<void> {
  if (type !== 'contacts' && type !== 'companies') return
  const emptyIn = ({ body }: Item) => Object.keys(body.properties).filter((name) => body.properties[name] === '')
  const ids = items.flatMap(({ id }) => id ?? [])
  const history = await api.history(type, [...new Set(items.flatMap(emptyIn))], ids)
  for (const item of items) {
    const versions = history.get(item.id ?? '') ?? {}
    for (const name of emptyIn(item)) if (replacedIn(versions[name]) === null) delete item.body.properties[name]
  }
}

const hostOf = (address: string | null | undefined) =>
  URL.parse(address ?? '')?.hostname ?? URL.parse(`https://${address}`)?.hostname ?? ''

/**
 * Drops the links that HubSpot itself makes: a setting links each contact to the company whose domain is that of the
 * contact's address or website, and makes that company. Nobody changed the contact then.
 */
export async function withoutAutomatic(api: HubspotApi, contacts: readonly HubObject[]): Promise<HubObject[]> {
  const companiesOf = ({ links }: HubObject) => (links as Body['links']).companies ?? []
  const others = contacts.flatMap((one) => companiesOf(one).filter((id) => !isOurLink(one, 'companies', id)))
  const found = others.length === 0 ? [] : await api.byIds('companies', ['domain'], others)
  const domains = new Map(found.map(({ id, properties }) => [id, properties.domain?.toLowerCase()]))
  return contacts.map((contact) => {
    const { email, website } = contact.properties
    const hosts = [email?.split('@')[1] ?? '', hostOf(website)].map((host) => `.${host.toLowerCase()}`)
    const isAutomatic = (id: string) =>
      !isOurLink(contact, 'companies', id) && hosts.some((host) => host.endsWith(`.${domains.get(id) || '/'}`))
    const companies = companiesOf(contact).filter((id) => !isAutomatic(id))
    return { ...contact, links: { ...(contact.links as Body['links']), companies } }
  })
}
