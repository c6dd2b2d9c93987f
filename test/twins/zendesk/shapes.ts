import { Type } from 'typebox'
import type { OperationShape } from '../check-request.ts'
import {
  closed,
  fieldOf,
  identity,
  imported,
  isUpdated,
  option,
  organization,
  text,
  user,
  userChange,
  wrapped,
  yes,
} from './bodies.ts'
import { paging } from './lists.ts'

// The requests of https://developer.zendesk.com/api-reference/ticketing/ that are needed for a help desk, and no
// others.

const number = /\d{1,6}/
const many = /\d+(,\d+)*/
const include = { include: /[a-z_]+(,[a-z_]+)*/ } as const
const get = (path: string, query?: OperationShape['query']) =>
  ({ method: 'GET', path: `/api/v2/${path}`, query }) as const satisfies OperationShape
const send = <M extends 'POST' | 'PUT'>(method: M, path: string, json?: OperationShape['json']) =>
  ({ method, path: `/api/v2/${path}`, ...(json && { json }) }) as const
const remove = (path: string) => ({ method: 'DELETE', path: `/api/v2/${path}` }) as const
const listOf = (path: string, query: OperationShape['query'] = {}) => get(path, { ...paging, ...query })
const role = { role: /end-user|agent|admin/, 'role[]': /end-user|agent|admin/ } as const
const since = { start_time: /\d{1,11}/, per_page: number, ...include } as const
const exported = { ...since, cursor: true } as const

export const shapes = {
  me: get('users/me', include),
  locales: get('locales'),
  settings: get('account/settings'),
  brands: listOf('brands'),
  forms: listOf('ticket_forms'),
  customObjects: get('custom_objects'),
  customRecordsCount: get('custom_objects/:key/records/count'),
  communityPosts: listOf('community/posts'),

  users: listOf('users', { ...include, ...role, external_id: true }),
  usersCount: get('users/count', role),
  manyUsers: get('users/show_many', { ids: many, external_ids: true, include_deleted: /true|false/, ...include }),
  searchUsers: get('users/search', { query: true, external_id: true, page: number, per_page: number }),
  user: get('users/:id', include),
  makeUser: send('POST', 'users', wrapped('user', user)),
  upsertUser: send('POST', 'users/create_or_update', wrapped('user', user)),
  changeUser: send('PUT', 'users/:id', wrapped('user', userChange)),
  removeUser: remove('users/:id'),
  identities: listOf('users/:id/identities'),
  makeIdentity: send('POST', 'users/:id/identities', wrapped('identity', { ...identity, skip_verify_email: yes })),
  makePrimary: send('PUT', 'users/:id/identities/:identityId/make_primary', Type.Object({}, closed)),
  removeIdentity: remove('users/:id/identities/:identityId'),

  organizations: listOf('organizations', include),
  organizationsCount: get('organizations/count'),
  manyOrganizations: get('organizations/show_many', { ids: many, external_ids: true }),
  searchOrganizations: get('organizations/search', { external_id: true, name: true }),
  organization: get('organizations/:id', include),
  usersOfOrganization: listOf('organizations/:id/users', include),
  makeOrganization: send('POST', 'organizations', wrapped('organization', organization)),
  upsertOrganization: send('POST', 'organizations/create_or_update', wrapped('organization', organization)),
  changeOrganization: send('PUT', 'organizations/:id', wrapped('organization', organization)),
  removeOrganization: remove('organizations/:id'),

  groups: listOf('groups', { ...include, exclude_deleted: /true|false/ }),
  groupsCount: get('groups/count'),
  group: get('groups/:id', include),
  makeGroup: send('POST', 'groups', wrapped('group', { name: text, description: text, is_public: yes })),
  changeGroup: send('PUT', 'groups/:id', wrapped('group', { name: text, description: text, is_public: yes })),
  removeGroup: remove('groups/:id'),
  groupMemberships: listOf('group_memberships', include),
  membershipsOfGroup: listOf('groups/:id/memberships'),
  makeGroupMembership: send(
    'POST',
    'group_memberships',
    wrapped('group_membership', { user_id: Type.Integer(), group_id: Type.Integer(), default: yes }),
  ),
  removeGroupMembership: remove('group_memberships/:id'),
  organizationMemberships: listOf('organization_memberships', include),
  organizationsOfUser: listOf('users/:id/organization_memberships', include),
  makeOrganizationMembership: send(
    'POST',
    'organization_memberships',
    wrapped('organization_membership', { user_id: Type.Integer(), organization_id: Type.Integer(), default: yes }),
  ),
  removeOrganizationMembership: remove('organization_memberships/:id'),

  tickets: listOf('tickets', {
    ...include,
    external_id: true,
    sort_by: true,
    sort_order: /asc|desc/,
    support_type_scope: true,
  }),
  ticketsCount: get('tickets/count'),
  searchTickets: listOf('search/export', { query: /group_id:\d+/, 'filter[type]': /ticket/ }),
  manyTickets: get('tickets/show_many', { ids: many, ...include }),
  ticket: get('tickets/:id', include),
  makeTicket: send('POST', 'tickets', wrapped('ticket', isUpdated)),
  changeTicket: send('PUT', 'tickets/:id', wrapped('ticket', isUpdated)),
  removeTicket: remove('tickets/:id'),
  comments: listOf('tickets/:id/comments', { ...include, include_inline_images: /true|false/, sort_order: /asc|desc/ }),
  hideComment: send('PUT', 'tickets/:id/comments/:comment/make_private'),
  audits: listOf('tickets/:id/audits'),
  requested: listOf('users/:id/tickets/requested', include),
  copied: listOf('users/:id/tickets/ccd', include),
  metrics: get('tickets/:id/metrics'),
  deletedTickets: listOf('deleted_tickets', { sort_by: true, sort_order: /asc|desc/ }),
  suspendedTickets: listOf('suspended_tickets', { sort_by: true, sort_order: /asc|desc/ }),
  restoreTicket: send('PUT', 'deleted_tickets/:id/restore'),
  destroyTicket: remove('deleted_tickets/:id'),
  importTicket: {
    ...send('POST', 'imports/tickets', wrapped('ticket', imported)),
    query: { archive_immediately: /true|false/ },
  },
  importTickets: {
    ...send(
      'POST',
      'imports/tickets/create_many',
      Type.Object({ tickets: Type.Array(Type.Object(imported, closed)) }, closed),
    ),
    query: { archive_immediately: /true|false/ },
  },
  jobs: listOf('job_statuses'),
  manyJobs: get('job_statuses/show_many', { ids: true }),
  job: get('job_statuses/:id'),

  exportTickets: get('incremental/tickets/cursor', {
    ...exported,
    exclude_deleted: /true|false/,
    support_type_scope: /all|agent|ai_agent/,
  }),
  exportUsers: get('incremental/users/cursor', exported),
  exportOrganizations: get('incremental/organizations', since),

  fields: listOf('ticket_fields', { locale: true, creator: /true|false/ }),
  makeField: send('POST', 'ticket_fields', wrapped('ticket_field', fieldOf.ticket)),
  changeField: send('PUT', 'ticket_fields/:id', wrapped('ticket_field', fieldOf.ticket)),
  fieldOptions: listOf('ticket_fields/:id/options'),
  makeOption: send('POST', 'ticket_fields/:id/options', Type.Object({ custom_field_option: option }, closed)),
  userFields: listOf('user_fields'),
  makeUserField: send('POST', 'user_fields', wrapped('user_field', fieldOf.other)),
  makeUserOption: send('POST', 'user_fields/:id/options', Type.Object({ custom_field_option: option }, closed)),
  changeOrganizationField: send(
    'PUT',
    'organization_fields/:id',
    wrapped('organization_field', { custom_field_options: fieldOf.other.custom_field_options }),
  ),
  organizationFields: listOf('organization_fields'),
  makeOrganizationField: send('POST', 'organization_fields', wrapped('organization_field', fieldOf.other)),
  statuses: get('custom_statuses', { status_categories: true, active: /true|false/, default: /true|false/ }),

  upload: {
    method: 'POST',
    path: '/api/v2/uploads',
    query: { filename: true, token: true },
    bytes: true,
  },
  removeUpload: remove('uploads/:token'),
  attachment: get('attachments/:id'),
  content: { method: 'GET', path: '/attachments/token/:secret/', query: { name: true } },
} as const satisfies Record<string, OperationShape>
