import {
  type CommentFact,
  emptyPost,
  type MediumFact,
  type MemberFact,
  type PostFact,
  picturesOf,
  second,
  type TermFact,
  textOf,
  wordsOf,
} from './blog-facts.ts'
import { sourceIdOf } from './desk-of-harbour.ts'
import { type Fact, type Facts, keyOf, ofTable } from './facts.ts'

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const idOf = (reference: unknown): string | null => (reference ? sourceIdOf(reference) : null)
const momentOf = (value: unknown): string | null => (value ? second(String(value)) : null)

/** A Harbour blog in the form for comparisons, by source ids. */
export function blogOfHarbour(facts: Facts): Facts {
  const blog = new Map<string, Fact>()
  const shas = new Map(ofTable(facts, 'media').map(([, { file, sha }]) => [file, `sha:${sha}`]))
  const named = (entity: string, reference: unknown): Fact => facts.get(keyOf(entity, text(idOf(reference)))) ?? {}
  for (const kind of ['posts', 'pages']) {
    for (const [id, raw] of ofTable(facts, kind)) {
      const list = (field: string) => (raw[field] as unknown[] | undefined) ?? []
      const terms = ['tags', 'categories'].flatMap((entity) => list(entity).map((one) => named(entity, one).name))
      // A file is identified by the hash of its bytes, which the comparison searches for.
      const above = raw.feature_image ? `sha:${named('media', raw.feature_image).sha}` : null
      const post: PostFact = {
        ...emptyPost,
        title: textOf(raw.title),
        slug: text(raw.slug),
        words: wordsOf(raw.body),
        status: text(raw.status),
        visibility: text(raw.visibility) || 'public',
        date: momentOf(raw.published_at),
        excerpt: textOf(raw.excerpt),
        terms: terms.map(text).sort(),
        pictures: picturesOf(above, text(raw.body)).map((url) => shas.get(URL.parse(url)?.pathname) ?? url),
        isFeatured: raw.is_featured === true,
        alt: text(raw.feature_image_alt),
        caption: textOf(raw.feature_image_caption),
        seoTitle: text(raw.seo_title),
        seoDescription: text(raw.seo_description),
        canonical: text(raw.canonical_url),
        password: text(raw.password),
        isOpen: raw.comments_enabled !== false,
        format: text(raw.format) || 'text',
        parent: idOf(raw.parent_page),
        position: Number(raw.position ?? 0),
      }
      blog.set(keyOf(kind, id), post)
    }
  }
  for (const [id, raw] of ofTable(facts, 'comments')) {
    const comment: CommentFact = {
      post: text(idOf(raw.post)),
      parent: idOf(raw.parent_comment),
      words: wordsOf(raw.body),
      email: text(raw.author_email),
      name: text(raw.author_name),
      site: text(raw.author_url),
      date: text(momentOf(raw.created_at)),
      isShown: raw.status === 'approved',
    }
    blog.set(keyOf('comments', id), comment)
  }
  for (const kind of ['tags', 'categories']) {
    for (const [id, raw] of ofTable(facts, kind)) {
      const { name, slug, description } = raw
      const term: TermFact = {
        ...{ kind, name: text(name), slug: text(slug), description: text(description) },
        parent: idOf(raw.parent_category),
      }
      blog.set(keyOf('terms', id), term)
    }
  }
  for (const [id, raw] of ofTable(facts, 'media')) {
    const medium: MediumFact = {
      ...{ name: text(raw.file_name), title: textOf(raw.title), alt: textOf(raw.alt) },
      ...{ caption: textOf(raw.caption), description: textOf(raw.description) },
      date: momentOf(raw.created_at),
      url: `sha:${raw.sha}`,
    }
    blog.set(keyOf('media', id), medium)
  }
  for (const [id, raw] of ofTable(facts, 'subscribers')) {
    const member: MemberFact = {
      ...{ email: text(raw.email), name: text(raw.name), note: text(raw.note) },
      labels: [...((raw.labels as string[] | undefined) ?? [])].sort(),
      isSubscribed: raw.status === 'subscribed',
      since: momentOf(raw.created_at),
    }
    blog.set(keyOf('members', id), member)
  }
  return blog
}
