import type { HubObject, HubspotApi } from './api.ts'
import { type Body, isOurLink } from './send-batch.ts'

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
