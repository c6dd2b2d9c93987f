import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { type Account, type Contact, fail, idShape, invalid, nullable, optional, type Values } from './account.ts'
import { checkCustom } from './attributes.ts'

const fold = (text: string) => text.toLowerCase()

function checkUnique({ contacts, settings }: Account, one: Contact): void {
  if (one.role === 'lead') return
  const isSame = (other: Contact) => {
    if (other.id === one.id || other.role === 'lead') return false
    if (one.externalId !== null && other.externalId === one.externalId) return true
    const hasBothKeys = one.externalId !== null && other.externalId !== null
    const isEmail = one.email !== null && other.email !== null && fold(one.email) === fold(other.email)
    return isEmail && (settings.isEmailUnique || !hasBothKeys)
  }
  const [other] = contacts.list(isSame)
  const word = other?.isArchived ? 'An archived' : 'A'
  if (other) fail(409, 'conflict', `${word} contact matching those details already exists with id=${other.id}`)
}

/** A contact with the changes, checked and not yet stored. */
export function mergeContact(account: Account, known: Contact, json: Values): Contact {
  const { role = known.role, email_verified: verified, custom_attributes: custom } = json
  if (role !== 'user' && role !== 'lead') return invalid('role must be user or lead', 'role')
  if (verified !== undefined && json.email === undefined) invalid('email_verified needs an email', 'email_verified')
  const pick = <T>(name: string, otherwise: T): T =>
    json[name] === undefined ? otherwise : ((json[name] || null) as T)
  const email = pick('email', known.email)
  if (email !== null && !/^\S+@\S+$/.test(email)) invalid('email is invalid', 'email')
  const ownerId =
    json.owner_id === undefined || json.owner_id === null ? pick('owner_id', known.ownerId) : String(json.owner_id)
  if (ownerId !== null && !account.admins.get(ownerId)) fail(404, 'not_found', 'Admin not found', 'owner_id')
  const one: Contact = {
    ...known,
    role,
    email,
    ownerId,
    externalId: pick('external_id', known.externalId),
    phone: pick('phone', known.phone),
    name: pick('name', known.name),
    avatar: pick('avatar', known.avatar),
    signedUpAt: pick('signed_up_at', known.signedUpAt),
    lastSeenAt: pick('last_seen_at', known.lastSeenAt),
    isUnsubscribed: Boolean(json.unsubscribed_from_emails ?? known.isUnsubscribed),
    custom: checkCustom(account, 'contact', (custom ?? {}) as Values, known.custom),
    updatedAt: account.now(),
  }
  checkUnique(account, one)
  return one
}

export function makeContact(account: Account, json: Values): Contact {
  if (json.email === undefined && json.external_id === undefined && json.role === undefined)
    invalid('email, external_id or role is needed')
  // Intercom itself assigns the keys of leads.
  if (json.role === 'lead' && json.external_id !== undefined)
    invalid('external_id cannot be set for a lead', 'external_id')
  const isLead = json.role === 'lead'
  const blank: Contact = {
    id: account.nextKey(),
    externalId: isLead ? randomUUID() : null,
    role: isLead ? 'lead' : 'user',
    email: null,
    phone: null,
    name: null,
    avatar: null,
    ownerId: null,
    isUnsubscribed: false,
    signedUpAt: null,
    lastSeenAt: null,
    language: null,
    city: null,
    country: null,
    custom: {},
    companyIds: [],
    tagIds: [],
    notes: [],
    createdAt: account.now(),
    updatedAt: account.now(),
    isArchived: false,
  }
  return account.contacts.put(mergeContact(account, blank, json))
}

export const contactShape = {
  role: optional(Type.String()),
  external_id: optional(Type.String()),
  email: optional(Type.String()),
  email_verified: nullable(Type.Boolean()),
  phone: nullable(Type.String()),
  name: nullable(Type.String()),
  avatar: nullable(Type.String()),
  signed_up_at: nullable(Type.Integer()),
  last_seen_at: nullable(Type.Integer()),
  owner_id: nullable(idShape),
  unsubscribed_from_emails: nullable(Type.Boolean()),
  custom_attributes: nullable(Type.Record(Type.String(), Type.Unknown())),
}
