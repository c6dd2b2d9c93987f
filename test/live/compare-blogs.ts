import type { BlogFacts, CommentFact, PostFact } from './blog-facts.ts'
import type { LedgerRecord } from './pair-service.ts'

export interface BlogRules {
  /** What a status of the source is in the destination. */
  status(post: PostFact): string
  /** Tags and categories that a post must have afterwards. */
  terms(post: PostFact): string[]
  /** The texts around what the source has, such as the line that names an author. */
  words(words: string): string
  /** A draft has no date in some tools. */
  date(post: PostFact): string | null
  /** Whether two pictures show the same. */
  isSamePicture(from: string, to: string): Promise<boolean>
}

/** Everything that is not as it should be, in words; nothing is what one wants. */
export async function compareBlogs(
  source: BlogFacts,
  before: BlogFacts,
  after: BlogFacts,
  records: readonly LedgerRecord[],
  rules: BlogRules,
): Promise<string[]> {
  const wrong: string[] = []
  const idOf = (entity: string, id: string) =>
    records.find((record) => record.entity === entity && record.source_id === id)?.destination_id ?? null
  const tell = (what: string, name: string, is: unknown, should: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(should))
      wrong.push(`${what} ${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`)
  }
  for (const kind of ['posts', 'pages'] as const) {
    tell(kind, 'number', after[kind].length - before[kind].length, source[kind].length)
    for (const post of source[kind]) {
      const there = after[kind].find(({ id }) => id === idOf(kind, post.id))
      const what = `${kind} ${post.id} "${post.title}"`
      if (!there) {
        wrong.push(`${what} is not there`)
        continue
      }
      tell(what, 'title', there.title, post.title || '(Untitled)')
      tell(what, 'words', rules.words(there.words), rules.words(post.words))
      tell(what, 'status', there.status, rules.status(post))
      tell(what, 'date', there.date, rules.date(post))
      tell(what, 'excerpt', there.excerpt, post.excerpt)
      tell(what, 'terms', there.terms, rules.terms(post))
      if (kind === 'posts') tell(what, 'featured', there.isFeatured, post.isFeatured)
      if (/^[a-z0-9-]+$/.test(post.slug) && !post.slug.match(/-\d+$/))
        tell(what, 'slug', there.slug.replace(/-\d+$/, ''), post.slug)
      tell(what, 'number of pictures', there.pictures.length, post.pictures.length)
      for (const [index, picture] of post.pictures.entries()) {
        const shown = there.pictures[index]
        if (shown && !(await rules.isSamePicture(picture, shown))) wrong.push(`${what} shows ${shown} for ${picture}`)
      }
    }
  }
  tell('comments', 'number', after.comments.length - before.comments.length, source.comments.length)
  for (const comment of source.comments) {
    const there = after.comments.find(({ id }) => id === idOf('comments', comment.id))
    const what = `comment ${comment.id}`
    if (!there) wrong.push(`${what} is not there`)
    else {
      const place = (one: CommentFact) => [one.words, one.email.toLowerCase(), one.date, one.isShown]
      tell(what, 'content', place(there), place(comment))
      tell(what, 'post', there.post, idOf('posts', comment.post) ?? idOf('pages', comment.post))
      const parent = source.comments.some(({ id }) => id === comment.parent) ? comment.parent : null
      tell(what, 'parent', there.parent, parent === null ? null : idOf('comments', parent))
    }
  }
  return wrong
}
