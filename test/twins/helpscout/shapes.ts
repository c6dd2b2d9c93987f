import { type TSchema, Type } from 'typebox'

// The bodies of https://developer.helpscout.com/mailbox-api/ that are needed for a help desk, and no others.

const closed = { additionalProperties: false }
const object = (fields: Record<string, TSchema>) => Type.Object(fields, closed)
const may = (schema: TSchema) => Type.Optional(schema)
const text = Type.String()
const mayText = may(Type.Union([Type.String(), Type.Null()]))
const whole = Type.Integer()
const yes = may(Type.Boolean())
const texts = may(Type.Array(Type.String()))

export const pageQuery = { page: /[1-9]\d*/ }
const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/

export const conversationQuery = {
  ...pageQuery,
  embed: /threads/,
  mailbox: /\d+(,\d+)*/,
  folder: /\d+/,
  status: /active|all|closed|open|pending|spam/,
  tag: true,
  assigned_to: /\d+/,
  modifiedSince: moment,
  number: /\d+/,
  sortField: /createdAt|customerEmail|customerName|mailboxid|modifiedAt|number|score|status|subject|waitingSince/,
  sortOrder: /asc|desc/,
  query: true,
  customFieldsByIds: true,
} as const

const listed = { firstName: true, lastName: true, modifiedSince: moment, query: true } as const
export const customerQuery = {
  ...listed,
  ...pageQuery,
  mailbox: /\d+/,
  sortField: /createdAt|firstName|lastName|modifiedAt|score/,
  sortOrder: /asc|desc/,
} as const
export const customerQueryV3 = { ...listed, email: true, createdSince: moment, cursor: true } as const

const attachment = object({ fileName: text, mimeType: text, data: text })
const attachments = may(Type.Array(attachment))
/**
 * The customer of a thread or a conversation: by id, or by e-mail address together with the fields of a new customer.
 */
const customer = object({
  id: may(whole),
  email: may(text),
  firstName: mayText,
  lastName: mayText,
  phone: mayText,
  jobTitle: mayText,
  photoType: mayText,
  photoUrl: mayText,
  background: mayText,
  location: mayText,
  organization: mayText,
  organizationId: may(whole),
  gender: mayText,
  age: mayText,
})
const history = { imported: yes, createdAt: may(text) }
const copies = { cc: texts, bcc: texts }
const assignTo = may(Type.Union([whole, Type.Null()]))
const fields = Type.Array(object({ id: whole, value: text }))

const threadBodies = {
  customer: { text, customer: may(customer), attachments, ...history, ...copies },
  chats: { text, customer: may(customer), attachments, ...history },
  phones: { text, customer: may(customer), attachments, ...history },
  notes: { text, user: may(whole), status: may(text), attachments, ...history },
  reply: {
    text,
    customer: may(customer),
    draft: yes,
    status: may(text),
    user: may(whole),
    assignTo,
    attachments,
    ...history,
    ...copies,
  },
}
export type ThreadPath = keyof typeof threadBodies

const newConversation = object({
  subject: text,
  customer,
  mailboxId: whole,
  type: text,
  status: text,
  ...history,
  closedAt: may(text),
  autoReply: yes,
  assignTo,
  user: may(whole),
  tags: texts,
  fields: may(fields),
  threads: Type.Array(object({ ...threadBodies.reply, type: text })),
})

const op = { op: text, path: text, value: may(Type.Unknown()) }
const entry = object({ value: text, type: may(text) })
const entries = may(Type.Array(entry))
const address = object({
  city: text,
  country: text,
  lines: texts,
  postalCode: mayText,
  state: mayText,
})
const customerFields = {
  firstName: mayText,
  lastName: mayText,
  phone: mayText,
  photoUrl: mayText,
  photoType: mayText,
  jobTitle: mayText,
  background: mayText,
  location: mayText,
  organization: mayText,
  organizationId: may(Type.Union([whole, Type.Null()])),
  gender: mayText,
  age: mayText,
}
// The documentation names texts, and no null.
const organizationFields = {
  website: may(text),
  description: may(text),
  location: may(text),
  logoUrl: may(text),
  note: may(text),
  domain: may(text),
  domains: texts,
  phones: texts,
  brandColor: may(text),
}

export const bodies = {
  token: object({
    grant_type: text,
    client_id: text,
    client_secret: text,
    code: may(text),
    refresh_token: may(text),
  }),
  conversation: newConversation,
  patch: object(op),
  patches: Type.Array(object(op)),
  tags: object({ tags: Type.Array(text) }),
  fields: object({ fields }),
  snooze: object({ snoozedUntil: text, unsnoozeOnCustomerReply: Type.Boolean() }),
  thread: (path: ThreadPath) => object(threadBodies[path]),
  attachment,
  customer: object({
    ...customerFields,
    emails: entries,
    phones: entries,
    chats: entries,
    socialProfiles: entries,
    websites: may(Type.Array(object({ value: text }))),
    address: may(address),
  }),
  customerOver: object(customerFields),
  entry,
  address,
  property: object({
    type: text,
    slug: text,
    name: text,
    options: may(Type.Array(object({ id: may(text), label: text }))),
  }),
  propertyValue: object({ value: text }),
  organization: object({ name: text, ...organizationFields }),
  organizationOver: object({ name: may(text), ...organizationFields }),
}
