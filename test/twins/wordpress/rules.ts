import { answer } from '../answers.ts'
import type { Clock } from '../clock.ts'
import type { Operation, ToolRules } from '../tool-twin.ts'
import { commentOperations } from './comments.ts'
import { mediaOperations } from './media.ts'
import { addressOf, others, shapes } from './operations.ts'
import { adminId, createSite, gone, isForced, type Site, sendList, sendOne, type User, wpError } from './site.ts'
import { termOperations } from './terms.ts'
import { writingOperations } from './writings.ts'

const capabilities = [
  'upload_files',
  'manage_categories',
  'moderate_comments',
  'unfiltered_html',
  'list_users',
  ...['posts', 'pages'].flatMap((name) =>
    [
      'edit',
      'edit_others',
      'edit_published',
      'edit_private',
      'publish',
      'read_private',
      'delete',
      'delete_others',
      'delete_published',
      'delete_private',
    ].map((right) => `${right}_${name}`),
  ),
]

function userOperations(site: Site): Operation[] {
  const present = (one: User) => ({
    ...one,
    id: Number(one.id),
    slug: one.username,
    url: Number(one.id) === adminId ? site.origin : '',
    link: `${site.origin}/author/${one.username}/`,
  })
  const find = (id: string | undefined) =>
    site.users.get(String(Number(id))) ?? wpError(404, 'rest_user_invalid_id', 'Invalid user ID.')
  return [
    {
      ...others.me,
      act: (request) => {
        const me = present(find(String(adminId)))
        return sendOne(request, { ...me, capabilities: Object.fromEntries(capabilities.map((name) => [name, true])) })
      },
    },
    {
      ...shapes.users.list,
      act: (request) => {
        const compare = (a: User, b: User) => a.name.localeCompare(b.name)
        return sendList(request, site.users.list(), { idOf: ({ id }) => Number(id), compare, order: 'asc', present })
      },
    },
    { ...shapes.users.get, act: (request) => sendOne(request, present(find(request.params.id))) },
    {
      ...shapes.users.make,
      act: (request) => {
        const { username = '', name = username, email = '', roles = ['subscriber'] } = request.json
        if (site.users.list((one) => one.username === username).length > 0)
          wpError(500, 'existing_user_login', 'Sorry, that username already exists!')
        return sendOne(request, present(site.users.put({ id: site.users.nextId(), username, name, email, roles })), 201)
      },
    },
    {
      ...shapes.users.remove,
      act: (request) => {
        const known = find(request.params.id)
        if (!isForced(request)) wpError(501, 'rest_trash_not_supported', 'Users do not support trashing.')
        const heir = Number(request.query.get('reassign'))
        // The user's comments keep the name, and belong to no account.
        for (const one of site.writings.list(({ author }) => String(author) === known.id))
          site.writings.change(one.id, { author: heir })
        site.users.remove(known.id)
        return sendOne(request, gone(present(known)))
      },
    },
  ]
}

const typesOf = () =>
  Object.fromEntries(
    Object.entries({
      post: 'posts',
      page: 'pages',
      attachment: 'media',
      nav_menu_item: 'menu-items',
      wp_block: 'blocks',
    }).map(([slug, rest_base]) => [slug, { slug, rest_base, name: slug }]),
  )

/** WordPress 6.1 as its reference describes it, and as a real site answered. */
export function wordpressRules(clock: Clock, password: string): { rules: ToolRules; site: Site } {
  const site = createSite(clock)
  const key = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const operations: Operation[] = [
    {
      ...others.site,
      act: (request) => sendOne(request, { name: 'Live &amp; odd', url: site.origin, home: site.origin }),
    },
    ...userOperations(site),
    ...writingOperations(site, 'post'),
    ...writingOperations(site, 'page'),
    ...mediaOperations(site),
    ...termOperations(site, 'post_tag'),
    ...termOperations(site, 'category'),
    ...commentOperations(site),
    { ...others.types, act: (request) => sendOne(request, typesOf()) },
    ...[others.menuItems, others.blocks].map(
      (shape): Operation => ({
        ...shape,
        act: (request) => sendList<never>(request, [], { idOf: () => 0, present: () => ({}) }),
      }),
    ),
    {
      ...others.batch,
      act: ({ json }, { each, within }) => {
        const inner = json.requests as { method: string; path: string; body?: unknown }[]
        const isTaken = ({ path }: { path: string }) => /^\/wp\/v2\/(posts|pages|tags|categories)\b/.test(path)
        if (!inner.every(isTaken))
          wpError(400, 'rest_batch_not_allowed', 'The requested route does not support batch requests.')
        const responses = each(inner, ({ method, path, body }) => {
          const { status, json: said } = within(method, path, body)
          return { body: said, status, headers: {} }
        })
        return answer(207, { responses })
      },
    },
  ]
  const admit: ToolRules['admit'] = ({ headers, url, query, method, origin }) => {
    site.origin = origin
    if (headers.authorization === key || url.pathname.startsWith('/wp-content/')) return null
    // With a wrong password the caller is anonymous, and may read public content.
    if (url.pathname === '/wp/v2/users/me')
      return answer(401, {
        code: 'rest_not_logged_in',
        message: 'You are not currently logged in.',
        data: { status: 401 },
      })
    if (method !== 'GET')
      return answer(401, {
        code: 'rest_cannot_create',
        message: 'Sorry, you are not allowed to do that.',
        data: { status: 401 },
      })
    if (query.get('context') !== 'edit') return null
    return answer(401, {
      code: 'rest_forbidden_context',
      message: 'Sorry, you are not allowed to edit this.',
      data: { status: 401 },
    })
  }
  return { site, rules: { operations, admit, addressOf } }
}
