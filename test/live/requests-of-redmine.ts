import { type TSchema, Type } from 'typebox'
import type { KnownRequests } from '../twins/check-outbound.ts'
import type { OperationShape } from '../twins/check-request.ts'

// The requests of Redmine 5 that are needed for projects. The names are those of its models (`safe_attributes`) and
// controllers (`params`). Redmine silently drops any other name.

const closed = { additionalProperties: false }
/** An object that may have these attributes, and no others. */
const attributes = (...names: string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Any())])), closed)
const wrapped = (name: string, ...names: string[]) => Type.Object({ [name]: attributes(...names) }, closed)

const custom = ['custom_field_values', 'custom_fields']
type Query = NonNullable<OperationShape['query']>
const number = /\d{1,9}/
const pages: Query = { limit: number, offset: number }
const include = (...parts: string[]) => ({ include: new RegExp(`(${parts.join('|')})(,(${parts.join('|')}))*`) })
const issueParts = include('children', 'attachments', 'relations', 'changesets', 'journals', 'watchers')
const issueFilters: Query = {
  ...{ issue_id: true, project_id: number, subproject_id: true, tracker_id: true, status_id: true, author_id: number },
  ...{ assigned_to_id: number, category_id: number, fixed_version_id: number, parent_id: true, watcher_id: number },
  ...{ created_on: true, updated_on: true, cf_: true },
}

const get = (path: string, query: Query = {}): OperationShape => ({ method: 'GET', path, query })
const post = (path: string, json: TSchema): OperationShape => ({ method: 'POST', path, json })
const put = (path: string, json?: TSchema): OperationShape => ({ method: 'PUT', path, ...(json && { json }) })
const remove = (path: string, query: Query = {}): OperationShape => ({
  ...{ method: 'DELETE', path, query },
})
/** The requests of a record type that has its own address and is created below `under`. */
const kept = (name: string, json: TSchema, parts: Query = {}, under = ''): OperationShape[] => [
  get(`/${name}/:file`, parts),
  post(`${under}/${name}.json`, json),
  put(`/${name}/:file`, json),
  remove(`/${name}/:file`),
]

const project = wrapped(
  ...(['project', 'name', 'description', 'homepage', 'is_public', 'identifier', ...custom] as const),
  ...['tracker_ids', 'issue_custom_field_ids', 'parent_id', 'default_version_id', 'default_issue_query_id'],
  ...['default_assigned_to_id', 'enabled_module_names', 'inherit_members'],
)
const issue = wrapped(
  ...(['issue', 'project_id', 'tracker_id', 'status_id', 'category_id', 'assigned_to_id', 'priority_id'] as const),
  ...['fixed_version_id', 'subject', 'description', 'start_date', 'due_date', 'done_ratio', 'estimated_hours'],
  ...[...custom, 'lock_version', 'notes', 'private_notes', 'watcher_user_ids', 'is_private', 'parent_issue_id'],
  ...['deleted_attachment_ids', 'uploads'],
)
const version = wrapped(
  ...([
    'version',
    'name',
    'description',
    'effective_date',
    'due_date',
    'wiki_page_title',
    'status',
    'sharing',
  ] as const),
  ...['default_project_version', ...custom],
)
const user = Type.Object(
  {
    user: attributes(
      ...['firstname', 'lastname', 'mail', 'mail_notification', 'notified_project_ids', 'language', ...custom],
      ...['login', 'status', 'auth_source_id', 'generate_password', 'must_change_passwd', 'admin', 'group_ids'],
      ...['password', 'password_confirmation'],
    ),
    send_information: Type.Optional(Type.Boolean()),
    pref: Type.Optional(Type.Any()),
  },
  closed,
)
const timeEntry = wrapped(
  ...(['time_entry', 'user_id', 'hours', 'comments', 'project_id', 'issue_id', 'activity_id', 'spent_on'] as const),
  ...custom,
)
const wikiPage = wrapped(
  ...(['wiki_page', 'parent_id', 'parent_title', 'title', 'redirect_existing_links', 'is_start_page'] as const),
  ...['text', 'comments', 'version', 'uploads'],
)
const lists = ['issue_statuses', 'trackers', 'roles', 'custom_fields', 'news', 'queries']
const ofProject = ['memberships', 'versions', 'issue_categories', 'files', 'news', 'boards', 'documents']

export const redmineRequests: KnownRequests = {
  operations: [
    ...lists.map((name) => get(`/${name}.json`, pages)),
    ...ofProject.map((name) => get(`/projects/:id/${name}.json`, pages)),
    get('/roles/:file'),
    get('/enumerations/:file', pages),
    // A page for people that reveals the text formatting.
    get('/news'),
    get('/projects.json', { ...pages, ...include('trackers', 'issue_categories', 'enabled_modules'), status: true }),
    ...kept('projects', project, include('trackers', 'issue_categories', 'enabled_modules')),
    ...['close', 'reopen'].map((act) => put(`/projects/:id/${act}.json`)),
    get('/issues.json', { ...pages, ...issueFilters, sort: /id/, ...issueParts }),
    ...kept('issues', issue, issueParts),
    put('/journals/:file', wrapped('journal', 'notes', 'private_notes')),
    post('/issues/:id/watchers.json', wrapped('watcher', 'user_id', 'user_ids')),
    remove('/issues/:id/watchers/:file'),
    post('/issues/:id/relations.json', wrapped('relation', 'relation_type', 'delay', 'issue_to_id')),
    ...kept('memberships', wrapped('membership', 'user_id', 'user_ids', 'role_ids'), {}, '/projects/:id'),
    ...kept('versions', version, {}, '/projects/:id'),
    ...kept('issue_categories', wrapped('issue_category', 'name', 'assigned_to_id'), {}, '/projects/:id'),
    get('/users.json', { ...pages, status: /\d?/, name: true, group_id: number, sort: /created_on,login/ }),
    ...kept('users', user, include('memberships', 'groups')),
    get('/time_entries.json', {
      ...{ ...pages, issue_id: number, project_id: number, subproject_id: true, user_id: number, cf_: true },
      sort: /created_on/,
    }),
    ...kept('time_entries', timeEntry),
    get('/projects/:id/wiki/:file', include('attachments')),
    put('/projects/:id/wiki/:file', wikiPage),
    remove('/projects/:id/wiki/:file', { todo: /nullify/ }),
    get('/attachments/:file'),
    put('/attachments/:file', wrapped('attachment', 'filename', 'content_type', 'description')),
    remove('/attachments/:file'),
    get('/attachments/download/:id'),
    { method: 'POST', path: '/uploads.json', query: { filename: true, content_type: true }, bytes: true },
    post('/projects/:id/files.json', wrapped('file', 'token', 'version_id', 'filename', 'description', 'content_type')),
    get('/search.json', {
      ...{ ...pages, q: true, scope: /all/, all_words: /1/, attachments: /[01]|only/, issues: /1/, wiki_pages: /1/ },
    }),
  ],
  /** A filter by a custom field has the number of the field in its name. */
  addressOf(url) {
    const address = new URL(url)
    for (const [name, value] of url.searchParams) {
      if (!/^cf_\d+$/.test(name)) continue
      address.searchParams.delete(name)
      address.searchParams.set('cf_', value)
    }
    return address
  },
}
