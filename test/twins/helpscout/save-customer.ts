import {
  type Account,
  type Address,
  type Customer,
  conflict,
  type Entry,
  type EntryKind,
  entryKinds,
  found,
  invalid,
  lengthOf,
  looksLikeMail,
  textOf,
  wrong,
} from './account.ts'

const types: Record<EntryKind, readonly string[] | null> = {
  emails: ['home', 'other', 'work'],
  phones: ['fax', 'home', 'mobile', 'other', 'pager', 'work'],
  chats: ['aim', 'gtalk', 'icq', 'msn', 'other', 'qq', 'skype', 'xmpp', 'yahoo'],
  socialProfiles: [
    'aboutme',
    'facebook',
    'flickr',
    'forsquare',
    'google',
    'googleplus',
    'linkedin',
    'other',
    'quora',
    'tungleme',
    'twitter',
    'youtube',
  ],
  websites: null,
}
const longest = {
  firstName: 40,
  lastName: 40,
  jobTitle: 60,
  location: 60,
  organization: 60,
  background: 200,
  photoUrl: 200,
}
const words = [...Object.keys(longest), 'photoType', 'gender', 'age'] as (keyof typeof longest)[]
const photoTypes = [
  ...['unknown', 'gravatar', 'twitter', 'facebook', 'googleprofile', 'googleplus', 'linkedin', 'instagram'],
]

export type Given = Record<string, unknown>

export function whoHas({ customers }: Account, email: string): Customer | undefined {
  const asked = email.toLowerCase()
  return customers.list(({ emails }) => emails.some(({ value }) => value.toLowerCase() === asked))[0]
}

/** Makes an e-mail address, phone number or similar entry. An e-mail address belongs to only one customer. */
export function makeEntry(account: Account, kind: EntryKind, given: { value: string; type?: string }, at = ''): Entry {
  const value = given.value.trim()
  if (value === '') wrong(`${at}value`, 'may not be empty')
  if (lengthOf(value) > 255) wrong(`${at}value`, 'length must be between 1 and 255')
  const allowed = types[kind]
  const type = given.type ?? 'other'
  if (allowed && !allowed.includes(type)) wrong(`${at}type`, `Expected one of these: ${allowed.join(', ')}`, type)
  if (kind === 'emails') {
    if (!looksLikeMail(value)) wrong(`${at}value`, 'not a well-formed email address', value)
    if (whoHas(account, value)) conflict(`${at}value`, 'Email address is already in use')
  }
  return { id: account.nextId(), value, ...(allowed && { type }) }
}

export function checkAddress(given: Given): Address {
  const { city, country, lines = [], postalCode, state } = given as Partial<Address>
  if (!city) wrong('city', 'may not be empty')
  if (!/^[A-Z]{2}$/.test(country ?? '')) wrong('country', 'Expected a two-letter country code', country)
  return { city: String(city), country: String(country), lines, postalCode: postalCode ?? null, state: state ?? null }
}

/** The plain fields of a customer, each null if it was not sent. */
export function readWords(account: Account, given: Given) {
  for (const [name, most] of Object.entries(longest)) {
    const value = given[name]
    const isName = name === 'firstName' || name === 'lastName'
    if (typeof value === 'string' && (lengthOf(value) > most || (isName && value === '')))
      wrong(name, `length must be between ${isName ? 1 : 0} and ${most}`, value.slice(0, 100))
  }
  const photo = textOf(given.photoType)
  if (photo !== null && !photoTypes.includes(photo)) wrong('photoType', `Expected one of these: ${photoTypes}`, photo)
  const organizationId = typeof given.organizationId === 'number' ? given.organizationId : null
  const organization = organizationId === null ? undefined : account.organizations.get(String(organizationId))
  if (organizationId !== null && !organization) wrong('organizationId', 'Organization does not exist', organizationId)
  const told = Object.fromEntries(words.map((name) => [name, textOf(given[name])])) as Record<
    keyof typeof longest,
    null
  >
  return { ...told, organizationId, ...(organization && { organization: organization.name }) }
}

export function saveCustomer(account: Account, given: Given): Customer {
  const { customers, nextId, now, clock } = account
  const lists = Object.fromEntries(
    entryKinds.map((kind) => [
      kind,
      ((given[kind] ?? []) as { value: string; type?: string }[]).map((one, at) =>
        makeEntry(account, kind, one, `${kind}[${at}].`),
      ),
    ]),
  ) as Record<EntryKind, Entry[]>
  const mails = lists.emails.map(({ value }) => value.toLowerCase())
  if (new Set(mails).size < mails.length) wrong('emails', 'must be unique')
  if (textOf(given.phone)) lists.phones.unshift({ id: nextId(), value: String(given.phone), type: 'work' })
  if (!given.firstName && !given.lastName && mails.length === 0 && lists.phones.length === 0)
    invalid({ path: 'firstName', message: 'may not be empty' }, { path: 'emails', message: 'may not be empty' })
  return customers.put({
    id: String(nextId()),
    gender: null,
    age: null,
    photoType: null,
    ...readWords(account, given),
    ...lists,
    address: given.address ? checkAddress(given.address as Given) : null,
    properties: {},
    createdAt: now(),
    changedAt: clock.now(),
  })
}

/** The customer of a conversation or a thread: found by id or e-mail address, or created. */
export function nameCustomer(account: Account, given: Given | undefined, path = 'customer'): Customer {
  if (!given) return wrong(path, 'may not be null')
  if (typeof given.id === 'number')
    return account.customers.get(String(given.id)) ?? wrong(`${path}.id`, 'Customer does not exist', given.id)
  const email = textOf(given.email) ?? wrong(`${path}.email`, 'Customer id or email is required')
  const known = whoHas(account, email)
  if (known) return known
  const { email: _email, id: _id, ...rest } = given
  return saveCustomer(account, { ...rest, emails: [{ value: email, type: 'work' }] })
}

export function touchCustomer(account: Account, id: string, changes: Partial<Customer>): Customer {
  return found(account.customers.change(id, { ...changes, changedAt: account.clock.now() }))
}
