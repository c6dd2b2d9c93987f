import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, conflict, found, type Organization, textOf, wrong } from './account.ts'
import { conversationsOf } from './customers.ts'
import { created, done, hal, halPage } from './hal.ts'
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

export function saveOrganization(account: Account, given: Given): Organization {
  const fields = read(account, given, null)
  return account.organizations.put({
    id: String(account.nextId()),
    name: String(given.name),
    website: null,
    description: null,
    location: null,
    logoUrl: null,
    note: null,
    brandColor: null,
    domains: [],
    phones: [],
    createdAt: account.now(),
    changedAt: account.clock.now(),
    ...fields,
  })
}

export function organizationOperations(account: Account): Operation[] {
  const { organizations, customers, pageSizes, clock } = account
  const organizationIn = ({ params }: TwinRequest) => found(organizations.get(String(params.id)))
  const peopleOf = (id: string) => customers.list(({ organizationId }) => organizationId === Number(id))
  const present = ({ origin, query }: TwinRequest, one: Organization) => {
    const { createdAt: _createdAt, changedAt: _changedAt, id, ...fields } = one
    const people = peopleOf(id)
    const talks = new Set(
      people.flatMap((person) => conversationsOf(account, Number(person.id)).map((talk) => talk.id)),
    )
    return {
      id: Number(id),
      ...fields,
      ...(query.get('includeCounts') === 'true' && { customerCount: people.length, conversationCount: talks.size }),
      ...(query.get('includeProperties') === 'true' && { properties: [] }),
      _links: { self: { href: `${origin}/v2/organizations/${id}` } },
    }
  }
  return [
    {
      method: 'GET',
      path: '/v2/organizations',
      query: { ...pageQuery, ...counted },
      act: (request) =>
        halPage(request, 'organizations', organizations.list(), pageSizes.others, (one) => present(request, one)),
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
        organizations.change(id, { ...read(account, request.json, id), changedAt: clock.now() })
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
