import type { MediumFact, PostFact } from './blog-facts.ts'
import type { BlogRules } from './compare-blogs.ts'
import { type Facts, sha256 } from './facts.ts'
import { readWordpress } from './facts-wordpress.ts'
import type { Place } from './place.ts'

const bytesAt = async (url: string) => {
  const answer = await fetch(url)
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null
}

/** The hash of the uploaded file. Ghost and WordPress both keep the upload beside the shown version. */
async function shaOf(url: string): Promise<string | null> {
  if (url.startsWith('sha:')) return url.slice(4)
  if (!URL.canParse(url)) return null
  const whole = url.replace(/-\d+x\d+(\.\w+)$/, '$1')
  for (const one of [whole.replace(/(\.\w+)$/, '_o$1'), whole.replace('-scaled.', '.'), whole]) {
    const bytes = await bytesAt(one)
    if (bytes) return sha256(bytes)
  }
  return null
}

const common = { shaOf, namesAuthors: true, medium: null, member: null }
const who = ({ email, name, isShown }: { email: string; name: string; isShown: boolean }) => ({
  email: email.toLowerCase(),
  name,
  isShown,
})

const everything = ({
  words: _w,
  title: _t,
  slug: _s,
  pictures: _p,
  authors: _a,
  names: _n,
  byline: _b,
  ...rest
}: PostFact) => rest
const ofMedium = ({ title, alt, caption, description, date }: MediumFact) => ({
  title,
  alt,
  caption,
  description,
  date,
})

/** True for a post whose scheduled time passed without publication. It stays a draft. */
const isMissed = ({ status, date }: PostFact) => status === 'future' && Date.parse(String(date)) < Date.now()

/** Comments on files are not copied, because the files have no page. */
const onFiles = (facts: Facts): string[] =>
  [...facts].flatMap(([key, { post }]) =>
    key.startsWith('comments ') && !facts.has(`posts ${post}`) && !facts.has(`pages ${post}`) ? [key] : [],
  )
export const copied = (facts: Facts): Facts => {
  const left = new Set(onFiles(facts))
  return new Map([...facts].filter(([key]) => !left.has(key)))
}
export const explainedOf = async (source: Place): Promise<string[]> =>
  onFiles(await readWordpress(source)).map((key) => `${key} refused parent_missing`)

export const toGhost: BlogRules = {
  ...common,
  post: (post, kind) => {
    const { password, excerpt, date, terms, alt, caption, isFeatured } = post
    const status = isMissed(post) ? 'draft' : post.status
    return {
      // A restricted text does not become public, and an unpublished text does not become published.
      status:
        { publish: password ? 'draft' : 'published', published: 'published', future: 'scheduled' }[status] ?? 'draft',
      ...{ visibility: 'public', excerpt, date, terms, alt, caption },
      ...(kind === 'posts' && { isFeatured }),
    }
  },
  comment: who,
  term: () => ({}),
}

export const toWordpress: BlogRules = {
  ...common,
  post: ({ status, visibility, excerpt, date, terms, isFeatured }, kind) => ({
    status:
      visibility === 'public' || status === 'draft'
        ? ({ published: 'publish', scheduled: 'future' }[status] ?? status)
        : 'private',
    date: status === 'draft' ? null : date,
    excerpt,
    ...(kind === 'posts' && { terms, isFeatured }),
  }),
  comment: who,
  term: ({ slug }) => ({ slug }),
}

const harbourStatuses: Record<string, string> = { publish: 'published', future: 'scheduled', pending: 'draft' }

const isProtected = ({ status, password }: PostFact) => status === 'publish' && password !== ''

export const wordpressInHarbour: BlogRules = {
  ...common,
  namesAuthors: false,
  post: (post) => ({
    ...everything(post),
    // Harbour has fewer statuses and formats.
    status: isMissed(post) ? 'draft' : isProtected(post) ? 'private' : (harbourStatuses[post.status] ?? post.status),
    format: post.format === 'aside' ? 'text' : post.format,
  }),
  comment: ({ email, name, site, isShown }) => ({ email, name, site, isShown }),
  term: ({ slug, parent }) => ({ slug: decodeURIComponent(slug), parent }),
  medium: ofMedium,
}

export const ghostInHarbour: BlogRules = {
  ...common,
  namesAuthors: false,
  post: (post) => ({
    ...everything(post),
    status: post.visibility === 'public' || post.status === 'draft' ? post.status : 'private',
  }),
  comment: who,
  term: ({ slug }) => ({ slug }),
  member: ({ note, labels, isSubscribed, since }) => ({ note, labels, isSubscribed, since }),
}

export const inWordpress: BlogRules = {
  ...common,
  post: ({ status, date, ...post }, kind) => ({
    title: post.title,
    ...{
      status: isMissed({ status, date, ...post }) ? 'draft' : status,
      excerpt: post.excerpt,
      password: post.password,
    },
    ...{ isOpen: post.isOpen, parent: post.parent },
    ...(kind === 'posts'
      ? { terms: post.terms, isFeatured: post.isFeatured, format: post.format }
      : { position: post.position }),
  }),
  comment: ({ email, name, site, isShown }) => ({ email, name, site, isShown }),
  term: ({ slug, parent }) => ({ slug, parent }),
  medium: ofMedium,
}

export const protectedLater = async (source: Place): Promise<string[]> =>
  [...(await readWordpress(source))].flatMap(([key, fact]) => {
    const post = fact as unknown as PostFact
    const isLater = key.startsWith('posts ') && post.status === 'future' && post.password !== '' && !isMissed(post)
    return isLater ? [`${key} refused not_protected`] : []
  })
