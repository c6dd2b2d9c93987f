import { type Fact, type Facts, keyOf, readRows, sortedTexts, words } from './facts.ts'
import { type Ask, inDatabase, type Place } from './place.ts'

type Row = Record<string, unknown> & { id: number }

/** Our marker of invisible characters, and the line after it. */
const mark = /(?:\n\n)?(?:\u200b|\u200c|\u200d|\u2060){30,}/

/**
 * Everything in a Redmine that people see, by table and id. People are identified by e-mail address, other records by
 * name.
 */
export function readRedmine(place: Place): Promise<Facts> {
  return inDatabase(place, async (ask) => {
    const tables = await readTables(ask)
    const facts = new Map<string, Fact>()
    const add = (table: string, id: number, fact: Fact) => facts.set(keyOf(table, id), fact)
    for (const row of tables.people) add('people', row.id, { login: row.login, mail: row.mail, status: row.status })
    for (const row of tables.projects) {
      add('projects', row.id, {
        name: row.name,
        ...said(row.description),
        status: row.status,
        isPublic: row.is_public,
        parent: row.parent,
        homepage: row.homepage ?? '',
        custom: tables.custom('Project', row.id),
        files: tables.files('Project', row.id),
      })
    }
    for (const row of tables.versions) {
      const { text } = said(row.description)
      const custom = tables.custom('Version', row.id)
      add('versions', row.id, { ...withoutId(row), description: text, custom })
    }
    for (const row of tables.categories) add('categories', row.id, withoutId(row))
    for (const row of tables.members) add('members', row.id, withoutId(row))
    for (const row of tables.times) {
      add('times', row.id, {
        ...withoutId(row),
        comments: said(row.comments).text,
        custom: tables.custom('TimeEntry', row.id),
      })
    }
    for (const row of tables.pages) {
      const { text, line } = said(row.text)
      add('pages', row.id, { ...withoutId(row), text, line, files: tables.files('WikiPage', row.id) })
    }
    for (const row of tables.issues) {
      add('issues', row.id, {
        ...withoutId(row),
        ...said(row.description),
        description: undefined,
        watchers: tables.watchers(row.id),
        relations: tables.relations(row.id),
        custom: tables.custom('Issue', row.id),
        thread: tables.thread(row.id),
        files: tables.files('Issue', row.id),
      })
    }
    return facts
  })
}

/** Separates the words of a text from our line, which names its author and time. */
export function said(given: unknown): { text: string; line: string } {
  const [text = '', line = ''] = String(given ?? '').split(mark)
  const named = text
    .replace(/#\d+|!\w+\.png!|^h[1-6]\. /gm, ' ')
    .replace(/\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, '$1')
    .replace(/"([^"]*)":(?=https?:)/g, '$1 ')
  return { text: words(named, 'markup'), line }
}

/** Numbers and line ends have several spellings. */
const plainValue = ({ format, value }: Row): string =>
  format === 'float' ? String(Number(value)) : String(value).replace(/\r\n?/g, '\n')

const withoutId = ({ id: _id, ...rest }: Row): Fact => rest

async function readTables(ask: Ask) {
  const mail = (user: string) =>
    `(select coalesce(lower(e.address), u.login) from users u left join email_addresses e on e.user_id = u.id and e.is_default where u.id = ${user} and u.type = 'User')`
  const name = (user: string) =>
    `(select trim(u.firstname || ' ' || u.lastname) from users u where u.id = ${user} and u.type = 'User')`
  const project = (id: string) => `(select p.name from projects p where p.id = ${id})`
  const [
    people,
    projects,
    versions,
    categories,
    members,
    times,
    pages,
    issues,
    journals,
    files,
    custom,
    watchers,
    relations,
  ] = [
    await ask<Row>(
      `select u.id, login, status, (select lower(address) from email_addresses e where e.user_id = u.id and e.is_default) as mail from users u where type = 'User'`,
    ),
    await ask<Row>(
      `select id, name, description, status, is_public, homepage, ${project('projects.parent_id')} as parent from projects`,
    ),
    await ask<Row>(
      `select id, name, description, status, sharing, to_char(effective_date, 'YYYY-MM-DD') as due, ${project('project_id')} as project from versions`,
    ),
    await ask<Row>(
      `select id, name, ${project('project_id')} as project, ${mail('assigned_to_id')} as owner from issue_categories`,
    ),
    await ask<Row>(
      `select m.id, ${project('m.project_id')} as project, ${mail('m.user_id')} as who, (select array_agg(r.name::text order by r.name) from member_roles mr join roles r on r.id = mr.role_id where mr.member_id = m.id and mr.inherited_from is null) as roles from members m`,
    ),
    await ask<Row>(
      `select t.id, ${project('t.project_id')} as project, t.issue_id as issue, ${mail('t.user_id')} as who, t.hours, to_char(t.spent_on, 'YYYY-MM-DD') as "on", t.comments, (select e.name from enumerations e where e.id = t.activity_id) as activity from time_entries t`,
    ),
    await ask<Row>(
      `select w.id, w.title, c.text, ${project('wk.project_id')} as project, (select up.title from wiki_pages up where up.id = w.parent_id) as parent, ${mail('c.author_id')} as author, ${name('c.author_id')} as author_name from wiki_pages w join wikis wk on wk.id = w.wiki_id join wiki_contents c on c.page_id = w.id`,
    ),
    await ask<Row>(
      `select i.id, i.subject, i.description, t.name as tracker, s.name as status, e.name as priority, ${project('i.project_id')} as project, (select v.name from versions v where v.id = i.fixed_version_id) as version, (select c.name from issue_categories c where c.id = i.category_id) as category, ${mail('i.author_id')} as author, ${name('i.author_id')} as author_name, ${mail('i.assigned_to_id')} as assignee, i.is_private, i.done_ratio, i.estimated_hours as estimate, to_char(i.start_date, 'YYYY-MM-DD') as start, to_char(i.due_date, 'YYYY-MM-DD') as due, i.parent_id as parent, to_char(i.created_on, 'YYYY-MM-DD HH24:MI') as made from issues i join trackers t on t.id = i.tracker_id join issue_statuses s on s.id = i.status_id join enumerations e on e.id = i.priority_id`,
    ),
    await ask<Row>(
      `select j.id, j.journalized_id as issue, j.notes, j.private_notes as private, ${mail('j.user_id')} as author, ${name('j.user_id')} as author_name, to_char(j.created_on, 'YYYY-MM-DD HH24:MI') as made from journals j where j.journalized_type = 'Issue' and coalesce(j.notes, '') <> '' order by j.id`,
    ),
    await ask<Row>(
      `select a.id, a.container_type as type, a.container_id as on_id, a.filename as name, a.filesize as size, a.digest from attachments a`,
    ),
    await ask<Row>(
      `select v.id, v.customized_type as type, v.customized_id as on_id, f.name, f.field_format as format, v.value, case f.field_format when 'user' then ${mail("(case when v.value ~ '^[0-9]+$' then v.value::int end)")} when 'version' then (select x.name from versions x where x.id = (case when v.value ~ '^[0-9]+$' then v.value::int end)) when 'enumeration' then (select x.name from custom_field_enumerations x where x.id = (case when v.value ~ '^[0-9]+$' then v.value::int end)) end as meant from custom_values v join custom_fields f on f.id = v.custom_field_id where coalesce(v.value, '') <> '' and f.name <> 'Wherry key' and f.field_format <> 'version'`,
    ),
    await ask<Row>(
      `select w.id, w.watchable_id as issue, ${mail('w.user_id')} as who from watchers w where w.watchable_type = 'Issue'`,
    ),
    await ask<Row>(`select id, issue_from_id, issue_to_id, relation_type, delay from issue_relations`),
  ]
  const on = (rows: readonly Row[], type: string, id: number) =>
    rows.filter((row) => row.type === type && row.on_id === id)
  return {
    people,
    projects,
    versions,
    categories,
    members,
    times,
    pages,
    issues,
    files: (type: string, id: number) =>
      sortedTexts(
        on(files, type, id).map((file) => ({ name: file.name, size: Number(file.size), digest: file.digest })),
      ),
    custom: (type: string, id: number) =>
      sortedTexts(on(custom, type, id).map((row) => [row.name, row.meant ?? plainValue(row)])),
    watchers: (id: number) =>
      watchers
        .filter(({ issue }) => issue === id)
        .map(({ who }) => String(who))
        .sort(),
    /** Relations as seen from the issue at which each starts. */
    relations: (id: number) =>
      relations
        .filter(({ issue_from_id }) => issue_from_id === id)
        .map((row) => ({ type: row.relation_type, to: row.issue_to_id })),
    thread: (id: number) =>
      journals
        .filter(({ issue }) => issue === id)
        .map(({ notes, private: isPrivate, author, author_name, made }) => ({
          ...said(notes),
          isPrivate,
          author,
          author_name,
          made,
        })),
  }
}

/**
 * Every row, except rows that Redmine writes by itself. For everyone who saves something, it writes preferences with
 * the last used projects, which no API removes. Any page for people creates the account's feed key. An API key that was
 * removed and issued again has a new value, so only its owner is compared.
 */
export const readRedmineRows = (place: Place): Promise<Facts> =>
  inDatabase(place, (ask) =>
    readRows(
      ask,
      (table, column) => {
        const noted = ['user_preferences', 'schema_migrations', 'ar_internal_metadata']
        if (column === undefined) return noted.includes(table)
        if (table === 'tokens') return !['user_id', 'action'].includes(column)
        return ['updated_on', 'last_login_on', 'lock_version', 'lft', 'rgt'].includes(column)
      },
      (table, { action }) => table === 'tokens' && action === 'feeds',
    ),
  )
