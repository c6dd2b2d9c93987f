import type { MediumFact, PostFact } from './blog-facts.ts'
import { blogOfHarbour } from './blog-of-harbour.ts'
import { type BlogRules, compareBlogs } from './compare-blogs.ts'
import { csvBlog, csvBlogZip } from './csv-blog.ts'
import { selfIds } from './desk-of-harbour.ts'
import { type Facts, sha256 } from './facts.ts'
import { readGhost, readGhostRows } from './facts-ghost.ts'
import { readWordpress, readWordpressRows } from './facts-wordpress.ts'
import { openGhost, openHarbour, openWordpress } from './open-destination.ts'
import type { Pair } from './pair.ts'
import type { Place } from './place.ts'

const bytesAt = async (url: string) => {
  const answer = await fetch(url)
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null
}

/** Ghost and WordPress both keep what was uploaded beside what they show. */
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

const toGhost: BlogRules = {
  ...common,
  post: ({ status, password, excerpt, date, terms, alt, caption, isFeatured }, kind) => ({
    // What only some may see is not shown to everyone, and nothing is published that was not.
    status:
      { publish: password ? 'draft' : 'published', published: 'published', future: 'scheduled' }[status] ?? 'draft',
    ...{ visibility: 'public', excerpt, date, terms, alt, caption },
    ...(kind === 'posts' && { isFeatured }),
  }),
  comment: who,
  term: () => ({}),
}

const toWordpress: BlogRules = {
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

const harbourStatuses: Record<string, string> = { publish: 'published', future: 'scheduled', pending: 'draft' }

const wordpressInHarbour: BlogRules = {
  ...common,
  namesAuthors: false,
  post: (post) => ({
    ...everything(post),
    // Harbour knows less of both.
    status: post.password ? 'private' : (harbourStatuses[post.status] ?? post.status),
    format: post.format === 'aside' ? 'text' : post.format,
  }),
  comment: ({ email, name, site, isShown }) => ({ email, name, site, isShown }),
  term: ({ slug, parent }) => ({ slug: decodeURIComponent(slug), parent }),
  medium: ofMedium,
}

const ghostInHarbour: BlogRules = {
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

const walk = (from: string, to: string) => ({ from, to, family: 'blog' as const })
const silent = { sends_no_mail: true, can_undo: true, delivery_class: 'C' }

export async function wordpressToGhost(source: Place, place: Place): Promise<Pair> {
  return {
    walk: walk('wordpress', 'ghost'),
    source: source.access,
    ...(await openGhost(place)),
    promises: silent,
    moments: [
      ['posts', 3],
      ['comments', 2],
      ['comments', 8],
    ],
    explained: [],
    read: () => readGhost(place),
    rows: () => readGhostRows(place),
    compare: async (before, now, records) => compareBlogs(await readWordpress(source), before, now, records, toGhost),
  }
}

export async function ghostToWordpress(source: Place, place: Place): Promise<Pair> {
  return {
    walk: walk('ghost', 'wordpress'),
    source: source.access,
    ...(await openWordpress(place)),
    promises: silent,
    moments: [
      ['posts', 3],
      ['comments', 2],
      ['comments', 6],
    ],
    explained: [],
    read: () => readWordpress(place),
    rows: () => readWordpressRows(place),
    compare: async (before, now, records) =>
      compareBlogs(withoutMembers(await readGhost(source)), before, now, records, toWordpress),
  }
}

const titled = (facts: Facts): Facts =>
  new Map([...facts].filter(([key, { title }]) => !key.startsWith('posts ') || title !== ''))
const withoutMembers = (facts: Facts): Facts => new Map([...facts].filter(([key]) => !key.startsWith('members ')))

const csvMoments: Pair['moments'] = [
  ['posts', 10],
  ['comments', 5],
  ['comments', 20],
]

export async function csvToGhost(place: Place): Promise<Pair> {
  const rules: BlogRules = { ...toGhost, namesAuthors: false, member: ({ isSubscribed }) => ({ isSubscribed }) }
  return {
    walk: walk('csv', 'ghost'),
    source: { zip: csvBlogZip() },
    ...(await openGhost(place)),
    promises: silent,
    moments: csvMoments,
    explained: [],
    read: () => readGhost(place),
    rows: () => readGhostRows(place),
    compare: (before, now, records) => compareBlogs(csvBlog(), before, now, records, rules),
  }
}

export async function csvToWordpress(place: Place): Promise<Pair> {
  return {
    walk: walk('csv', 'wordpress'),
    source: { zip: csvBlogZip() },
    ...(await openWordpress(place)),
    promises: silent,
    moments: csvMoments,
    explained: [],
    read: () => readWordpress(place),
    rows: () => readWordpressRows(place),
    compare: (before, now, records) =>
      compareBlogs(withoutMembers(csvBlog()), before, now, records, { ...toWordpress, namesAuthors: false }),
  }
}

const toHarbour = {
  promises: { can_undo: true, delivery_class: 'A' },
  moments: [
    ['posts', 1],
    ['pages', 1],
    ['comments', 1],
  ] as Pair['moments'],
  explained: [],
}

export async function wordpressToHarbour(source: Place): Promise<Pair> {
  return {
    walk: walk('wordpress', 'open'),
    source: source.access,
    ...(await openHarbour()),
    ...toHarbour,
    // Harbour takes no post without a title.
    explained: ['posts 16 refused blank'],
    compare: async (_before, now, records) =>
      compareBlogs(
        titled(await readWordpress(source)),
        new Map(),
        blogOfHarbour(now),
        selfIds(records),
        wordpressInHarbour,
      ),
  }
}

export async function ghostToHarbour(source: Place): Promise<Pair> {
  return {
    walk: walk('ghost', 'open'),
    source: source.access,
    ...(await openHarbour()),
    ...toHarbour,
    compare: async (_before, now, records) =>
      compareBlogs(await readGhost(source), new Map(), blogOfHarbour(now), selfIds(records), ghostInHarbour),
  }
}
