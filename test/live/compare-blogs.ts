import type { CommentFact, MediumFact, MemberFact, PostFact, TermFact } from './blog-facts.ts'
import { type Fact, type Facts, newFacts, ofTable } from './facts.ts'
import type { LedgerRecord } from './pair-service.ts'

/** The expected content for every field that the destination has. */
export interface BlogRules {
  post(post: PostFact, kind: 'posts' | 'pages'): Partial<PostFact>
  comment(comment: CommentFact): Partial<CommentFact>
  term(term: TermFact): Partial<TermFact>
  /** Null if the tool has no list of media. */
  medium: ((medium: MediumFact) => Partial<MediumFact>) | null
  /** Null if one side has no members. */
  member: ((member: MemberFact) => Partial<MemberFact>) | null
  /** True if authors without an account are named below their texts. */
  namesAuthors: boolean
  /** The hash of the uploaded bytes, even if an address shows a smaller picture; null if there is no file. */
  shaOf(url: string, side: 'source' | 'destination'): Promise<string | null>
}

const mayMatch = ['terms', 'members']

/** All differences, as sentences; empty if the blogs match. */
export async function compareBlogs(
  source: Facts,
  before: Facts,
  now: Facts,
  records: readonly LedgerRecord[],
  rules: BlogRules,
): Promise<string[]> {
  const wrong: string[] = []
  const made = newFacts(before, now)
  const ids = new Map(records.map((row) => [`${row.entity} ${row.source_id}`, row.destination_id]))
  const idOf = (entity: string, id: string) => ids.get(`${entity} ${id}`) ?? null
  const tell = (what: string, is: unknown, should: unknown) => {
    const [left, right] = [JSON.stringify(is), JSON.stringify(should)]
    if (left !== right) wrong.push(`${what}: ${left?.slice(0, 300)} instead of ${right?.slice(0, 300)}`)
  }
  const tellAll = (what: string, there: Fact, expected: Fact) => {
    for (const [name, value] of Object.entries(expected)) tell(`${what} ${name}`, there[name], value)
  }
  /** Compares each row of a table with its copy. */
  async function each<Kind extends Fact>(
    table: string,
    entityOf: (fact: Kind) => string,
    look: (what: string, fact: Kind, there: Kind, id: string) => unknown,
  ) {
    const all = ofTable(source, table) as [string, Kind][]
    // Tags, and people with a known e-mail address, may have existed before.
    const found = new Map(ofTable(mayMatch.includes(table) ? now : made, table) as [string, Kind][])
    for (const [id, fact] of all) {
      const there = found.get(String(idOf(entityOf(fact), id)))
      const what = `${table} ${id}`
      if (there) await look(what, fact, there, id)
      else wrong.push(`${what} is lost: ${JSON.stringify(fact).slice(0, 150)}`)
    }
    return { all: all.length, found: found.size }
  }
  const sameBytes = async (what: string, from: string, to: string) => {
    const [one, other] = [await rules.shaOf(from, 'source'), await rules.shaOf(to, 'destination')]
    if (one === null || one !== other) wrong.push(`${what} shows ${to} for ${from}`)
    if (new URL(from).host === URL.parse(to)?.host) wrong.push(`${what} still shows ${to}`)
  }

  for (const kind of ['posts', 'pages'] as const) {
    const { all, found } = await each<PostFact>(
      kind,
      () => kind,
      async (what, post, there) => {
        const { parent, ...expected } = rules.post(post, kind)
        tellAll(what, there, { title: post.title || '(Untitled)', words: post.words, ...expected })
        if (parent !== undefined) tell(`${what} parent`, there.parent, parent === null ? null : idOf(kind, parent))
        // A slug that is in use gets a number, and unsupported characters are replaced.
        if (/^[a-z0-9-]+$/.test(post.slug) && !/-\d+$/.test(post.slug))
          tell(`${what} slug`, there.slug.replace(/-\d+$/, ''), post.slug)
        const isKept = JSON.stringify(there.authors) === JSON.stringify(post.authors)
        if (rules.namesAuthors && !isKept && post.names[0] && there.byline !== post.names[0])
          wrong.push(`${what} is by ${there.authors} and says "${there.byline}", not ${post.names[0]}`)
        tell(`${what} pictures`, there.pictures.length, post.pictures.length)
        for (const [index, picture] of post.pictures.entries()) {
          await sameBytes(what, picture, String(there.pictures[index]))
        }
      },
    )
    tell(`number of ${kind}`, found, all)
  }
  const comments = await each<CommentFact>(
    'comments',
    () => 'comments',
    (what, comment, there) => {
      tellAll(what, there, { words: comment.words, date: comment.date, ...rules.comment(comment) })
      tell(`${what} post`, there.post, idOf('posts', comment.post) ?? idOf('pages', comment.post))
      const parent = source.has(`comments ${comment.parent}`) ? String(comment.parent) : null
      tell(`${what} parent`, there.parent, parent === null ? null : idOf('comments', parent))
    },
  )
  tell('number of comments', comments.found, comments.all)
  await each<TermFact>(
    'terms',
    ({ kind }) => kind,
    (what, term, there) => {
      const { parent, ...expected } = rules.term(term)
      tellAll(what, there, { name: term.name, description: term.description, ...expected })
      if (parent !== undefined) tell(`${what} parent`, there.parent, parent === null ? null : idOf(term.kind, parent))
    },
  )
  const { medium, member } = rules
  if (medium) {
    await each<MediumFact>(
      'media',
      () => 'media',
      async (what, fact, there) => {
        tellAll(what, there, medium(fact))
        await sameBytes(what, fact.url, there.url)
      },
    )
  } else {
    // Such a file is identified by its address.
    for (const [id, fact] of ofTable(source, 'media') as [string, MediumFact][])
      await sameBytes(`media ${id}`, fact.url, String(idOf('media', id)))
  }
  if (member) {
    const { all, found } = await each<MemberFact>(
      'members',
      () => 'subscribers',
      (what, fact, there) => tellAll(what, there, { email: fact.email, name: fact.name, ...member(fact) }),
    )
    if (found < all) wrong.push(`${all} members became ${found}`)
  }
  return wrong
}
