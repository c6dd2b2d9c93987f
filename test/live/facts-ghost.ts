import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type CommentFact,
  emptyPost,
  type MemberFact,
  type PostFact,
  picturesOf,
  second,
  splitByline,
  type TermFact,
  textOf,
  wordsOf,
} from './blog-facts.ts'
import { type Fact, type Facts, keyOf, sha256 } from './facts.ts'
import type { Place } from './place.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of Ghost's own tables, as a test looks at them
type Row = any

function inFile<Answer>({ folder }: Place, act: (ask: (query: string) => Row[]) => Answer): Answer {
  const file = join(folder, 'content/data/ghost.db')
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return act((query) => db.prepare(query).all())
  } finally {
    db.close()
  }
}

/** Some Ghost tables store times as numbers, others as texts. */
const momentOf = (value: string | number | null): string | null => {
  if (value === null) return null
  return second(typeof value === 'string' && !/Z$/.test(value) ? `${value.replace(' ', 'T')}Z` : value)
}

/** Everything in a Ghost that people see, read from its own database file. */
export async function readGhost(place: Place): Promise<Facts> {
  return inFile(place, (ask) => {
    const facts = new Map<string, Fact>()
    const whole = (text: unknown) => String(text ?? '').replaceAll('__GHOST_URL__', place.url)
    const group = (query: string) => Map.groupBy(ask(query), ({ on }) => on as string)
    const tags = group(
      'select pt.post_id as "on", t.name from posts_tags pt join tags t on t.id = pt.tag_id order by pt.sort_order',
    )
    const authors = group(
      'select pa.post_id as "on", u.email, u.name from posts_authors pa join users u on u.id = pa.author_id order by pa.sort_order',
    )
    const rows = ask(
      `select p.*, m.feature_image_alt, m.feature_image_caption, m.meta_title, m.meta_description from posts p left join posts_meta m on m.post_id = p.id`,
    )
    for (const row of rows) {
      const { html, byline } = splitByline(whole(row.html))
      const by = authors.get(row.id) ?? []
      const post: PostFact = {
        ...emptyPost,
        title: row.title,
        slug: row.slug,
        words: wordsOf(html),
        byline,
        status: row.status,
        visibility: row.visibility,
        date: momentOf(row.published_at),
        excerpt: textOf(row.custom_excerpt),
        terms: (tags.get(row.id) ?? []).map(({ name }) => name).sort(),
        pictures: picturesOf(row.feature_image && whole(row.feature_image), html),
        isFeatured: row.featured === 1,
        authors: by.map(({ email }) => email),
        names: by.map(({ name }) => name),
        alt: row.feature_image_alt ?? '',
        caption: textOf(row.feature_image_caption),
        seoTitle: row.meta_title ?? '',
        seoDescription: row.meta_description ?? '',
        canonical: whole(row.canonical_url),
      }
      facts.set(keyOf(row.type === 'page' ? 'pages' : 'posts', row.id), post)
    }
    // A deleted comment stays in its table, hidden, until its post is deleted.
    for (const row of ask(
      `select c.*, m.email, m.name from comments c left join members m on m.id = c.member_id where c.status <> 'deleted'`,
    )) {
      const comment: CommentFact = {
        post: row.post_id,
        parent: row.in_reply_to_id ?? row.parent_id,
        words: wordsOf(row.html),
        email: row.email ?? '',
        name: row.name ?? '',
        site: '',
        date: momentOf(row.created_at) ?? '',
        isShown: row.status === 'published',
      }
      facts.set(keyOf('comments', row.id), comment)
    }
    for (const row of ask('select * from tags')) {
      const { id, name, slug, description } = row
      const term: TermFact = { kind: 'tags', name, slug, description: description ?? '', parent: null }
      facts.set(keyOf('terms', id), term)
    }
    const labels = group(
      'select ml.member_id as "on", l.name from members_labels ml join labels l on l.id = ml.label_id',
    )
    const newsletters = group('select member_id as "on" from members_newsletters')
    for (const row of ask('select * from members')) {
      const member: MemberFact = {
        email: row.email,
        name: row.name ?? '',
        note: String(row.note ?? '').replace(/\s*\(wherry \w+\)\s*$/, ''),
        labels: (labels.get(row.id) ?? []).map(({ name }) => name).sort(),
        isSubscribed: newsletters.has(row.id),
        since: momentOf(row.created_at),
      }
      facts.set(keyOf('members', row.id), member)
    }
    return facts
  })
}

/** Ghost's internal tables, and the keys. A test removes and adds keys; an import never does. */
const ignored =
  /^(actions|sessions|brute|jobs|settings|milestones|migrations|migrations_lock|sqlite_sequence|integrations|api_keys)$/

/** Every row of every table, without columns that change on every access. */
export async function readGhostRows(place: Place): Promise<Facts> {
  return inFile(place, (ask) => {
    const rows = new Map<string, Fact>()
    for (const { name } of ask(`select name from sqlite_master where type = 'table'`)) {
      if (ignored.test(name)) continue
      for (const { updated_at: _at, last_seen_at: _seen, ...row } of ask(`select * from "${name}"`)) {
        rows.set(keyOf(name, sha256(Buffer.from(JSON.stringify(row)))), row)
      }
    }
    return rows
  })
}
