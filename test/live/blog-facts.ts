import { plainWords } from '../../service/src/text/plain-words.ts'
import type { GhostCall } from './ghost-seed.ts'
import type { Call } from './wordpress-seed.ts'

/** A post or page as people see it, whatever tool has it. */
export interface PostFact {
  id: string
  title: string
  slug: string
  words: string
  status: string
  date: string | null
  excerpt: string
  terms: string[]
  /** Addresses of the pictures that it shows, the one above it first. */
  pictures: string[]
  isFeatured: boolean
}

export interface CommentFact {
  id: string
  post: string
  parent: string | null
  words: string
  email: string
  date: string
  isShown: boolean
}

export interface BlogFacts {
  posts: PostFact[]
  pages: PostFact[]
  comments: CommentFact[]
}

export const words = (html: string): string => plainWords(html).replace(/\s+/g, ' ').trim()
const picturesOf = (above: string | null, html: string): string[] => [
  ...(above ? [above] : []),
  ...[...html.matchAll(/<img [^>]*?src="([^"]+)"/g)].map(([, url = '']) => url),
]
const second = (moment: string): string => new Date(Math.floor(Date.parse(moment) / 1000) * 1000).toISOString()

// biome-ignore lint/suspicious/noExplicitAny: answers of tools, as a test looks at them
type Json = any

/** Asked of Ghost itself, past the connector. */
export async function readGhostFacts(call: GhostCall): Promise<BlogFacts> {
  const list = async (name: string, query = ''): Promise<Json[]> => {
    const all: Json[] = []
    for (let page = 1; ; page += 1) {
      const answer = await call('GET', `/${name}/?limit=100&page=${page}&order=id%20asc${query}`)
      all.push(...answer[name])
      if (answer.meta.pagination.next === null) return all
    }
  }
  const post = (raw: Json): PostFact => ({
    id: raw.id,
    title: raw.title,
    slug: raw.slug,
    words: words(raw.html ?? ''),
    status: raw.visibility === 'public' ? raw.status : `${raw.status} ${raw.visibility}`,
    date: raw.published_at ? second(raw.published_at) : null,
    excerpt: raw.custom_excerpt ?? '',
    terms: raw.tags.map(({ name }: Json) => name).sort(),
    pictures: picturesOf(raw.feature_image, raw.html ?? ''),
    isFeatured: raw.featured,
  })
  return {
    posts: (await list('posts', '&formats=html&include=tags')).map(post),
    pages: (await list('pages', '&formats=html&include=tags')).map(post),
    comments: (await list('comments')).map((raw) => ({
      id: raw.id,
      post: raw.post.id,
      parent: raw.in_reply_to_id ?? raw.parent_id,
      words: words(raw.html ?? '').replace(/\p{Cf}/gu, ''),
      email: raw.member?.email ?? '',
      date: second(raw.created_at),
      isShown: raw.status === 'published',
    })),
  }
}

/** Asked of WordPress itself, past the connector. */
export async function readWordpressFacts(call: Call): Promise<BlogFacts> {
  const list = async (route: string): Promise<Json[]> => {
    const all: Json[] = []
    for (let page = 1; ; page += 1) {
      const some = (await call('GET', `${route}&context=edit&per_page=100&page=${page}`)) as unknown as Json[]
      all.push(...some)
      if (some.length < 100) return all
    }
  }
  const names = new Map<number, string>()
  for (const kind of ['tags', 'categories']) {
    for (const { id, name } of await list(`/${kind}?hide_empty=false`)) names.set(id, words(name))
  }
  const media = new Map((await list('/media?')).map(({ id, source_url }) => [id, source_url as string]))
  const post = (raw: Json): PostFact => ({
    id: String(raw.id),
    title: words(raw.title.raw),
    slug: raw.slug,
    words: words(raw.content.rendered),
    status: raw.password ? 'protected' : raw.status,
    date: ['draft', 'pending'].includes(raw.status) ? null : second(`${raw.date_gmt}Z`),
    excerpt: words(raw.excerpt.raw),
    terms: [...(raw.tags ?? []), ...(raw.categories ?? [])].map((id: number) => names.get(id) ?? '').sort(),
    pictures: picturesOf(media.get(raw.featured_media) ?? null, raw.content.rendered),
    isFeatured: raw.sticky === true,
  })
  return {
    posts: (await list('/posts?status=any&orderby=id&order=asc')).map(post),
    pages: (await list('/pages?status=any&orderby=id&order=asc')).map(post),
    comments: (await list('/comments?status=all&orderby=id&order=asc')).map((raw) => ({
      id: String(raw.id),
      post: String(raw.post),
      parent: raw.parent ? String(raw.parent) : null,
      words: words(raw.content.rendered),
      email: raw.author_email,
      date: second(`${raw.date_gmt}Z`),
      isShown: raw.status === 'approved',
    })),
  }
}
