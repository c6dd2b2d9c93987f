import { type TSchema, Type } from 'typebox'
import type { OperationShape } from '../check-request.ts'
import { paging } from './lists.ts'

// The requests of https://developers.freshdesk.com/api/ that are needed for a help desk, and no others.

const closed = { additionalProperties: false } as const
const orNull = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const text = Type.Optional(Type.String())
const maybe = orNull(Type.String())
const int = Type.Optional(Type.Integer())
const id = orNull(Type.Integer())
const yes = Type.Optional(Type.Boolean())
const texts = Type.Optional(Type.Array(Type.String()))
const ids = Type.Optional(Type.Array(Type.Integer()))
const values = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const object = (properties: Record<string, TSchema>) => Type.Object(properties, closed)

const ticket = {
  name: text,
  requester_id: int,
  email: text,
  phone: text,
  twitter_id: text,
  facebook_id: text,
  unique_external_id: text,
  subject: text,
  type: maybe,
  status: int,
  priority: int,
  description: text,
  responder_id: id,
  custom_fields: values,
  due_by: maybe,
  fr_due_by: maybe,
  email_config_id: id,
  group_id: id,
  parent_id: int,
  product_id: id,
  source: int,
  tags: texts,
  company_id: id,
}
const note = { body: text, incoming: yes, notify_emails: texts, private: yes, user_id: int }
const reply = { body: text, from_email: text, user_id: int, cc_emails: texts, bcc_emails: texts }
const other = object({ company_id: Type.Integer(), view_all_tickets: yes })
const contact = {
  name: text,
  email: maybe,
  phone: maybe,
  mobile: maybe,
  twitter_id: maybe,
  unique_external_id: maybe,
  other_emails: texts,
  company_id: id,
  view_all_tickets: yes,
  other_companies: Type.Optional(Type.Array(other)),
  address: maybe,
  custom_fields: values,
  description: maybe,
  job_title: maybe,
  language: text,
  tags: texts,
  time_zone: text,
}
const company = {
  name: text,
  description: maybe,
  domains: texts,
  note: maybe,
  health_score: maybe,
  account_tier: maybe,
  renewal_date: maybe,
  industry: maybe,
  custom_fields: values,
}
const group = {
  name: text,
  description: maybe,
  agent_ids: ids,
  auto_ticket_assign: int,
  escalate_to: id,
  unassigned_for: text,
}
const folder = { name: text, description: maybe, parent_folder_id: id, visibility: int, company_ids: ids }
const article = { title: text, description: text, status: int, type: int, tags: texts, seo_data: values }
const choice = (inner: TSchema) =>
  object({ id: int, value: text, position: int, deleted: yes, choices: Type.Optional(Type.Array(inner)) })
const choices = Type.Optional(Type.Array(choice(choice(choice(Type.Never())))))
const field = { label: text, type: text, position: int, required_for_agents: yes, choices }
const portal = { label_for_customers: text, customers_can_edit: yes, required_for_customers: yes }
const ticketField = {
  ...field,
  ...portal,
  displayed_to_customers: yes,
  required_for_closure: yes,
  dependent_fields: Type.Optional(
    Type.Array(object({ label: text, label_for_customers: text, level: int, name: text })),
  ),
}
const companyField = {
  ...field,
  agents_can_edit: yes,
  displayed_for_agents: yes,
  quick_add_for_agent: yes,
  unique: yes,
}
const contactField = { ...companyField, ...portal, displayed_for_customers: yes, editable_in_signup: yes }

type Query = OperationShape['query']
const api = <M extends OperationShape['method']>(method: M, path: string, query?: Query) =>
  ({ method, path: `/api/v2/${path}`, query }) as const
const get = (path: string, query?: Query) => api('GET', path, query)
const remove = (path: string, query?: Query) => api('DELETE', path, query)
const listOf = (path: string, query: Query = {}) => get(path, { ...paging, ...query })
const send = <M extends 'POST' | 'PUT'>(method: M, path: string, body: Record<string, TSchema>) => ({
  ...api(method, path),
  json: object(body),
})
/** A request that also accepts a form. `forms` adds the names of the custom fields. */
const sendFiles = <M extends 'POST' | 'PUT'>(method: M, path: string, body: Record<string, TSchema>) => ({
  ...send(method, path, body),
  form: ['attachments[]', ...Object.keys(body), ...Object.keys(body).map((name) => `${name}[]`)],
})
const moment = /\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d(:?\d\d)?)?)?/
const number = /\d{1,15}/
const embed = (names: string) => ({ include: new RegExp(`(${names})(,(${names}))*`) })
const searched = { query: true, page: /\d{1,6}/ } as const

export const shapes = {
  me: get('agents/me'),
  agents: listOf('agents', { email: true, mobile: true, phone: true, state: /fulltime|occasional/ }),
  agent: get('agents/:id'),
  settings: get('settings/helpdesk'),
  products: listOf('products'),
  mailboxes: listOf('email/mailboxes'),

  groups: listOf('groups'),
  group: get('groups/:id'),
  makeGroup: send('POST', 'groups', group),
  changeGroup: send('PUT', 'groups/:id', group),
  removeGroup: remove('groups/:id'),

  contacts: listOf('contacts', {
    email: true,
    mobile: true,
    phone: true,
    unique_external_id: true,
    company_id: number,
    state: /blocked|deleted|unverified|verified/,
    contact_type: /contact|visitor/,
    _updated_since: moment,
  }),
  contact: get('contacts/:id'),
  findContacts: get('contacts/autocomplete', { term: true }),
  makeContact: send('POST', 'contacts', contact),
  changeContact: send('PUT', 'contacts/:id', contact),
  removeContact: remove('contacts/:id'),
  restoreContact: api('PUT', 'contacts/:id/restore'),
  destroyContact: remove('contacts/:id/hard_delete', { force: /true|false/ }),

  companies: listOf('companies'),
  company: get('companies/:id'),
  findCompanies: get('companies/autocomplete', { name: true }),
  makeCompany: send('POST', 'companies', company),
  changeCompany: send('PUT', 'companies/:id', company),
  removeCompany: remove('companies/:id'),

  tickets: listOf('tickets', {
    filter: /new_and_my_open|watching|spam|deleted/,
    requester_id: number,
    email: true,
    unique_external_id: true,
    company_id: number,
    updated_since: moment,
    order_by: /created_at|due_by|updated_at|status/,
    order_type: /asc|desc/,
    ...embed('stats|requester|description'),
  }),
  ticket: get('tickets/:id', embed('conversations|requester|company|stats')),
  makeTicket: sendFiles('POST', 'tickets', { ...ticket, cc_emails: texts, related_ticket_ids: ids }),
  changeTicket: sendFiles('PUT', 'tickets/:id', ticket),
  removeTicket: remove('tickets/:id'),
  restoreTicket: api('PUT', 'tickets/:id/restore'),
  associated: get('tickets/:id/associated_tickets'),
  watchers: get('tickets/:id/watchers'),
  watch: send('POST', 'tickets/:id/watch', { user_id: Type.Integer() }),
  unwatch: api('PUT', 'tickets/:id/unwatch'),
  timeEntries: listOf('tickets/:id/time_entries'),
  allTimeEntries: listOf('time_entries', { executed_after: moment }),
  ratings: listOf('surveys/satisfaction_ratings', { created_since: moment }),
  forumCategories: listOf('discussions/categories'),
  forums: listOf('discussions/categories/:id/forums'),
  archived: get('tickets/archived/:id'),
  removeArchived: remove('tickets/archived/:id'),
  archivedConversations: listOf('tickets/archived/:id/conversations'),

  conversations: listOf('tickets/:id/conversations'),
  makeNote: sendFiles('POST', 'tickets/:id/notes', note),
  makeReply: sendFiles('POST', 'tickets/:id/reply', reply),
  changeConversation: sendFiles('PUT', 'conversations/:id', { body: text }),
  removeConversation: remove('conversations/:id'),

  searchTickets: get('search/tickets', searched),
  searchContacts: get('search/contacts', searched),
  searchCompanies: get('search/companies', searched),

  ticketFields: get('ticket_fields', { type: true }),
  adminFields: get('admin/ticket_fields', { include: /section/ }),
  adminField: get('admin/ticket_fields/:id', { include: /section/ }),
  makeTicketField: send('POST', 'admin/ticket_fields', ticketField),
  changeTicketField: send('PUT', 'admin/ticket_fields/:id', ticketField),
  removeTicketField: remove('admin/ticket_fields/:id'),
  contactFields: get('contact_fields'),
  makeContactField: send('POST', 'contact_fields', contactField),
  changeContactField: send('PUT', 'contact_fields/:id', contactField),
  removeContactField: remove('contact_fields/:id'),
  companyFields: get('company_fields'),
  makeCompanyField: send('POST', 'company_fields', companyField),
  changeCompanyField: send('PUT', 'company_fields/:id', companyField),
  removeCompanyField: remove('company_fields/:id'),

  categories: listOf('solutions/categories'),
  category: get('solutions/categories/:id'),
  makeCategory: send('POST', 'solutions/categories', { name: text, description: maybe }),
  changeCategory: send('PUT', 'solutions/categories/:id', { name: text, description: maybe }),
  removeCategory: remove('solutions/categories/:id'),
  folders: listOf('solutions/categories/:id/folders'),
  subfolders: listOf('solutions/folders/:id/subfolders'),
  folder: get('solutions/folders/:id'),
  makeFolder: send('POST', 'solutions/categories/:id/folders', folder),
  changeFolder: send('PUT', 'solutions/folders/:id', folder),
  removeFolder: remove('solutions/folders/:id'),
  articles: listOf('solutions/folders/:id/articles'),
  translatedArticles: listOf('solutions/folders/:id/articles/:language'),
  article: get('solutions/articles/:id'),
  translation: get('solutions/articles/:id/:language'),
  makeArticle: sendFiles('POST', 'solutions/folders/:id/articles', article),
  changeArticle: sendFiles('PUT', 'solutions/articles/:id', { ...article, agent_id: int }),
  makeTranslation: send('POST', 'solutions/articles/:id/:language', article),
  removeArticle: remove('solutions/articles/:id'),

  removeFile: remove('attachments/:id'),
  file: { method: 'GET', path: '/helpdesk/attachments/:id/:until' },
  inline: { method: 'GET', path: '/inline/attachment', query: { token: true } },
} as const satisfies Record<string, OperationShape>
