import { answer, refuse, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, asTags, type Contact, duplicate, found, idOf, invalid, missing } from './account.ts'
import { startsWord } from './companies.ts'
import { dropConversations } from './conversations.ts'
import { checkValues, shownValues } from './fields.ts'
import { byName, changedSince, made, sendList } from './lists.ts'
import { shapes } from './shapes.ts'
import { knownLanguages, knownZones } from './show-fields.ts'

export function presentContact(account: Account, contact: Contact) {
  const { isDeleted, isBlocked: _blocked, ...kept } = contact
  return {
    ...kept,
    id: idOf(contact),
    contact_type: 'contact',
    social_handler: [],
    facebook_id: null,
    custom_fields: shownValues(account, 'contact', contact.custom_fields),
    avatar: null,
    devices: [],
    ...(isDeleted && { deleted: true }),
  }
}

/** A contact as lists show it: without further addresses and tags, and with only the ids of other companies. */
function presentListed(account: Account, contact: Contact) {
  const {
    other_emails: _emails,
    tags: _tags,
    view_all_tickets: _view,
    avatar: _avatar,
    devices: _devices,
    ...rest
  } = presentContact(account, contact)
  return { ...rest, other_companies: contact.other_companies.map(({ company_id }) => company_id) }
}

export const addressesOf = ({ email, other_emails }: Contact): string[] => [...(email ? [email] : []), ...other_emails]

const lower = (emails: readonly string[]) => emails.map((email) => email.trim().toLowerCase())

/** Addresses, mobile numbers, handles and external ids belong to one person, even if that person is in the trash. */
function checkUnique(account: Account, contact: Contact): void {
  const others = account.contacts.list(({ id }) => id !== contact.id)
  const owner = (isIt: (other: Contact) => boolean) => others.find(isIt)
  for (const email of addressesOf(contact)) {
    const agent = account.agents.list((one) => one.email === email)[0]
    const other = agent ?? owner((one) => addressesOf(one).includes(email))
    if (other) duplicate('email', { user_id: idOf(other) })
  }
  for (const key of ['mobile', 'twitter_id', 'unique_external_id'] as const) {
    const other = contact[key] === null ? undefined : owner((one) => one[key] === contact[key])
    if (other) duplicate(key, { user_id: idOf(other) })
  }
}

function checkContact(account: Account, contact: Contact): void {
  const { name, email, phone, mobile, twitter_id, unique_external_id } = contact
  if (!name.trim()) missing('name')
  if (name.length > 255) invalid('name', 'It should not have more than 255 characters')
  if (![email, phone, mobile, twitter_id, unique_external_id].some(Boolean))
    invalid('email', 'Please fill at least 1 of email, mobile, phone, twitter_id, unique_external_id fields', {
      code: 'missing_field',
    })
  if (addressesOf(contact).some((one) => !/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(one)))
    invalid('email', "It should be in the 'valid email address' format")
  if (contact.other_emails.length > 9) invalid('other_emails', 'It should have a maximum of 9 values')
  if (contact.other_emails.length > 0 && !email)
    invalid('email', 'A primary email is needed', { code: 'missing_field' })
  if (!knownLanguages.includes(contact.language)) invalid('language', `${contact.language} is not supported`)
  if (!knownZones.includes(contact.time_zone)) invalid('time_zone', `${contact.time_zone} is not a known time zone`)
  for (const company_id of [contact.company_id, ...contact.other_companies.map((one) => one.company_id)])
    if (company_id !== null && !account.companies.get(String(company_id)))
      invalid('company_id', 'There is no company matching the given company_id')
  checkUnique(account, contact)
}

const blank = {
  email: null,
  phone: null,
  mobile: null,
  twitter_id: null,
  unique_external_id: null,
  other_emails: [],
  company_id: null,
  view_all_tickets: false,
  other_companies: [],
  address: null,
  description: null,
  job_title: null,
  language: 'en',
  time_zone: 'UTC',
  tags: [],
  active: false,
  isDeleted: false,
  isBlocked: false,
} satisfies Partial<Contact>

export function saveContact(account: Account, body: Partial<Contact>, self?: Contact): Contact {
  // "This attribute can only be set if the Multiple Language feature is enabled."
  if (body.language !== undefined && account.languages.others.length === 0)
    invalid('language', 'The Multi Language feature is not supported in your plan', { code: 'invalid_field' })
  const before = self ?? { ...blank, id: account.nextId(), name: '', custom_fields: {}, ...account.times() }
  const contact: Contact = {
    ...before,
    ...body,
    name: (body.name ?? before.name).trim(),
    email: (body.email === undefined ? before.email : body.email)?.trim().toLowerCase() || null,
    other_emails: lower(body.other_emails ?? before.other_emails),
    other_companies: (body.other_companies ?? before.other_companies).map((one) => ({
      company_id: one.company_id,
      view_all_tickets: one.view_all_tickets ?? false,
    })),
    tags: body.tags ? asTags(body.tags) : before.tags,
    custom_fields: checkValues(account, 'contact', { given: body.custom_fields ?? {}, before: before.custom_fields }),
    updated_at: account.now(),
  }
  checkContact(account, contact)
  // Without a given company, the domain of the address decides.
  if (!self && body.company_id === undefined) {
    const [company] = account.companies.list(({ domains }) => domains.includes(contact.email?.split('@')[1] ?? '?'))
    contact.company_id = company ? idOf(company) : null
  }
  return account.contacts.put(contact)
}

function isListed({ query }: TwinRequest, contact: Contact): boolean {
  const state = query.get('state')
  if (contact.isDeleted !== (state === 'deleted')) return false
  if (!contact.isDeleted && contact.isBlocked !== (state === 'blocked')) return false
  if (state === 'verified' || state === 'unverified') return contact.active === (state === 'verified')
  return true
}

export function contactOperations(account: Account): Operation[] {
  const { contacts, tickets } = account
  const find = (id: string | undefined) => found(contacts.get(String(id)))
  /** A contact in the trash accepts no change until it is restored. */
  const findActive = (id: string | undefined) => {
    const contact = find(id)
    return contact.isDeleted ? found<Contact>(null) : contact
  }
  const put = (id: string, changes: Partial<Contact>) => {
    contacts.change(id, { ...changes, updated_at: account.now() })
    return answer(204)
  }
  return [
    {
      ...shapes.contacts,
      act(request) {
        const asked = (name: string) => request.query.get(name)
        const isAsked = (name: string, value: unknown) => asked(name) === null || asked(name) === String(value)
        const email = asked('email')?.toLowerCase() ?? null
        const wanted = contacts.list(
          (contact) =>
            isListed(request, contact) &&
            changedSince(request, '_updated_since')(contact) &&
            (email === null || addressesOf(contact).includes(email)) &&
            isAsked('phone', contact.phone) &&
            isAsked('mobile', contact.mobile) &&
            isAsked('unique_external_id', contact.unique_external_id) &&
            isAsked('company_id', contact.company_id) &&
            isAsked('contact_type', 'contact'),
        )
        return sendList(request, byName(wanted), (contact) => presentListed(account, contact))
      },
    },
    { ...shapes.contact, act: ({ params }) => answer(200, presentContact(account, find(params.id))) },
    {
      ...shapes.findContacts,
      act({ query }) {
        const matching = contacts.search((one) => !one.isDeleted && startsWord(one.name, query.get('term') ?? ''))
        return answer(
          200,
          matching.map(({ id, name }) => ({ id: Number(id), name })),
        )
      },
    },
    {
      ...shapes.makeContact,
      act({ json }) {
        const contact = saveContact(account, json)
        return made(account, 'contacts', contact.id, { ...presentContact(account, contact), deleted: false })
      },
    },
    {
      ...shapes.changeContact,
      act: ({ params, json }) =>
        answer(200, presentContact(account, saveContact(account, json, findActive(params.id)))),
    },
    { ...shapes.removeContact, act: ({ params }) => put(findActive(params.id).id, { isDeleted: true }) },
    {
      ...shapes.restoreContact,
      act({ params }) {
        const contact = find(params.id)
        return contact.isDeleted ? put(contact.id, { isDeleted: false }) : refuse(404, undefined)
      },
    },
    {
      ...shapes.destroyContact,
      // All tickets of the contact are deleted permanently too.
      act({ params, query }) {
        const contact = find(params.id)
        if (!contact.isDeleted && query.get('force') !== 'true') return answer(400)
        contacts.remove(contact.id)
        for (const ticket of tickets.list(({ requester_id }) => requester_id === idOf(contact))) {
          tickets.remove(ticket.id)
          dropConversations(account, idOf(ticket))
        }
        return answer(204)
      },
    },
  ]
}
