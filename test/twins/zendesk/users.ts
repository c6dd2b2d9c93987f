import { answer, refuse, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, asTags, blank, found, idOf, invalid, type User } from './account.ts'
import { checkValues, shownValues } from './fields.ts'
import { identitiesOf, identityOperations, ownerOf, setEmail } from './identities.ts'
import { idsOf, sendCount, sendList } from './lists.ts'
import { setOrganization } from './organizations.ts'
import { shapes } from './shapes.ts'

type Body = Partial<Omit<User, 'id'>> & {
  skip_verify_email?: boolean
  identities?: { type: string; value: string }[]
  group_ids?: number[]
}

export function presentUser(account: Account, user: User, { isActive = true } = {}) {
  const { changedAt, ...kept } = user
  return {
    ...kept,
    id: idOf(user),
    url: account.address(`users/${user.id}.json`),
    iana_time_zone: zones[user.time_zone] ?? null,
    locale_id: account.locales.indexOf(user.locale) + 1,
    shared_phone_number: user.phone === null ? null : false,
    photo: null,
    active: isActive,
    shared: false,
    shared_agent: false,
    last_login_at: null,
    two_factor_auth_enabled: null,
    role_type: user.role === 'end-user' ? null : user.role === 'admin' ? 4 : 0,
    custom_role_id: null,
    moderator: user.role !== 'end-user',
    ticket_restriction: user.role === 'end-user' ? 'requested' : null,
    only_private_comments: false,
    restricted_agent: user.role !== 'admin',
    report_csv: user.role === 'admin',
    user_fields: shownValues(account, 'user', user.user_fields),
  }
}

/** Some of the zones that Zendesk knows, and the zone of the account. */
export const zones: Readonly<Record<string, string>> = {
  'Eastern Time (US & Canada)': 'America/New_York',
  'Central Time (US & Canada)': 'America/Chicago',
  'Mexico City': 'America/Mexico_City',
  Berlin: 'Europe/Berlin',
  London: 'Europe/London',
  UTC: 'Etc/UTC',
}
export const usualZone = 'Eastern Time (US & Canada)'

/** Creates a user, or changes the sent fields of an existing one. */
export function saveUser(account: Account, body: Body, known?: User): User {
  const { users, clock } = account
  const { skip_verify_email, identities = [], group_ids = [], email, organization_id, ...given } = body
  if (!known && !given.name?.trim()) blank('name', 'Name')
  if (given.name !== undefined && !given.name?.trim()) blank('name', 'Name')
  const external = given.external_id ?? null
  if (external !== null) {
    const owner = byExternalId(account, external)
    if (owner && owner.id !== known?.id)
      invalid('external_id', `External ID: ${external} has already been taken`, 'DuplicateValue')
  }
  checkValues(account, 'user', given.user_fields ?? {})
  if (account.validatesPhones && given.phone && !/^\+[1-9]\d{6,14}$/.test(given.phone)) {
    // Not a list, unlike the errors of other fields.
    const phone = { description: `Phone ${given.phone} is not properly formatted`, error: 'InvalidFormat' }
    refuse(422, { error: 'RecordInvalid', description: 'Record validation errors', details: { phone } })
  }
  if (given.time_zone && !(given.time_zone in zones)) invalid('time_zone', 'Time zone: is invalid')
  for (const value of [email, ...identities.filter(({ type }) => type === 'email').map((one) => one.value)]) {
    const owner = value ? ownerOf(account, value) : undefined
    if (owner && owner.id !== known?.id)
      invalid('email', `Email: ${value} is already being used by another user`, 'DuplicateValue')
  }
  const now = account.now()
  const before: User = known ?? {
    id: account.nextId(),
    name: '',
    role: 'end-user',
    email: null,
    phone: null,
    external_id: null,
    organization_id: null,
    locale: account.locales[0] ?? '',
    time_zone: usualZone,
    details: '',
    notes: '',
    tags: [],
    user_fields: {},
    suspended: false,
    verified: false,
    default_group_id: null,
    alias: '',
    signature: null,
    created_at: now,
    updated_at: now,
    changedAt: clock.now(),
  }
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null))
  const cleared = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [[name, emptyOf(name)]] : [])),
  )
  const after: User = {
    ...before,
    ...said,
    ...cleared,
    // A language that the account has not enabled becomes the account's own language.
    locale: account.locales.includes(String(given.locale ?? before.locale))
      ? String(given.locale ?? before.locale)
      : (account.locales[0] ?? ''),
    tags: given.tags === undefined ? before.tags : asTags(given.tags),
    user_fields: { ...before.user_fields, ...given.user_fields },
    updated_at: now,
    changedAt: clock.now(),
  }
  users.put(after)
  if (email) setEmail(account, after.id, email, { isSilent: skip_verify_email === true || after.verified })
  for (const one of identities) setEmail(account, after.id, one.value, { type: one.type, isSilent: true })
  if (organization_id !== undefined) setOrganization(account, after.id, organization_id)
  for (const group of group_ids) joinGroup(account, after.id, group)
  return found(users.get(after.id))
}

const emptyOf = (name: string): string | null => (['details', 'notes', 'alias'].includes(name) ? '' : null)

function joinGroup({ groupMemberships, nextId, now }: Account, userId: string, group: number): void {
  const at = now()
  const times = { created_at: at, updated_at: at }
  groupMemberships.put({ id: nextId(), user_id: Number(userId), of_id: group, default: false, ...times })
}

/** A user by external id, ignoring case. */
function byExternalId({ users }: Account, externalId: string): User | undefined {
  return users.list((one) => one.external_id?.toLowerCase() === externalId.toLowerCase())[0]
}

export function userOperations(account: Account): Operation[] {
  const { users } = account
  const present = (user: User) => presentUser(account, user)
  const find = ({ params }: TwinRequest) => found(users.get(String(params.id)))
  const wanted = ({ query }: TwinRequest): User[] => {
    const roles = [...query.getAll('role'), ...query.getAll('role[]')]
    const external = query.get('external_id')?.toLowerCase()
    return users
      .list(({ role }) => roles.length === 0 || roles.includes(role))
      .filter(({ external_id }) => external === undefined || external_id?.toLowerCase() === external)
  }
  // With `include`, Zendesk returns addresses beside the people.
  const beside = ({ query }: TwinRequest, list: readonly User[]) =>
    query.get('include')?.split(',').includes('identities')
      ? { identities: list.flatMap((user) => identitiesOf(account, user)) }
      : {}
  const sortBy = { name: (one: User) => one.name, updated_at: (one: User) => one.updated_at }
  return [
    ...identityOperations(account),
    {
      ...shapes.users,
      act: (request) =>
        sendList(request, wanted(request), { name: 'users', present, sortBy, more: (list) => beside(request, list) }),
    },
    { ...shapes.usersCount, act: (request) => sendCount(account.now(), wanted(request).length) },
    {
      ...shapes.manyUsers,
      act(request) {
        const ids = idsOf(request, 'ids')
        const external = idsOf(request, 'external_ids').map((one) => one.toLowerCase())
        const isWanted = ({ id, external_id }: User) =>
          ids.includes(id) || (external_id !== null && external.includes(external_id.toLowerCase()))
        const list = users.list(isWanted)
        const count = { count: list.length, next_page: null, previous_page: null }
        return answer(200, { users: list.map(present), ...beside(request, list), ...count })
      },
    },
    {
      ...shapes.searchUsers,
      act(request) {
        const text = request.query.get('query')?.toLowerCase()
        const isFound = (user: User) =>
          [user.name, ...identitiesOf(account, user).map(({ value }) => value)].some((one) =>
            one.toLowerCase().includes(text ?? ''),
          )
        // A new record is not in the index yet, but an external id is looked up directly.
        const list = request.query.has('external_id')
          ? wanted(request)
          : users.search((user) => text !== undefined && isFound(user))
        return sendList(request, list, { name: 'users', present })
      },
    },
    {
      ...shapes.usersOfOrganization,
      act: (request) =>
        sendList(
          request,
          users.list(({ organization_id }) => organization_id === Number(request.params.id)),
          { name: 'users', present },
        ),
    },
    {
      ...shapes.user,
      act({ params }) {
        const gone = users.trashed(String(params.id))
        if (gone) return answer(200, { user: presentUser(account, gone, { isActive: false }) })
        return answer(200, { user: present(found(users.get(String(params.id)))) })
      },
    },
    { ...shapes.makeUser, act: ({ json }) => answer(201, { user: present(saveUser(account, json.user)) }) },
    {
      ...shapes.upsertUser,
      act({ json }) {
        const { external_id, email } = json.user as Body
        const known = (external_id && byExternalId(account, external_id)) || (email && ownerOf(account, email))
        const saved = saveUser(account, json.user, known || undefined)
        return answer(known ? 200 : 201, { user: present(saved) })
      },
    },
    {
      ...shapes.changeUser,
      act: (request) => answer(200, { user: present(saveUser(account, request.json.user, find(request))) }),
    },
    {
      ...shapes.removeUser,
      act(request) {
        const user = find(request)
        const isOpen = account.tickets.list((one) => one.requester_id === idOf(user) && one.status !== 'closed')
        if (isOpen.length > 0)
          invalid('base', `${user.name} is the requester on ${isOpen.length} tickets that are not closed`)
        users.remove(user.id, { isKept: true })
        account.deletedAt.set(user.id, account.clock.now())
        for (const { id } of account.identities.list((one) => one.user_id === idOf(user))) account.identities.remove(id)
        for (const kind of [account.groupMemberships, account.organizationMemberships])
          for (const { id } of kind.list((one) => one.user_id === idOf(user))) kind.remove(id)
        return answer(200, { user: presentUser(account, user, { isActive: false }) })
      },
    },
  ]
}
