import { type Fact, type Facts, newFacts, ofTable, sortedTexts } from './facts.ts'
import type { LedgerRecord } from './pair-service.ts'

interface Compared {
  source: Facts
  /** The destination's content before and after the migration. */
  before: Facts
  now: Facts
  records: readonly LedgerRecord[]
}

interface Note {
  text: string
  line: string
  isPrivate: boolean
  author: string | null
  author_name: string | null
  made: string
}

/** Compares every field of every record, and reports lost, duplicate and invented records. Returns the differences. */
export async function compareRedmines({ source, before, now, records }: Compared): Promise<string[]> {
  const made = newFacts(before, now)
  const wrong: string[] = []
  const issues = new Map(
    records.filter(({ entity }) => entity === 'issues').map((row) => [row.source_id, String(row.destination_id)]),
  )
  const known = new Set(ofTable(now, 'people').map(([, { mail }]) => mail))
  const person = (mail: unknown) => (known.has(mail) ? mail : null)
  const same = (what: string, one: unknown, other: unknown) => {
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
    if (left !== right) wrong.push(`${what}: ${left?.slice(0, 400)} became ${right?.slice(0, 400)}`)
  }
  const issueOf = (id: unknown) => (id === null || id === undefined ? null : (issues.get(String(id)) ?? 'lost'))
  const list = (facts: Facts, table: string, shape: (fact: Fact) => unknown) =>
    sortedTexts(ofTable(facts, table).map(([, fact]) => shape(fact)))

  for (const table of ['versions', 'pages', 'projects'] as const) {
    const shape = ({ author: _author, author_name: _name, line: _line, ...rest }: Fact) => rest
    same(table, list(source, table, shape), list(made, table, shape))
  }
  const category = (fact: Fact) => ({ ...fact, owner: person(fact.owner) })
  same('categories', list(source, 'categories', category), list(made, 'categories', category))
  const time = (fact: Fact, isSource: boolean) => ({
    ...fact,
    who: person(fact.who),
    issue: isSource ? issueOf(fact.issue) : fact.issue === null ? null : String(fact.issue),
  })
  same(
    'times',
    list(source, 'times', (fact) => time(fact, true)),
    list(made, 'times', (fact) => time(fact, false)),
  )
  compareMembers()
  const sourceIssues = ofTable(source, 'issues')
  const madeIssues = new Map(ofTable(made, 'issues'))
  same('number of issues', sourceIssues.length, madeIssues.size)
  for (const [id, fact] of sourceIssues) {
    const there = madeIssues.get(String(issueOf(id)))
    const what = `issue ${id}`
    if (!there) {
      wrong.push(`${what} is lost`)
      continue
    }
    for (const field of [
      'subject',
      'text',
      'tracker',
      'status',
      'priority',
      'project',
      'version',
      'category',
      'is_private',
      'done_ratio',
      'estimate',
      'start',
      'due',
      'custom',
      'files',
    ]) {
      same(`${what} ${field}`, fact[field], there[field])
    }
    same(`${what} assignee`, person(fact.assignee), there.assignee)
    same(
      `${what} watchers`,
      (fact.watchers as string[]).filter((mail) => person(mail)),
      there.watchers,
    )
    same(`${what} parent`, issueOf(fact.parent), there.parent === null ? null : String(there.parent))
    const relations = (fact.relations as { type: string; to: number }[]).map(({ type, to }) => `${type} ${issueOf(to)}`)
    const related = (there.relations as { type: string; to: number }[]).map(({ type, to }) => `${type} ${to}`)
    same(`${what} relations`, relations.sort(), related.sort())
    compareAuthor(what, fact as unknown as Note, there as unknown as Note)
    compareThread(what, fact.thread as Note[], there.thread as Note[])
  }
  return wrong

  /** A person with work or booked time in a project becomes a member of it. */
  function compareMembers(): void {
    const member = ({ project, who, roles }: Fact) => JSON.stringify([project, who, roles])
    const wanted = ofTable(source, 'members')
      .filter(([, { who }]) => known.has(who))
      .map(([, fact]) => member(fact))
    const all = ofTable(made, 'members')
    const found = all.map(([, fact]) => member(fact))
    for (const one of wanted) {
      const times = found.filter((other) => other === one).length
      if (times !== 1) wrong.push(`membership ${one} is there ${times} times`)
    }
    const workers = new Set(
      [...ofTable(made, 'issues'), ...ofTable(made, 'times')].map(
        ([, { project, assignee, who }]) => `${project} ${assignee ?? who}`,
      ),
    )
    for (const [, fact] of all) {
      if (!wanted.includes(member(fact)) && !workers.has(`${fact.project} ${fact.who}`))
        wrong.push(`membership ${member(fact)} was made up`)
    }
  }

  /** Our line names an author who could not be set, and always names the time. */
  function compareAuthor(what: string, one: Note, other: Note): void {
    if (!other.line.includes(one.made)) wrong.push(`${what}: "${other.line}" does not say ${one.made}`)
    const isKept = one.author !== null && one.author === other.author
    const isSaid = one.author_name !== null && other.line.includes(one.author_name)
    if (one.author !== null && !isKept && !isSaid) wrong.push(`${what}: ${one.author} is not named: ${other.line}`)
  }

  function compareThread(what: string, thread: readonly Note[], other: readonly Note[]): void {
    same(`${what} notes`, thread.length, other.length)
    for (const [index, note] of thread.entries()) {
      const there = other[index]
      if (!there) return
      same(`${what} note ${index}`, [note.text, note.isPrivate], [there.text, there.isPrivate])
      compareAuthor(`${what} note ${index}`, note, there)
    }
  }
}
