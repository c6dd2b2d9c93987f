import { Buffer } from 'node:buffer'
import type { LiveTool } from './redmine.ts'

// A small Redmine with odd data to read from, filled through its own API.

export interface Seeded {
  projects: { alpha: number; beta: number; closed: number; bare: number }
  users: { ann: number; bob: number; locked: number; deleted: number }
  /** An issue with a thread that is read in several parts. */
  longIssue: number
  notesInThread: number
  richIssue: number
}

export const oddTexts = {
  emoji: 'Rakete 🚀, Familie 👩‍👩‍👧, 𝒳, e\u0301 und \u00e9',
  arabic: 'النص العربي من اليمين إلى اليسار',
  markup: '<b>not html</b> & "quotes" *bold* _it_ @code@ h1. x | a | b | {{macro}} \\ 100%',
  lines: 'one\ntwo\r\nthree\n\n  four  ',
}

const api = ({ url, access }: LiveTool) => {
  const call = async (method: string, path: string, body?: unknown, login?: string): Promise<Record<string, never>> => {
    const isBytes = body instanceof Uint8Array
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-redmine-api-key': String(access.token),
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        ...(login === undefined ? {} : { 'x-redmine-switch-user': login }),
      },
      ...(body === undefined ? {} : { body: isBytes ? (body as unknown as Blob) : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text.trim() === '' ? {} : JSON.parse(text)
  }
  const make = async (path: string, name: string, value: object, login?: string): Promise<number> =>
    ((await call('POST', path, { [name]: value }, login))[name] as unknown as { id: number }).id
  return { call, make }
}

export async function seedRedmine(tool: LiveTool, notesInThread = 60): Promise<Seeded> {
  const { call, make } = api(tool)
  const user = (login: string, firstname: string, lastname: string) =>
    make('/users.json', 'user', {
      login,
      firstname,
      lastname,
      mail: `${login}@customer.example`,
      generate_password: true,
    })
  const users = {
    ann: await user('ann.stone', 'Ann', 'Stone'),
    bob: await user('bob.hadad', 'بوب', 'حداد'),
    locked: await user('old.hand', 'Old', 'Hand'),
    deleted: await user('gone.girl', 'Gone', 'Girl'),
  }
  const list = async (path: string, name: string) =>
    (await call('GET', path))[name] as unknown as { id: number; name: string; customized_type?: string }[]
  const fields = await list('/custom_fields.json', 'custom_fields')
  const cf = (type: string, name: string) => fields.find((one) => one.customized_type === type && one.name === name)?.id
  const phases = (
    fields.find(({ name }) => name === 'Phase') as unknown as { possible_values: { value: string; label: string }[] }
  ).possible_values
  const roles = new Map((await list('/roles.json', 'roles')).map(({ id, name }) => [name, id]))

  const modules = ['issue_tracking', 'time_tracking', 'wiki', 'files']
  const project = (name: string, identifier: string, rest: object = {}) =>
    make('/projects.json', 'project', {
      name,
      identifier,
      enabled_module_names: modules,
      tracker_ids: [1, 2, 3],
      ...rest,
    })
  const alpha = await project('Alpha & Söhne', 'alpha', {
    description: `${oddTexts.lines}\n\n${oddTexts.markup}`,
    homepage: 'https://alpha.example/',
    is_public: true,
    custom_fields: [{ id: cf('project', 'Cost centre'), value: 'K-17' }],
  })
  const beta = await project('データ基盤', 'beta', { is_public: false, parent_id: alpha })
  const closed = await project('Closed long ago', 'closed', { is_public: false })
  const bare = await project('Nothing switched on', 'bare', { enabled_module_names: [] })
  for (const [projectId, userId, role] of [
    [alpha, users.ann, 'Manager'],
    [alpha, users.bob, 'Developer'],
    [alpha, users.deleted, 'Developer'],
    [beta, users.ann, 'Developer'],
    [closed, users.bob, 'Reporter'],
    [closed, users.locked, 'Developer'],
  ] as const) {
    await make(`/projects/${projectId}/memberships.json`, 'membership', {
      user_id: userId,
      role_ids: [roles.get(role)],
    })
  }
  const shared = await make(`/projects/${alpha}/versions.json`, 'version', {
    name: '1.0',
    description: 'The first',
    due_date: '2020-02-29',
    sharing: 'descendants',
    custom_fields: [{ id: cf('version', 'Codename'), value: 'Ëlk' }],
  })
  await make(`/projects/${alpha}/versions.json`, 'version', { name: '2.0 β' })
  const backend = await make(`/projects/${alpha}/issue_categories.json`, 'issue_category', {
    name: 'Backend',
    assigned_to_id: users.bob,
  })

  const issue = (projectId: number, subject: string, rest: object = {}, login?: string) =>
    make('/issues.json', 'issue', { project_id: projectId, subject, ...rest }, login)
  const upload = async (name: string, bytes: Uint8Array, login?: string) => {
    const answer = await call('POST', `/uploads.json?filename=${encodeURIComponent(name)}`, bytes, login)
    return { token: (answer.upload as unknown as { token: string }).token, filename: name }
  }
  const first = await issue(alpha, 'Plain', { description: 'Nothing special.' }, 'ann.stone')
  const richIssue = await issue(alpha, `Odd: ${oddTexts.emoji} ${oddTexts.arabic} <script>alert(1)</script>`, {
    description: `${oddTexts.markup}\n\nSee #${first} and @#${first}@ and [[beta:Start page|the start]].\n\n!bild.png!\n\n${oddTexts.lines}`,
    tracker_id: 2,
    priority_id: 4,
    start_date: '1969-07-20',
    due_date: '1969-07-24',
    estimated_hours: 12.5,
    done_ratio: 40,
    is_private: true,
    category_id: backend,
    fixed_version_id: shared,
    assigned_to_id: users.bob,
    watcher_user_ids: [users.ann, users.bob],
    uploads: [await upload('bild.png', Buffer.from('not really a picture'))],
    custom_fields: [
      { id: cf('issue', 'Severity'), value: 'Schlimm & „ernst“' },
      { id: cf('issue', 'Platforms'), value: ['Linux', 'データ'] },
      { id: cf('issue', 'Customer'), value: "O'Neil & Sons 🚀" },
      { id: cf('issue', 'Reported on'), value: '1955-11-05' },
      { id: cf('issue', 'Story points'), value: '13' },
      { id: cf('issue', 'Budget'), value: '99.50' },
      { id: cf('issue', 'Billable'), value: '1' },
      { id: cf('issue', 'Reviewer'), value: String(users.ann) },
      { id: cf('issue', 'Seen in'), value: String(shared) },
      { id: cf('issue', 'QA notes'), value: oddTexts.lines },
      { id: cf('issue', 'Spec'), value: 'https://spec.example/?a=1&b=2' },
      { id: cf('issue', 'Phase'), value: phases.find(({ label }) => label === 'Build')?.value },
    ],
  })
  const child = await issue(beta, 'Same title', { parent_issue_id: undefined, fixed_version_id: shared })
  const twin = await issue(beta, 'Same title', { description: '' })
  const archive = await make(`/projects/${closed}/issue_categories.json`, 'issue_category', { name: 'Archive' })
  const old = await issue(closed, 'From the closed project', { category_id: archive }, 'bob.hadad')
  const byDeleted = await issue(alpha, 'By someone who left', {}, 'gone.girl')
  const sub = await issue(alpha, 'Below another', { parent_issue_id: first })
  const longIssue = await issue(alpha, 'A long thread')
  for (let index = 0; index < 4; index += 1) await issue(beta, `Filler ${index}`)

  const note = (id: number, notes: string, rest: object = {}, login?: string) =>
    call('PUT', `/issues/${id}.json`, { issue: { notes, ...rest } }, login)
  await note(richIssue, `First note\n\n${oddTexts.arabic}`, {}, 'ann.stone')
  await note(richIssue, 'Only among us', { private_notes: true }, 'ann.stone')
  await note(richIssue, 'With a file', { uploads: [await upload('leer ünïcödé.txt', new Uint8Array())] }, 'bob.hadad')
  await call('PUT', `/issues/${richIssue}.json`, { issue: { status_id: 2 } })
  await note(byDeleted, 'Bye', { status_id: 5 }, 'gone.girl')
  await note(old, 'Done', { status_id: 6 })
  await call('POST', `/issues/${first}/relations.json`, {
    relation: { issue_to_id: richIssue, relation_type: 'blocks' },
  })
  await call('POST', `/issues/${sub}/relations.json`, {
    relation: { issue_to_id: byDeleted, relation_type: 'relates' },
  })
  await call('POST', `/issues/${child}/relations.json`, {
    relation: { issue_to_id: twin, relation_type: 'precedes', delay: 3 },
  })
  const entry = (rest: object) => make('/time_entries.json', 'time_entry', { hours: 1.25, activity_id: 8, ...rest })
  for (let index = 0; index < 4; index += 1) {
    await entry({
      issue_id: richIssue,
      spent_on: `2020-01-0${index + 1}`,
      user_id: users.ann,
      comments: oddTexts.emoji,
    })
  }
  await entry({
    project_id: beta,
    spent_on: '1999-12-31',
    custom_fields: [{ id: cf('time_entry', 'Invoice'), value: 'R-1' }],
  })

  const wiki = (id: number, title: string, value: object, login?: string) =>
    call('PUT', `/projects/${id}/wiki/${encodeURIComponent(title)}.json`, { wiki_page: value }, login)
  await wiki(alpha, 'Wiki', { text: `h1. Start\n\n* [[Über uns]]\n* #${first}` }, 'ann.stone')
  await wiki(alpha, 'Über uns', {
    text: oddTexts.markup,
    parent_title: 'Wiki',
    uploads: [await upload('plan.txt', Buffer.from('plan'))],
  })
  await wiki(beta, 'Start page', { text: oddTexts.arabic })
  await call('POST', `/projects/${alpha}/files.json`, {
    file: await upload('release.tar.gz', Buffer.from([0, 1, 2, 255])),
  })

  await call('PUT', `/versions/${shared}.json`, { version: { status: 'closed' } })
  await call('PUT', `/projects/${closed}/close.json`)
  await call('PUT', `/users/${users.locked}.json`, { user: { status: 3 } })
  await call('DELETE', `/users/${users.deleted}.json`)
  await tool.run(`
    at = Time.utc(2021, 1, 1)
    Journal.insert_all((1..${notesInThread}).map { |n| { journalized_id: ${longIssue}, journalized_type: 'Issue',
      user_id: ${users.ann}, notes: "note #{n}", created_on: at + n, private_notes: false } })
  `)
  return { projects: { alpha, beta, closed, bare }, users, longIssue, notesInThread, richIssue }
}
