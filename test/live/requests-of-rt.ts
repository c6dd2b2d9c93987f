import { type TSchema, Type } from 'typebox'
import type { KnownRequests } from '../twins/check-outbound.ts'
import type { OperationShape } from '../twins/check-request.ts'

// The requests of Request Tracker 5 that are needed for tickets. The names are those of its records and of RT::REST2.
// It answers 200 or 201 to a request with any other name, and ignores that name.

const closed = { additionalProperties: false }
const attributes = (...names: string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Any())])), closed)

const links = ['MemberOf', 'Parents', 'Children', 'DependsOn', 'DependedOnBy', 'RefersTo', 'ReferredToBy']
const added = links.flatMap((name) => [`Add${name}`, `Delete${name}`])
const ticket = [
  ...['Queue', 'Requestor', 'Cc', 'AdminCc', 'Type', 'Owner', 'Subject', 'InitialPriority', 'FinalPriority', 'SLA'],
  ...['Priority', 'Status', 'TimeWorked', 'TimeLeft', 'TimeEstimated', 'Due', 'Starts', 'Started', 'Resolved'],
  ...['Told', 'CustomFields'],
]
const born = ['Created', 'Creator', 'Content', 'ContentType', 'Attachments', '_RecordTransaction']
const user = attributes(
  ...['Name', 'Password', 'Comments', 'Signature', 'EmailAddress', 'FreeformContactInfo', 'Organization', 'RealName'],
  ...['NickName', 'Lang', 'Gecos', 'HomePhone', 'WorkPhone', 'MobilePhone', 'PagerPhone', 'Address1', 'Address2'],
  ...['City', 'State', 'Zip', 'Country', 'Timezone', 'Disabled', 'Privileged', 'CustomFields', '_RecordTransaction'],
)
const queue = attributes(
  ...['Name', 'Description', 'CorrespondAddress', 'CommentAddress', 'Lifecycle', 'SubjectTag', 'SortOrder', 'Disabled'],
  ...['Cc', 'AdminCc', 'SLA', 'SLADisabled', 'CustomFields', '_RecordTransaction'],
)
const limits = Type.Array(attributes('field', 'value', 'operator', 'entry_aggregator', 'case_sensitive'))

type Query = NonNullable<OperationShape['query']>
const number = /\d{1,9}/
const listed: Query = {
  ...{ fields: true, 'fields[]': true, orderby: /[A-Za-z]+/, order: /ASC|DESC/, page: number, per_page: number },
  ...{ find_disabled_rows: /1/ },
}
const get = (path: string, query: Query = {}): OperationShape => ({ method: 'GET', path, query })
const shown: Query = { fields: true, 'fields[]': true }
const record = (name: string, made: TSchema, changed: TSchema): OperationShape[] => [
  get(`/${name}/:id`, shown),
  { method: 'POST', path: `/${name}`, json: made },
  { method: 'PUT', path: `/${name}/:id`, json: changed },
  { method: 'DELETE', path: `/${name}/:id` },
]
/** Lists that are filtered by conditions in the body; the others are filtered by TicketSQL. */
const limited = ['users', 'queues', 'customfields', 'customroles', 'groups', 'attachments', 'articles', 'assets']

export const rtRequests: KnownRequests = {
  operations: [
    get('/rt'),
    get('/queues/all', listed),
    ...['tickets', 'transactions'].map((name) => get(`/${name}`, { ...listed, query: true })),
    ...limited.map((name): OperationShape => ({ method: 'POST', path: `/${name}`, query: listed, json: limits })),
    ...record('ticket', attributes(...ticket, ...born, ...links), attributes(...ticket, ...links, ...added)),
    ...record('user', user, user),
    ...record('queue', queue, queue),
    ...['customfield', 'transaction', 'attachment', 'group'].map((name) => get(`/${name}/:id`, shown)),
    { method: 'POST', path: '/ticket/:id/history', query: listed, json: limits },
    get('/ticket/:id/history', listed),
    get('/group/:id/members', listed),
    get('/user/:id/groups', listed),
    // Pages for people, used for messages without a mail and for files in their own bytes. A form is sent as a stream,
    // unchecked.
    { method: 'POST', path: '/Ticket/Update.html', form: [] },
    get('/Ticket/Attachment/:transaction/:attachment/'),
  ],
  /** Removes the API's base path. A field of a linked record has the linking field's name in its own name. */
  addressOf(url) {
    const address = new URL(url)
    address.pathname = url.pathname.replace(/^.*\/REST\/2\.0\//, '/')
    for (const [name, value] of url.searchParams) {
      if (!/^fields\[\w+\]$/.test(name)) continue
      address.searchParams.delete(name)
      address.searchParams.append('fields[]', value)
    }
    return address
  },
}
