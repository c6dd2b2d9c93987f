import { answer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, asTags, blank, found, idOf, invalid, type Membership, type Organization } from './account.ts'
import { checkValues, shownValues } from './fields.ts'
import { idsOf, sendCount, sendList } from './lists.ts'
import { shapes } from './shapes.ts'

type Body = Partial<Omit<Organization, 'id'>> & { id?: number | null }

const isDomain = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i

export const presentOrganization = (account: Account, { changedAt, ...one }: Organization) => ({
  ...one,
  id: idOf(one),
  url: account.address(`organizations/${one.id}.json`),
  organization_fields: shownValues(account, 'organization', one.organization_fields),
})

export function saveOrganization(account: Account, body: Body, known?: Organization): Organization {
  const { organizations, clock } = account
  const { id: _id, ...given } = body
  const name = given.name?.trim()
  if (name === '' || (!known && !name)) blank('name', 'Name')
  const isOther = ({ id }: Organization) => id !== known?.id
  const sameName = organizations.list((one) => one.name.toLowerCase() === name?.toLowerCase())
  if (sameName.some(isOther)) invalid('name', `Name: ${name} has already been taken`, 'DuplicateValue')
  if (given.external_id) {
    const sameKey = organizations.list((one) => one.external_id?.toLowerCase() === given.external_id?.toLowerCase())
    if (sameKey.some(isOther))
      invalid('external_id', `External ID: ${given.external_id} has already been taken`, 'DuplicateValue')
  }
  const odd = given.domain_names?.find((domain) => !isDomain.test(domain))
  if (odd !== undefined) invalid('domain_names', `Domain names: ${odd} is invalid`)
  checkValues(account, 'organization', given.organization_fields ?? {})
  const now = account.now()
  const before: Organization = known ?? {
    id: account.nextId(),
    name: '',
    external_id: null,
    domain_names: [],
    details: '',
    notes: '',
    group_id: null,
    shared_tickets: false,
    shared_comments: false,
    tags: [],
    organization_fields: {},
    created_at: now,
    updated_at: now,
    changedAt: clock.now(),
  }
  return organizations.put({
    ...before,
    ...given,
    name: name ?? before.name,
    domain_names: given.domain_names?.map((domain) => domain.toLowerCase()) ?? before.domain_names,
    tags: given.tags === undefined ? before.tags : asTags(given.tags),
    organization_fields: { ...before.organization_fields, ...given.organization_fields },
    created_at: before.created_at,
    updated_at: now,
    changedAt: clock.now(),
  })
}

/** Sets the user's organization, and removes the user from all others. */
export function setOrganization(account: Account, userId: string, organizationId: number | null): void {
  const { organizationMemberships: memberships, organizations, users, nextId, now } = account
  const ofUser = memberships.list((one) => one.user_id === Number(userId))
  if (organizationId !== null && !organizations.get(String(organizationId)))
    invalid('organization', 'Organization: is invalid')
  for (const { id, of_id } of ofUser) if (of_id !== organizationId) memberships.remove(id)
  if (organizationId !== null) {
    const known = ofUser.find((one) => one.of_id === organizationId)
    const times = { created_at: now(), updated_at: now() }
    if (known) memberships.change(known.id, { default: true })
    else memberships.put({ id: nextId(), user_id: Number(userId), of_id: organizationId, default: true, ...times })
  }
  users.change(userId, { organization_id: organizationId })
}

export function organizationOperations(account: Account): Operation[] {
  const { organizations, organizationMemberships: memberships } = account
  const present = (one: Organization) => presentOrganization(account, one)
  const find = ({ params }: TwinRequest) => found(organizations.get(String(params.id)))
  const byExternalId = (text: string) =>
    organizations.list(({ external_id }) => external_id?.toLowerCase() === text.toLowerCase())
  const presentMembership = ({ of_id, ...one }: Membership) => ({
    ...one,
    id: idOf(one),
    organization_id: of_id,
    organization_name: organizations.get(String(of_id))?.name ?? null,
    view_tickets: true,
  })
  const listing = { name: 'organization_memberships', present: presentMembership }
  return [
    {
      ...shapes.organizations,
      act: (request) => sendList(request, organizations.list(), { name: 'organizations', present }),
    },
    { ...shapes.organizationsCount, act: () => sendCount(account.now(), organizations.size()) },
    {
      ...shapes.manyOrganizations,
      act(request) {
        const ids = idsOf(request, 'ids').flatMap((id) => organizations.get(id) ?? [])
        const list = [...ids, ...idsOf(request, 'external_ids').flatMap(byExternalId)]
        return answer(200, { organizations: list.map(present), count: list.length, next_page: null })
      },
    },
    {
      ...shapes.searchOrganizations,
      act(request) {
        const { query } = request
        const list = query.has('external_id')
          ? byExternalId(query.get('external_id') ?? '')
          : organizations.list((one) => one.name.toLowerCase() === query.get('name')?.toLowerCase())
        return sendList(request, list, { name: 'organizations', present })
      },
    },
    { ...shapes.organization, act: (request) => answer(200, { organization: present(find(request)) }) },
    {
      ...shapes.makeOrganization,
      act: ({ json }) => answer(201, { organization: present(saveOrganization(account, json.organization)) }),
    },
    {
      ...shapes.upsertOrganization,
      act({ json }) {
        const { id, external_id } = json.organization as Body
        const known = id ? found(organizations.get(String(id))) : external_id ? byExternalId(external_id)[0] : undefined
        const saved = saveOrganization(account, json.organization, known)
        return answer(known ? 200 : 201, { organization: present(saved) })
      },
    },
    {
      ...shapes.changeOrganization,
      act: (request) =>
        answer(200, { organization: present(saveOrganization(account, request.json.organization, find(request))) }),
    },
    {
      ...shapes.removeOrganization,
      act(request) {
        const one = find(request)
        organizations.remove(one.id, { isKept: true })
        account.deletedAt.set(one.id, account.clock.now())
        for (const { id } of memberships.list(({ of_id }) => of_id === idOf(one))) memberships.remove(id)
        for (const user of account.users.list(({ organization_id }) => organization_id === idOf(one)))
          account.users.change(user.id, { organization_id: null })
        for (const ticket of account.tickets.list(({ organization_id }) => organization_id === idOf(one)))
          account.tickets.change(ticket.id, { organization_id: null })
        return answer(204)
      },
    },
    { ...shapes.organizationMemberships, act: (request) => sendList(request, memberships.list(), listing) },
    {
      ...shapes.organizationsOfUser,
      act: (request) =>
        sendList(
          request,
          memberships.list(({ user_id }) => user_id === Number(request.params.id)),
          listing,
        ),
    },
    {
      ...shapes.makeOrganizationMembership,
      act({ json }) {
        const { user_id, organization_id } = json.organization_membership
        const user = account.users.get(String(user_id)) ?? invalid('user', 'User: is invalid')
        if (memberships.list((one) => one.user_id === user_id && one.of_id === organization_id).length > 0)
          invalid('user_id', 'User: has already been taken', 'DuplicateValue')
        if (!organizations.get(String(organization_id))) invalid('organization', 'Organization: is invalid')
        const isFirst = user.organization_id === null || json.organization_membership.default === true
        if (isFirst) {
          for (const { id } of memberships.list((one) => one.user_id === user_id))
            memberships.change(id, { default: false })
          account.users.change(user.id, { organization_id })
        }
        const times = { created_at: account.now(), updated_at: account.now() }
        const link = { id: account.nextId(), user_id, of_id: organization_id, default: isFirst, ...times }
        return answer(201, { organization_membership: presentMembership(memberships.put(link)) })
      },
    },
    {
      ...shapes.removeOrganizationMembership,
      act({ params }) {
        const one = found(memberships.get(String(params.id)))
        memberships.remove(one.id)
        if (one.default) account.users.change(String(one.user_id), { organization_id: null })
        return answer(204)
      },
    },
  ]
}
