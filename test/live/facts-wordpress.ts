import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  type CommentFact,
  emptyPost,
  type MediumFact,
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
import { callAs } from './wordpress-seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of the tool, as a test looks at them
type Json = any

const run = promisify(execFile)
const formats: Record<string, string> = { standard: 'text', image: 'photo' }

/** Everything that people see of a WordPress. WordPress generates its pages on request, so the site itself is asked. */
export async function readWordpress(place: Place): Promise<Facts> {
  const call = callAs(place.access)
  const list = async (route: string): Promise<Json[]> => {
    const all: Json[] = []
    for (let page = 1; ; page += 1) {
      const some = (await call('GET', `${route}&context=edit&per_page=100&page=${page}`)) as unknown as Json[]
      all.push(...some)
      if (some.length < 100) return all
    }
  }
  const facts = new Map<string, Fact>()
  const terms = new Map<number, string>()
  for (const kind of ['tags', 'categories']) {
    for (const { id, name, slug, description, parent } of await list(`/${kind}?hide_empty=false`)) {
      terms.set(id, textOf(name))
      const words = { name: textOf(name), description: textOf(description) }
      const term: TermFact = { kind, slug, ...words, parent: parent ? String(parent) : null }
      facts.set(keyOf('terms', id), term)
    }
  }
  const people = new Map<number, Json>((await list('/users?')).map((user) => [user.id, user]))
  const media = new Map<number, MediumFact>()
  for (const raw of await list('/media?orderby=id&order=asc')) {
    const medium: MediumFact = {
      name: decodeURIComponent(new URL(raw.source_url).pathname.split('/').at(-1) ?? ''),
      title: textOf(raw.title.raw),
      alt: textOf(raw.alt_text),
      caption: textOf(raw.caption.raw),
      description: textOf(raw.description.raw),
      date: second(`${raw.date_gmt}Z`),
      url: raw.source_url,
    }
    media.set(raw.id, medium)
    facts.set(keyOf('media', raw.id), medium)
  }
  for (const kind of ['posts', 'pages']) {
    for (const raw of await list(`/${kind}?status=any&orderby=id&order=asc`)) {
      const { html, byline } = splitByline(raw.content.rendered)
      const author = people.get(raw.author)
      const above = media.get(raw.featured_media)
      const post: PostFact = {
        ...emptyPost,
        title: textOf(raw.title.raw),
        slug: raw.slug,
        words: wordsOf(html),
        byline,
        status: raw.status,
        date: ['draft', 'pending'].includes(raw.status) ? null : second(`${raw.date_gmt}Z`),
        excerpt: textOf(raw.excerpt.raw),
        terms: [...(raw.tags ?? []), ...(raw.categories ?? [])].map((id: number) => terms.get(id) ?? '').sort(),
        pictures: picturesOf(above?.url ?? null, html),
        isFeatured: raw.sticky === true,
        authors: author ? [author.email] : [],
        names: author ? [textOf(author.name)] : [],
        alt: above?.alt ?? '',
        caption: above?.caption ?? '',
        password: raw.password,
        isOpen: raw.comment_status === 'open',
        format: formats[raw.format] ?? raw.format ?? 'text',
        parent: raw.parent ? String(raw.parent) : null,
        position: raw.menu_order ?? 0,
      }
      facts.set(keyOf(kind, raw.id), post)
    }
  }
  for (const raw of await list('/comments?status=all&orderby=id&order=asc')) {
    const comment: CommentFact = {
      post: String(raw.post),
      parent: raw.parent ? String(raw.parent) : null,
      words: wordsOf(raw.content.rendered),
      email: raw.author_email,
      name: textOf(raw.author_name),
      site: raw.author_url,
      date: second(`${raw.date_gmt}Z`),
      isShown: raw.status === 'approved',
    }
    facts.set(keyOf('comments', raw.id), comment)
  }
  return facts
}

/**
 * WordPress' own notes: options that change with every request or the first post, sessions, counters, and the formats
 * that posts have ever had, as terms that only WordPress can see.
 */
const isIgnored = (table: string, row: Json): boolean =>
  (table === 'wp_terms' && /^post-format-/.test(row.slug)) ||
  (table === 'wp_term_taxonomy' && row.taxonomy === 'post_format') ||
  (table === 'wp_options' &&
    /^(_transient|_site_transient|cron$|rewrite_rules|fresh_site$|wp_calendar_block_has|.*_children$)/.test(
      row.option_name,
    )) ||
  (table === 'wp_usermeta' && /^(session_tokens|_application_passwords)$/.test(row.meta_key))

/** Every row of WordPress' own database. */
export async function readWordpressRows({ folder }: Place): Promise<Facts> {
  const ask = async (query: string): Promise<string[]> => {
    const options = ['--no-defaults', `--socket=${folder}/db.sock`, '-u', 'root', '-N', '-B', '-r', 'wordpress', '-e']
    const { stdout } = await run('mariadb', [...options, query], { maxBuffer: 256 * 1024 * 1024 })
    return stdout.split('\n').filter((line) => line !== '')
  }
  const rows = new Map<string, Fact>()
  const columns = await ask(
    `select json_array(table_name, group_concat(quote(column_name), ',', '\`', column_name, '\`' order by ordinal_position)) from information_schema.columns where table_schema = 'wordpress' group by table_name`,
  )
  for (const line of columns) {
    const [table, pairs] = JSON.parse(line) as [string, string]
    for (const text of await ask(`select json_object(${pairs}) from \`${table}\``)) {
      const row = JSON.parse(text)
      if (!isIgnored(table, row)) rows.set(keyOf(table, sha256(Buffer.from(text))), row)
    }
  }
  return rows
}
