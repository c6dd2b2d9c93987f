import { answer, refuse, type TwinRequest } from '../answers.ts'
import { minuteMs, toSecond } from '../clock.ts'
import { cursorPage } from '../pages.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Customer, type EntryKind, entryKinds, errorOf, found, wrong } from './account.ts'
import { created, done, hal, halPage } from './hal.ts'
import { presentProperties } from './properties.ts'
import { parseQuery, type Searched } from './query.ts'
import { checkAddress, makeEntry, readWords, saveCustomer, touchCustomer } from './save-customer.ts'
import { bodies, customerQuery, customerQueryV3 } from './shapes.ts'

/** Fields that PATCH can change. Lists of addresses and numbers have their own requests. */
const patchable = [
  ...['firstName', 'lastName', 'jobTitle', 'location', 'background', 'organization', 'organizationId'],
  ...['photoUrl', 'photoType', 'gender', 'age'],
]

const pathOf = (kind: EntryKind) => (kind === 'socialProfiles' ? 'social-profiles' : kind)
const nameOf = (kind: EntryKind) => (kind === 'socialProfiles' ? 'social_profiles' : kind)

const searchedOf = ({ firstName, lastName, emails, phones, ...customer }: Customer): Searched => ({
  firstName: { kind: 'words', values: [firstName ?? ''] },
  lastName: { kind: 'words', values: [lastName ?? ''] },
  email: { kind: 'exact', values: emails.map(({ value }) => value) },
  phone: { kind: 'exact', values: phones.map(({ value }) => value) },
  organization: { kind: 'words', values: [customer.organization ?? ''] },
  modifiedAt: { kind: 'moment', values: [customer.changedAt] },
  createdAt: { kind: 'moment', values: [Date.parse(customer.createdAt)] },
})

export const conversationsOf = ({ conversations }: Account, customerId: number) =>
  conversations.list(
    (one) => one.customerId === customerId || one.threads.some((thread) => thread.customerId === customerId),
  )

/** Removes a customer permanently, with every conversation they took part in. */
function erase(account: Account, id: string): void {
  for (const conversation of conversationsOf(account, Number(id))) account.conversations.remove(conversation.id)
  account.customers.remove(id)
}

/** Finishes removals whose time has come. */
export function settleCustomers(account: Account): void {
  for (const [id, at] of account.leaving) {
    if (account.clock.now() < at) continue
    account.leaving.delete(id)
    erase(account, id)
  }
}

export function customerOperations(account: Account): Operation[] {
  const { customers, pageSizes, leaving, clock } = account
  const customerIn = ({ params }: TwinRequest) => found(customers.get(String(params.id)))
  const present = ({ origin }: TwinRequest, customer: Customer) => {
    const self = `${origin}/v2/customers/${customer.id}`
    const lists = Object.fromEntries(entryKinds.map((kind) => [nameOf(kind), customer[kind]]))
    const links = entryKinds.map((kind) => [pathOf(kind), { href: `${self}/${pathOf(kind)}` }])
    return {
      id: Number(customer.id),
      firstName: customer.firstName ?? '',
      lastName: customer.lastName ?? '',
      gender: customer.gender ?? 'Unknown',
      jobTitle: customer.jobTitle ?? '',
      location: customer.location ?? '',
      organization: customer.organization ?? '',
      ...(customer.organizationId !== null && { organizationId: customer.organizationId }),
      photoType: customer.photoType ?? 'unknown',
      photoUrl: customer.photoUrl ?? '',
      age: customer.age ?? '',
      conversationCount: conversationsOf(account, Number(customer.id)).length,
      createdAt: customer.createdAt,
      updatedAt: toSecond(customer.changedAt),
      background: customer.background ?? '',
      draft: false,
      _embedded: {
        ...lists,
        properties: presentProperties(account, customer),
        ...(customer.address && { address: customer.address }),
      },
      _links: { address: { href: `${self}/address` }, ...Object.fromEntries(links), self: { href: self } },
    }
  }

  /** The customers that match a list's parameters. The index answers searches. */
  const select = ({ query }: TwinRequest): Customer[] => {
    const asked = query.get('query')
    const since = query.get('modifiedSince')
    const test = asked === null ? null : parseQuery(asked)
    const wants = (customer: Customer) => {
      const is = (name: 'firstName' | 'lastName') =>
        !query.has(name) || customer[name]?.toLowerCase() === query.get(name)?.toLowerCase()
      const mail = query.get('email')?.toLowerCase()
      const inMailbox = query.get('mailbox')
      return (
        is('firstName') &&
        is('lastName') &&
        (mail === undefined || customer.emails.some(({ value }) => value.toLowerCase() === mail)) &&
        (since === null || Date.parse(toSecond(customer.changedAt)) > Date.parse(since)) &&
        (!query.has('createdSince') ||
          Date.parse(customer.createdAt) > Date.parse(String(query.get('createdSince')))) &&
        (inMailbox === null ||
          conversationsOf(account, Number(customer.id)).some(({ mailboxId }) => String(mailboxId) === inMailbox)) &&
        (test === null || test(searchedOf(customer)))
      )
    }
    return test === null && !account.listsLag ? customers.list(wants) : customers.search(wants)
  }
  const sorted = (list: Customer[], field: string, isRising: boolean) => {
    const key = (one: Customer) =>
      field === 'modifiedAt'
        ? one.changedAt
        : field.endsWith('Name')
          ? (one[field as 'firstName'] ?? '')
          : Number(one.id)
    const ordered = list.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : Number(a.id) - Number(b.id)))
    return isRising ? ordered : ordered.reverse()
  }

  return [
    {
      method: 'GET',
      path: '/v2/customers',
      query: customerQuery,
      act(request) {
        const { query } = request
        const list = sorted(select(request), query.get('sortField') ?? 'createdAt', query.get('sortOrder') === 'asc')
        return halPage(request, 'customers', list, pageSizes.others, (one) => present(request, one))
      },
    },
    {
      method: 'GET',
      path: '/v3/customers',
      query: customerQueryV3,
      act(request) {
        // Newest first; within one second by id.
        const list = select(request).toSorted((a, b) => Number(b.id) - Number(a.id))
        const after = request.query.get('cursor')
        const { items, next } = cursorPage(list, { after, size: pageSizes.others, keyOf: ({ id }) => -Number(id) })
        const at = (cursor: string | null) => {
          const address = new URL(request.url.pathname + request.url.search, request.origin)
          if (cursor !== null) address.searchParams.set('cursor', cursor)
          return { href: String(address) }
        }
        return hal({
          ...(items.length > 0 && { _embedded: { customers: items.map((one) => present(request, one)) } }),
          _links: { self: at(after), ...(next !== null && { next: at(next) }) },
        })
      },
    },
    {
      method: 'POST',
      path: '/v2/customers',
      json: bodies.customer,
      act: (request) => created(request, '/v2/customers', saveCustomer(account, request.json).id),
    },
    { method: 'GET', path: '/v2/customers/:id', act: (request) => hal(present(request, customerIn(request))) },
    {
      // PUT empties missing fields.
      method: 'PUT',
      path: '/v2/customers/:id',
      json: bodies.customerOver,
      act(request) {
        touchCustomer(account, customerIn(request).id, readWords(account, request.json))
        return done
      },
    },
    {
      method: 'PATCH',
      path: '/v2/customers/:id',
      json: bodies.patches,
      act(request) {
        const customer = customerIn(request)
        const told: Record<string, unknown> = { ...customer }
        for (const { op, path, value } of request.json as { op: string; path: string; value?: unknown }[]) {
          const name = path.slice(1)
          if (!['replace', 'remove'].includes(op)) wrong('op', 'Expected one of these: replace, remove', op)
          if (!patchable.includes(name)) wrong('path', 'this path cannot be changed here', path)
          told[name] = op === 'remove' ? null : value
        }
        touchCustomer(account, customer.id, readWords(account, told))
        return done
      },
    },
    {
      method: 'DELETE',
      path: '/v2/customers/:id',
      query: { async: /true|false/ },
      act(request) {
        const { id } = customerIn(request)
        if (request.query.get('async') === 'true') {
          leaving.set(id, clock.now() + minuteMs)
          return answer(202)
        }
        if (conversationsOf(account, Number(id)).length > 100)
          refuse(403, errorOf('Customer has more than 100 conversations'))
        erase(account, id)
        return done
      },
    },
    ...entryKinds.flatMap((kind): Operation[] => entryOperations(account, kind, customerIn)),
    {
      method: 'GET',
      path: '/v2/customers/:id/address',
      act: (request) => hal(found(customerIn(request).address ?? undefined)),
    },
    ...(['POST', 'PUT'] as const).map(
      (method): Operation => ({
        method,
        path: '/v2/customers/:id/address',
        json: bodies.address,
        act(request) {
          touchCustomer(account, customerIn(request).id, { address: checkAddress(request.json) })
          return method === 'POST' ? answer(201) : done
        },
      }),
    ),
    {
      method: 'DELETE',
      path: '/v2/customers/:id/address',
      act(request) {
        touchCustomer(account, customerIn(request).id, { address: null })
        return done
      },
    },
  ]
}

function entryOperations(
  account: Account,
  kind: EntryKind,
  customerIn: (request: TwinRequest) => Customer,
): Operation[] {
  const path = `/v2/customers/:id/${pathOf(kind)}`
  const { pageSizes } = account
  const without = (customer: Customer, { params }: TwinRequest) => {
    const rest = customer[kind].filter(({ id }) => id !== Number(params.entry))
    return found(rest.length < customer[kind].length ? rest : undefined)
  }
  return [
    {
      method: 'GET',
      path,
      act: (request) => halPage(request, pathOf(kind), customerIn(request)[kind], pageSizes.others, (one) => one),
    },
    {
      method: 'POST',
      path,
      json: bodies.entry,
      act(request) {
        const customer = customerIn(request)
        const entry = makeEntry(account, kind, request.json)
        touchCustomer(account, customer.id, { [kind]: [...customer[kind], entry] })
        return created(request, request.url.pathname, entry.id)
      },
    },
    {
      method: 'PUT',
      path: `${path}/:entry`,
      json: bodies.entry,
      act(request) {
        const customer = customerIn(request)
        const rest = without(customer, request)
        touchCustomer(account, customer.id, { [kind]: rest })
        const entry = { ...makeEntry(account, kind, request.json), id: Number(request.params.entry) }
        touchCustomer(account, customer.id, { [kind]: [...rest, entry] })
        return done
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:entry`,
      act(request) {
        const customer = customerIn(request)
        touchCustomer(account, customer.id, { [kind]: without(customer, request) })
        return done
      },
    },
  ]
}
