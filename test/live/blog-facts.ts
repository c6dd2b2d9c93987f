import { decodeEntities, type Fact, words } from './facts.ts'

// A blog in a form that can be compared between tools. Empty is always '', [] or null.

export interface PostFact extends Fact {
  title: string
  slug: string
  words: string
  /** Our own line that names an author. */
  byline: string
  status: string
  visibility: string
  date: string | null
  excerpt: string
  /** Tags and categories. */
  terms: string[]
  /** Addresses of the pictures that it shows, the one above it first. */
  pictures: string[]
  isFeatured: boolean
  /** Addresses and names of the authors. */
  authors: string[]
  names: string[]
  alt: string
  caption: string
  seoTitle: string
  seoDescription: string
  canonical: string
  password: string
  isOpen: boolean
  format: string
  parent: string | null
  position: number
}

export interface CommentFact extends Fact {
  post: string
  parent: string | null
  words: string
  email: string
  name: string
  site: string
  date: string
  isShown: boolean
}

export interface TermFact extends Fact {
  kind: string
  name: string
  slug: string
  description: string
  parent: string | null
}

/** A file of its own; `url` is where its bytes are. */
export interface MediumFact extends Fact {
  name: string
  title: string
  alt: string
  caption: string
  description: string
  date: string | null
  url: string
}

export interface MemberFact extends Fact {
  email: string
  name: string
  note: string
  labels: string[]
  isSubscribed: boolean
  since: string | null
}

/** The value in a tool without such a field. */
export const emptyPost: PostFact = {
  ...{ title: '', slug: '', words: '', byline: '', status: '', visibility: 'public', date: null, excerpt: '' },
  ...{ terms: [], pictures: [], isFeatured: false, authors: [], names: [], alt: '', caption: '', seoTitle: '' },
  ...{ seoDescription: '', canonical: '', password: '', isOpen: true, format: 'text', parent: null, position: 0 },
}

/** Texts without markup and signs; our own marks have no width. */
export const wordsOf = (html: unknown): string => words(String(html ?? '').replace(/\p{Cf}/gu, ''), 'html')

/** A short text as people read it, without its markup. */
export const textOf = (html: unknown): string => {
  const text = decodeEntities(String(html ?? '').replace(/<[^>]*>/g, ''))
  return text.replace(/\s+/g, ' ').trim()
}

const line = /<p[^>]*>\s*<em>\s*Written by ([^<]*)(?:<!--[^>]*-->)?<\/em>\s*<\/p>\s*$/

/** The text that people wrote, and our line below it. */
export function splitByline(html: string): { html: string; byline: string } {
  const found = line.exec(html)
  return found ? { html: html.slice(0, found.index), byline: textOf(found[1]) } : { html, byline: '' }
}

export const picturesOf = (above: string | null, html: string): string[] => [
  ...(above ? [above] : []),
  ...[...html.matchAll(/<img [^>]*?src="([^"]+)"/g)].map(([, url = '']) => url),
]

/** Ghost and WordPress keep no parts of seconds everywhere. */
export const second = (moment: string | number): string =>
  new Date(Math.floor(new Date(moment).getTime() / 1000) * 1000).toISOString()
