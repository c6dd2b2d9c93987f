import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { shapes } from './operations.ts'
import {
  adminId,
  gone,
  isForced,
  localOf,
  type Site,
  secondOf,
  sendList,
  sendOne,
  type Writing,
  wpError,
} from './site.ts'
import { excerptOf, isFoundBy, rendered, slugOf } from './texts.ts'

type Type = Writing['type']
const nameOf: Record<Type, 'posts' | 'pages' | 'media'> = { post: 'posts', page: 'pages', attachment: 'media' }
const isHidden = (status: string) => ['draft', 'pending', 'trash', 'auto-draft'].includes(status)

export function linkOf(site: Site, { id, type, slug, date, status, parent }: Writing): string {
  if (isHidden(status) || slug === '') return `${site.origin}/?${type === 'page' ? 'page_id' : 'p'}=${id}`
  if (type === 'post') return `${site.origin}/${date.slice(0, 4)}/${slug}/`
  const above = parent === 0 ? undefined : site.writings.get(String(parent))
  return above && type === 'page' ? `${linkOf(site, above)}${slug}/` : `${site.origin}/${slug}/`
}

/** `wp_unique_post_slug` adds a number to a slug that is in use; drafts always keep their slug. */
export function uniqueSlug(site: Site, own: Pick<Writing, 'id' | 'type' | 'status' | 'parent'>, slug: string): string {
  if (isHidden(own.status) || slug === '') return slug
  const isRival = (one: Writing) =>
    one.id !== own.id &&
    !isHidden(one.status) &&
    (own.type === 'attachment' ||
      (own.type === 'page'
        ? one.type === 'attachment' || (one.type === 'page' && one.parent === own.parent)
        : one.type === 'post'))
  const taken = new Set(site.writings.list(isRival).map((one) => one.slug))
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? slug : `${slug}-${number}`
    if (!taken.has(tried)) return tried
  }
}

export function presentWriting(site: Site, one: Writing): Record<string, unknown> {
  const isPrivate = one.status === 'private' ? 'Private: ' : one.password === '' ? '' : 'Protected: '
  const text = (raw: string) => ({ raw, rendered: rendered(raw), protected: one.password !== '' })
  const own =
    one.type === 'post'
      ? { sticky: one.sticky, format: one.format, categories: one.categories, tags: one.tags }
      : { parent: one.parent, menu_order: one.menu_order }
  const history = { count: one.revisions, href: `${site.origin}/wp-json/wp/v2/${nameOf[one.type]}/${one.id}/revisions` }
  return {
    id: Number(one.id),
    date: localOf(one.date),
    date_gmt: one.date,
    modified: localOf(one.modified),
    modified_gmt: one.modified,
    password: one.password,
    slug: one.slug,
    status: one.status,
    type: one.type,
    link: linkOf(site, one),
    title: { raw: one.title, rendered: `${isPrivate}${one.title}` },
    content: { ...text(one.content), block_version: one.content.includes('<!-- wp:') ? 1 : 0 },
    excerpt: { ...text(one.excerpt), rendered: rendered(one.excerpt) || excerptOf(one.content) },
    author: one.author,
    featured_media: one.featured_media,
    comment_status: one.comment_status,
    ping_status: one.ping_status,
    ...own,
    _links: { 'version-history': [history] },
  }
}

export function findWriting(site: Site, type: Type, id: string | undefined): Writing {
  const found = site.writings.get(String(Number(id)))
  if (found?.type !== type) return wpError(404, 'rest_post_invalid_id', 'Invalid post ID.')
  return found
}

/** A request's values for a text, checked as in WordPress; the rest stays unchanged. */
function merge(site: Site, known: Writing, { json }: TwinRequest, isNew: boolean): Writing {
  if (json.author !== undefined && !site.users.get(String(json.author)))
    wpError(400, 'rest_invalid_author', 'Invalid author ID.')
  const picture = json.featured_media
  if (picture && site.writings.get(String(picture))?.type !== 'attachment')
    wpError(400, 'rest_invalid_featured_media', 'Invalid featured media ID.')
  if (json.parent && site.writings.get(String(json.parent))?.type !== 'page')
    wpError(400, 'rest_post_invalid_id', 'Invalid post parent ID.')
  if (json.sticky && json.password) wpError(400, 'rest_invalid_field', 'A post can not be sticky and have a password.')
  const now = secondOf(site.clock.now())
  const asked = json.date_gmt ?? json.date
  const date = asked === undefined ? known.date : String(asked).replace(/Z$/, '')
  const terms = (name: 'tags' | 'categories', taxonomy: string) =>
    (json[name] as number[] | undefined)?.filter((id) => site.terms.get(String(id))?.taxonomy === taxonomy)
  const merged: Writing = {
    ...known,
    ...Object.fromEntries(
      Object.entries(json).filter(([name]) => name in known && !['tags', 'categories'].includes(name)),
    ),
    title: String(json.title ?? known.title).trim(),
    date,
    tags: terms('tags', 'post_tag') ?? known.tags,
    categories: terms('categories', 'category') ?? known.categories,
    id: known.id,
    type: known.type,
  }
  if (merged.title === '' && merged.content === '' && merged.excerpt === '' && merged.type !== 'attachment')
    wpError(400, 'empty_content', 'Content, title, and excerpt are empty.')
  // A text with a future date waits, and is published once its time has passed.
  if (merged.status === 'publish' && date > now) merged.status = 'future'
  if (merged.status === 'future' && date <= now) merged.status = 'publish'
  const wished = json.slug === undefined ? known.slug : slugOf(String(json.slug))
  // Only an accepted text gets an id.
  if (isNew) merged.id = site.writings.nextId()
  const made = wished === '' && !isHidden(merged.status) ? slugOf(merged.title) || merged.id : wished
  merged.slug = uniqueSlug(site, merged, made)
  // A backdated text has the same creation and change time.
  merged.modified = isNew ? date : now
  merged.revisions = isNew ? 0 : known.revisions + (known.content === merged.content ? 0 : 1)
  return merged
}

export const blankWriting = (site: Site, type: Type): Writing => ({
  id: '',
  type,
  date: secondOf(site.clock.now()),
  modified: '',
  slug: '',
  status: type === 'attachment' ? 'inherit' : 'draft',
  password: '',
  title: '',
  content: '',
  excerpt: '',
  author: adminId,
  featured_media: 0,
  comment_status: type === 'page' ? 'closed' : 'open',
  ping_status: type === 'page' ? 'closed' : 'open',
  sticky: false,
  format: 'standard',
  tags: [],
  // Posts get the default category.
  categories: type === 'post' ? [1] : [],
  parent: 0,
  menu_order: 0,
  revisions: 0,
  file: null,
})

export function writingsIn(site: Site, type: Type, { query }: TwinRequest): Writing[] {
  const status = query.get('status') ?? (type === 'attachment' ? 'inherit' : 'publish')
  const search = query.get('search')
  const slugs = query.get('slug')?.split(',').map(slugOf)
  const within = (name: 'tags' | 'categories', one: Writing) =>
    query
      .get(name)
      ?.split(',')
      .some((id) => one[name].includes(Number(id))) ?? true
  return site.writings
    .list((one) => one.type === type)
    .filter((one) =>
      status === 'any' ? !['trash', 'auto-draft'].includes(one.status) : status.split(',').includes(one.status),
    )
    .filter((one) => search === null || isFoundBy(search, [one.title, one.excerpt, one.content, one.file?.path ?? '']))
    .filter((one) => slugs?.includes(one.slug) ?? true)
    .filter((one) => query.get('before') === null || one.date < secondOf(Date.parse(String(query.get('before')))))
    .filter((one) => query.get('after') === null || one.date > secondOf(Date.parse(String(query.get('after')))))
    .filter((one) => within('tags', one) && within('categories', one))
    .filter((one) => query.get('parent')?.split(',').includes(String(one.parent)) ?? true)
}

/** Deletes the text and its comments permanently. */
export function dropWriting(site: Site, { id }: Writing): void {
  for (const comment of site.comments.list(({ post }) => String(post) === id)) site.comments.remove(comment.id)
  for (const one of site.writings.list(({ featured_media }) => String(featured_media) === id))
    site.writings.change(one.id, { featured_media: 0 })
  site.writings.remove(id)
}

export function writingOperations(site: Site, type: 'post' | 'page'): Operation[] {
  const shape = shapes[nameOf[type] as 'posts' | 'pages']
  const present = (one: Writing) => presentWriting(site, one)
  const byDate = (a: Writing, b: Writing) => (a.date < b.date ? -1 : a.date > b.date ? 1 : Number(a.id) - Number(b.id))
  return [
    {
      ...shape.list,
      act: (request) =>
        sendList(request, writingsIn(site, type, request), { idOf: ({ id }) => Number(id), compare: byDate, present }),
    },
    { ...shape.get, act: (request) => sendOne(request, present(findWriting(site, type, request.params.id))) },
    {
      ...shape.make,
      act: (request) => {
        const made = site.writings.put(merge(site, blankWriting(site, type), request, true))
        return sendOne(request, present(made), 201)
      },
    },
    {
      ...shape.change,
      act: (request) => {
        const known = findWriting(site, type, request.params.id)
        return sendOne(request, present(site.writings.put(merge(site, known, request, false))))
      },
    },
    {
      ...shape.remove,
      act: (request) => {
        const known = findWriting(site, type, request.params.id)
        if (isForced(request)) {
          dropWriting(site, known)
          return sendOne(request, gone(present(known)))
        }
        if (known.status === 'trash') wpError(410, 'rest_already_trashed', 'The post has already been deleted.')
        for (const one of site.comments.list(({ post }) => String(post) === known.id))
          site.comments.change(one.id, { status: 'post-trashed' })
        return sendOne(
          request,
          present(site.writings.put({ ...known, status: 'trash', slug: `${known.slug}__trashed` })),
        )
      },
    },
  ]
}
