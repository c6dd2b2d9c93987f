import { decodeEntities, type Fact, words } from './facts.ts'

// A blog in a form that can be compared between tools. An empty value is always '', [] or null.

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
  /** The names of tags and categories. */
  terms: string[]
  /** Addresses of the shown pictures, the featured one first. */
  pictures: string[]
  isFeatured: boolean
  /** E-mail addresses and names of the authors. */
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

/** A media file with its own record; its bytes are at `url`. */
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

/** The values of a post in a tool that has none of these fields. */
export const emptyPost: PostFact = {
  ...{ title: '', slug: '', words: '', byline: '', status: '', visibility: 'public', date: null, excerpt: '' },
  ...{ terms: [], pictures: [], isFeatured: false, authors: [], names: [], alt: '', caption: '', seoTitle: '' },
  ...{ seoDescription: '', canonical: '', password: '', isOpen: true, format: 'text', parent: null, position: 0 },
}

/** The words of a text, without markup and without our invisible markers. */
export const wordsOf = (html: unknown): string => words(String(html ?? '').replace(/\p{Cf}/gu, ''), 'html')

/** A short text as people read it, without markup. */
export const textOf = (html: unknown): string => {
  const text = decodeEntities(String(html ?? '').replace(/<[^>]*>/g, ''))
  return text.replace(/\s+/g, ' ').trim()
}

const line = /<p[^>]*>\s*<em>\s*Written by ([^<]*)(?:<!--[^>]*-->)?<\/em>\s*<\/p>\s*$/

/** Separates the text that people wrote from our line below it. */
export function splitByline(html: string): { html: string; byline: string } {
  const found = line.exec(html)
  return found ? { html: html.slice(0, found.index), byline: textOf(found[1]) } : { html, byline: '' }
}

export const picturesOf = (above: string | null, html: string): string[] => [
  ...(above ? [above] : []),
  ...[...html.matchAll(/<img [^>]*?src="([^"]+)"/g)].map(([, url = '']) => url),
]

/** Cuts a time to whole seconds, because Ghost and WordPress do not always store fractions. */
export const second = (moment: string | number): string =>
  new Date(Math.floor(new Date(moment).getTime() / 1000) * 1000).toISOString()
