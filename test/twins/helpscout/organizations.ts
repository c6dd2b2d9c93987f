import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, conflict, found, type Organization, textOf, wrong } from './account.ts'
import { conversationsOf } from './customers.ts'
import { created, done, hal, halPage } from './hal.ts'
import { checkProperty } from './properties.ts'
import type { Given } from './save-customer.ts'
import { bodies, pageQuery } from './shapes.ts'

const counted = { includeCounts: /true|false/, includeProperties: /true|false/ }
const texts = ['website', 'description', 'location', 'logoUrl', 'note', 'brandColor'] as const

/** Reads the fields of an organization. A domain belongs to only one organization. */
function read(account: Account, given: Given, id: string | null): Partial<Organization> {
  const fields: Partial<Organization> = {}
  for (const name of texts) if (name in given) fields[name] = textOf(given[name])
  if (fields.brandColor && !/^#[0-9a-f]{6}$/i.test(fields.brandColor)) wrong('brandColor', 'Expected #RRGGBB')
  if ('name' in given) {
    if (textOf(given.name)?.trim() === '') wrong('name', 'may not be empty')
    fields.name = String(given.name)
  }
  if (given.phones) fields.phones = given.phones as string[]
  if (given.domain || given.domains) {
    const told = [...((given.domains as string[]) ?? []), ...(given.domain ? [String(given.domain)] : [])]
    fields.domains = [...new Set(told.map((domain) => domain.toLowerCase()))]
    const strange = fields.domains.find((domain) => !/^[^\s@/]+\.[^\s@/.]+$/.test(domain))
    if (strange !== undefined) wrong('domains', 'is not a domain', strange)
    const others = account.organizations.list((one) => one.id !== id)
    const taken = fields.domains.find((domain) => others.some(({ domains }) => domains.includes(domain)))
    if (taken !== undefined) conflict('domains', `${taken} belongs to another organization`)
  }
  return fields
}

/** "This is a complete update": a change empties what it does not name. */
const blank = {
  ...{ name: '', website: null, description: null, location: null, logoUrl: null, note: null, brandColor: null },
  ...{ domains: [], phones: [] },
}

export function saveOrganization(account: Account, given: Given): Organization {
  const fields = read(account, given, null)
  return account.organizations.put({
    id: String(account.nextId()),
    ...blank,
    name: String(given.name),
    properties: {},
    createdAt: account.now(),
    changedAt: account.clock.now(),
    ...fields,
  })
}

export function organizationOperations(account: Account): Operation[] {
  const { organizations, organizationProperties, customers, pageSizes, clock } = account
  const organizationIn = ({ params }: TwinRequest) => found(organizations.get(String(params.id)))
  const peopleOf = (id: string) => customers.list(({ organizationId }) => organizationId === Number(id))
  const present = ({ origin, query }: TwinRequest, one: Organization) => {
    const { createdAt: _createdAt, changedAt: _changedAt, id, properties, ...fields } = one
    const people = peopleOf(id)
    const talks = new Set(
      people.flatMap((person) => conversationsOf(account, Number(person.id)).map((talk) => talk.id)),
    )
    return {
      id: Number(id),
      ...fields,
      ...(query.get('includeCounts') === 'true' && { customerCount: people.length, conversationCount: talks.size }),
      ...(query.get('includeProperties') === 'true' && {
        properties: organizationProperties.list().flatMap(({ slug, name, type, options }, at) => {
          const value = properties[slug]
          const choices = type === 'dropdown' && { options: options.map(({ label }) => ({ label })) }
          return value === undefined ? [] : [{ definitionId: 1001 + at, slug, name, type, value, ...choices }]
        }),
      }),
      _links: { self: { href: `${origin}/v2/organizations/${id}` } },
    }
  }
  /** Without another order, the organization with the newest conversation is first. */
  const sorted = ({ query }: TwinRequest) => {
    if (query.get('sort') === 'name,asc') return organizations.list().toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const lastOf = (one: Organization) =>
      Math.max(
        0,
        ...peopleOf(one.id).flatMap(({ id }) => conversationsOf(account, Number(id)).map(({ changedAt }) => changedAt)),
      )
    return organizations.list().toSorted((a, b) => lastOf(b) - lastOf(a))
  }
  const propertyIn = ({ params }: TwinRequest) => found(organizationProperties.get(String(params.slug)))
  return [
    {
      method: 'GET',
      path: '/v2/organizations/properties',
      act: () =>
        hal({
          _embedded: {
            'organization-properties': organizationProperties.list().map(({ type, slug, name, options }) => ({
              ...{ type, slug, name },
              ...(type === 'dropdown' && { options: options.map(({ label }) => ({ label })) }),
            })),
          },
          _links: {},
        }),
    },
    {
      method: 'PUT',
      path: '/v2/organizations/:id/properties/:slug',
      json: bodies.propertyValue,
      act(request) {
        const [{ id, properties }, property] = [organizationIn(request), propertyIn(request)]
        checkProperty(property, request.json.value)
        organizations.change(id, { properties: { ...properties, [property.slug]: String(request.json.value) } })
        return done
      },
    },
    {
      method: 'DELETE',
      path: '/v2/organizations/:id/properties/:slug',
      act(request) {
        const [{ id, properties }, { slug }] = [organizationIn(request), propertyIn(request)]
        const { [slug]: _gone, ...rest } = properties
        organizations.change(id, { properties: rest })
        return done
      },
    },
    {
      method: 'GET',
      path: '/v2/organizations',
      query: { ...pageQuery, sort: /(name|customerCount|conversationCount|lastInteractionAt)(,(asc|desc))?/ },
      act: (request) =>
        halPage(request, 'organizations', sorted(request), pageSizes.others, (one) => present(request, one)),
    },
    {
      method: 'POST',
      path: '/v2/organizations',
      json: bodies.organization,
      act: (request) => created(request, '/v2/organizations', saveOrganization(account, request.json).id),
    },
    {
      method: 'GET',
      path: '/v2/organizations/:id',
      query: counted,
      act: (request) => hal(present(request, organizationIn(request))),
    },
    {
      method: 'PUT',
      path: '/v2/organizations/:id',
      json: bodies.organizationOver,
      act(request) {
        const { id } = organizationIn(request)
        const { name: _name, logoUrl: _logo, ...emptied } = blank
        organizations.change(id, { ...emptied, ...read(account, request.json, id), changedAt: clock.now() })
        return done
      },
    },
    {
      method: 'DELETE',
      path: '/v2/organizations/:id',
      act(request) {
        const { id } = organizationIn(request)
        for (const person of peopleOf(id)) customers.change(person.id, { organizationId: null, organization: null })
        organizations.remove(id)
        return done
      },
    },
  ]
}
