import { sourceIdOf } from './desk-of-harbour.ts'
import { type Fact, type Facts, keyOf, ofTable, sortedTexts, words } from './facts.ts'

// Compares Redmine's own database with the records in Harbour's.

const statuses: Record<string, string> = { 'In Progress': 'in_progress', Feedback: 'in_progress' }
const relationFields = {
  ...{ blocks: 'blocks', precedes: 'precedes', relates: 'relates_to', duplicates: 'duplicates' },
  copied_to: 'copied_to',
} as const
/** Harbour has no custom fields with people or versions. */
const isLeftOut = (custom: string) => /^\["(Reviewer|Seen in)"/.test(custom)

interface Note {
  text: string
  isPrivate: boolean
  made: string
}

/** Compares every field of the family, and reports lost and duplicate records. Returns the differences. */
export function compareProjectInHarbour(source: Facts, there: Facts): string[] {
  const wrong: string[] = []
  const same = (what: string, one: unknown, other: unknown) => {
    const [left, right] = [JSON.stringify(one ?? null), JSON.stringify(other ?? null)]
    if (left !== right) wrong.push(`${what}: ${left.slice(0, 400)} became ${right.slice(0, 400)}`)
  }
  const all = (entity: string) => ofTable(there, entity)
  const named = (entity: string, reference: unknown): unknown =>
    reference ? (there.get(keyOf(entity, sourceIdOf(reference)))?.name ?? 'lost') : null
  const titled = (reference: unknown): unknown =>
    reference ? (there.get(keyOf('wiki_pages', sourceIdOf(reference)))?.title ?? 'lost') : null
  const text = (html: unknown) => words(String(html ?? '').replace(/#\d+/g, ' '), 'html')
  const made = (at: unknown) => String(at).slice(0, 16).replace('T', ' ')
  const filesOn = (...parents: string[]) =>
    sortedTexts(
      all('attachments')
        .filter(([, { parent }]) => parents.includes(String(parent).split('/').slice(1).join('/')))
        .map(([, { file_name, sha }]) => [file_name, sha]),
    )
  const filesOf = ({ files }: Fact) =>
    sortedTexts((files as string[]).map((file) => [JSON.parse(file).name, JSON.parse(file).digest]))
  const customOf = (fact: Fact) => (fact.custom as string[]).filter((one) => !isLeftOut(one))
  const list = (
    table: string,
    entity: string,
    from: (fact: Fact) => unknown,
    to: (fact: Fact, id: string) => unknown,
  ) =>
    same(
      table,
      sortedTexts(ofTable(source, table).map(([, fact]) => from(fact))),
      sortedTexts(all(entity).map(([id, fact]) => to(fact, id))),
    )

  list(
    'projects',
    'projects',
    (one) => [
      ...[one.name, one.text, one.status === 5 ? 'closed' : 'active', one.isPublic, one.parent, one.homepage || null],
      ...[customOf(one), filesOf(one)],
    ],
    (one, id) => [
      ...[one.name, text(one.description), one.status, one.is_public ?? false, named('projects', one.parent_project)],
      ...[one.homepage ?? null, one.custom, filesOn(`projects/${id}`)],
    ],
  )
  list(
    'versions',
    'milestones',
    (one) => [one.name, one.description, one.status, one.sharing, one.due ?? null, one.project, customOf(one)],
    (one) => [
      ...[one.name, words(one.description, 'plain'), one.status, one.sharing ?? 'none', one.due_on ?? null],
      ...[named('projects', one.project), one.custom],
    ],
  )
  list(
    'categories',
    'components',
    ({ name, project }) => [name, project],
    ({ name, project }) => [name, named('projects', project)],
  )
  list(
    'times',
    'time_entries',
    (one) => [one.project, one.issue ?? null, one.hours, one.on, one.activity, one.comments, customOf(one)],
    (one) => [
      ...[named('projects', one.project), one.issue ? Number(sourceIdOf(one.issue)) : null, one.hours, one.spent_on],
      ...[one.activity, words(one.description, 'plain'), one.custom],
    ],
  )
  list(
    'pages',
    'wiki_pages',
    (one) => [one.title, one.text, one.project, one.parent ?? null, filesOf(one)],
    (one, id) => [
      ...[String(one.title).replaceAll(' ', '_'), text(one.body), named('projects', one.project)],
      ...[one.parent_page ? String(titled(one.parent_page)).replaceAll(' ', '_') : null, filesOn(`wiki_pages/${id}`)],
    ],
  )

  const comments = Map.groupBy(all('comments'), ([, { issue }]) => sourceIdOf(issue))
  for (const [id, issue] of ofTable(source, 'issues')) {
    const what = `issue ${id}`
    const other = there.get(keyOf('issues', id))
    if (!other) {
      wrong.push(`${what} is lost`)
      continue
    }
    same(`${what} title`, issue.subject, other.title)
    same(`${what} body`, issue.text, text(other.body))
    same(`${what} type`, String(issue.tracker).toLowerCase(), other.type)
    same(`${what} status`, statuses[String(issue.status)] ?? String(issue.status).toLowerCase(), other.status)
    same(`${what} priority`, String(issue.priority).toLowerCase(), other.priority)
    same(`${what} project`, issue.project, named('projects', other.project))
    same(`${what} milestone`, issue.version, named('milestones', other.milestone))
    same(`${what} component`, issue.category, named('components', other.component))
    same(`${what} start`, issue.start, other.start_on)
    same(`${what} due`, issue.due, other.due_on)
    same(`${what} private`, issue.is_private, other.is_private ?? false)
    same(`${what} progress`, issue.done_ratio, other.progress_percent ?? 0)
    same(`${what} hours`, issue.estimate, other.estimate_hours)
    same(`${what} made`, issue.made, made(other.created_at))
    same(`${what} custom`, customOf(issue), customOf(other))
    same(`${what} parent`, issue.parent, other.parent_issue ? Number(sourceIdOf(other.parent_issue)) : null)
    for (const [type, field] of Object.entries(relationFields)) {
      const wanted = (issue.relations as { type: string; to: number }[]).filter((relation) => relation.type === type)
      const got = ((other[field] as unknown[] | undefined) ?? []).map((one) => Number(sourceIdOf(one)))
      same(`${what} ${field}`, wanted.map(({ to }) => to).sort(), got.sort())
    }
    const thread = comments.get(id) ?? []
    same(
      `${what} notes`,
      (issue.thread as Note[]).map((note) => [note.text, note.isPrivate, note.made]),
      thread.map(([, note]) => [text(note.body), note.is_private ?? false, made(note.created_at)]),
    )
    const parents = [`issues/${id}`, ...thread.map(([comment]) => `comments/${comment}`)]
    same(`${what} files`, filesOf(issue), filesOn(...parents))
  }
  same('number of issues', ofTable(source, 'issues').length, all('issues').length)
  return wrong
}
