import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OutgoingFile, OutgoingRecord, WriteOutcome } from '../../service/src/connectors/contract.ts'
import { redmine } from '../../service/src/connectors/redmine/index.ts'
import { openRedmineWriter } from '../../service/src/connectors/redmine/writer.ts'
import { countMails } from './redmine.ts'
import { isSame } from './redmine-copying.ts'
import { accountOf, callRedmine, outbound, readLiveRedmine } from './redmine-live.ts'

// A real tool is slow, and slower still on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

afterAll(() => outbound.close())

type Written = Extract<WriteOutcome, { result: 'written' }>

describe.skipIf(live === null)('writing to a real Redmine (WHERRY_LIVE_REDMINE says where)', () => {
  if (!live) {
    test.skip('WHERRY_LIVE_REDMINE must hold what node test/live/start-redmine.ts prints', () => {})
    return
  }
  const { destination } = live
  const call = (method: string, path: string, body?: unknown) => callRedmine(destination, method, path, body)
  const writer = openRedmineWriter(accountOf(destination), 'project')
  // Each run leaves keys of its own, so that it can be repeated.
  const run = `imp_${randomBytes(8).toString('hex')}`
  let mails: number

  const outgoing = (
    key: string,
    fields: Record<string, unknown>,
    rest: Partial<OutgoingRecord> = {},
  ): OutgoingRecord => ({
    key: `${run}/${key}`,
    destinationId: null,
    fields,
    customFields: {},
    createdAt: '2001-02-03T04:05:06.000Z',
    updatedAt: null,
    createdBy: { name: 'Ada Lovelace', email: null, userId: null },
    ...rest,
  })
  const write = async (entity: string, record: OutgoingRecord): Promise<Written> => {
    const [outcome] = await writer.write(entity, [record])
    if (outcome?.result !== 'written') throw new Error(`${entity}: ${JSON.stringify(outcome)}`)
    return outcome
  }
  const refer = (entity: string, { key, destinationId }: { key: string; destinationId: string }) => ({
    entity,
    key,
    destinationId,
  })
  const find = (entity: string, record: OutgoingRecord, parent?: { entity: string; destinationId: string }) =>
    writer.find(entity, [{ key: record.key, destinationId: null, parent: parent ?? null }])
  const remove = async (entity: string, { key, destinationId, version }: Written) =>
    (await writer.remove(entity, [{ key, destinationId, version, parent: null }]))[0]

  let project: Written
  const inProject = () => refer('projects', project)
  let issues = 0
  const makeIssue = (fields: Record<string, unknown> = {}, rest: Partial<OutgoingRecord> = {}) => {
    issues += 1
    const record = outgoing(`issues/${issues}`, { title: `Issue ${issues}`, project: inProject(), ...fields }, rest)
    return record
  }
  const makeFile = (
    key: string,
    fields: Record<string, unknown>,
    bytes: Buffer,
    size: number | null = bytes.length,
  ): OutgoingFile => ({
    ...outgoing(key, fields),
    size,
    contentType: 'application/octet-stream',
    body: Readable.from(bytes.length === 0 ? [] : [bytes]),
  })

  beforeAll(async () => {
    mails = await countMails(destination.mailFolder)
    await writer.describe()
    project = await write('projects', outgoing('projects/1', { key: 'writing', name: 'Writing' }))
  })

  test('the account is described as it is, and what must be prepared is said', async () => {
    const { capabilities, textFormat, entities } = await writer.describe()
    expect(capabilities).toMatchObject({ deliveryClass: 'C', silentCreate: false, backdate: false, delete: true })
    expect(textFormat).toBe('textile')
    expect(entities.issues?.fields.status?.options).toEqual([
      'new',
      'in_progress',
      'resolved',
      'Feedback',
      'closed',
      'rejected',
    ])
    expect(entities.issues?.customFields).toContainEqual({
      key: 'phase',
      label: 'Phase',
      type: 'option',
      many: false,
      options: ['Idea', 'Build', 'Done'],
    })
    expect(JSON.stringify(entities)).not.toContain('Wherry key')
    const checks = (await writer.preflight?.()) ?? []
    expect(checks.map(({ code, isFine, isBlocking }) => [code, isFine, isBlocking])).toEqual([
      ['key_field_issue', true, true],
      ['key_field_time_entry', true, true],
      ['mail_not_silent', false, false],
      ['parents_computed', true, false],
    ])
  })

  test('a wrong key is refused, although lists would answer it', async () => {
    const wrong = { ...destination, access: { ...destination.access, token: 'wrong' } }
    await expect(redmine.destination?.checkAccount(accountOf(wrong))).rejects.toThrow('does not accept this API key')
    await expect(redmine.source?.checkAccount(accountOf(destination))).resolves.toEqual({
      name: `Redmine Admin at ${new URL(destination.url).host}`,
    })
  })

  const texts = [
    ['emoji', 'Rakete 🚀 👩‍👩‍👧 𝒳 e\u0301'],
    ['right to left', 'النص العربي\u200f من اليمين'],
    ['markup', '<b>x</b> *b* _i_ @c@ h1. x\n\n|a|b|\n\n<pre>{{x}}</pre> "l":http://x.example & \\ %'],
    ['lines', 'one\ntwo\n\n  three  \n'],
    ['empty', ''],
    ['nothing but space', '  \n\n'],
    ['a character that databases cannot hold', 'a\0b'],
    ['long', 'ü'.repeat(70_000)],
    ['characters without width', 'a\u200b\u200c\u200d\u2060b\u2060\u200b\u2060'],
  ] as const

  test.each(texts)('an issue and a note with odd text are read back as they were sent: %s', async (_name, text) => {
    const record = makeIssue({ title: text.replaceAll('\n', ' ').trim().slice(0, 200) || 'x', body: text })
    const issue = await write('issues', record)
    const foundIssues = await find('issues', record)
    expect(foundIssues.map(({ destinationId }) => destinationId)).toEqual([issue.destinationId])
    expect(foundIssues[0]).toMatchObject(writer.asStored('issues', record))
    const note = outgoing(`comments/${issue.destinationId}`, {
      issue: refer('issues', issue),
      body: text,
      is_private: true,
    })
    const written = await write('comments', note)
    const notes = await find('comments', note, { entity: 'issues', destinationId: issue.destinationId })
    expect(notes.map(({ destinationId }) => destinationId)).toEqual([written.destinationId])
    expect(notes.every((one) => isSame(one, writer.asStored('comments', note)))).toBe(true)
    // Without its parent it is found by its mark.
    expect(await find('comments', note)).toEqual(notes)
  })

  test('who wrote it and when stands under the text, and the key nowhere that people look', async () => {
    const issue = await write('issues', makeIssue({ body: 'Hello', key: '#77' }))
    const { json } = await call('GET', `/issues/${issue.destinationId}.json`)
    const shown = json.issue.description.replace(/[\u200b-\u200d\u2060]/g, '')
    expect(shown).toBe('Hello\r\n\r\nAda Lovelace, 2001-02-03 04:05 UTC, was #77')
  })

  test('status, dates before 1970, an empty start and the defaults of fields are as they were sent', async () => {
    const record = makeIssue(
      {
        status: 'closed',
        priority: 'immediate',
        type: 'support',
        due_on: '1969-12-31',
        estimate_hours: 1.3333333,
        progress_percent: 30,
      },
      {
        customFields: {
          story_points: { label: 'Story points', type: 'integer', value: 8 },
          phase: { label: 'Phase', type: 'option', value: 'Done' },
        },
      },
    )
    const { destinationId } = await write('issues', record)
    const { json } = await call('GET', `/issues/${destinationId}.json`)
    expect(json.issue).toMatchObject({
      status: { name: 'Closed' },
      priority: { name: 'Immediate' },
      tracker: { name: 'Support' },
      start_date: null,
      due_date: '1969-12-31',
      estimated_hours: 1.3333333,
      done_ratio: 30,
    })
    const values = Object.fromEntries(
      json.issue.custom_fields.map(({ name, value }: { name: string; value: unknown }) => [name, value]),
    )
    expect(values).toMatchObject({ 'Story points': '8', Customer: '' })
    const [found] = await find('issues', record)
    expect(found && isSame(found, writer.asStored('issues', record))).toBe(true)
  })

  test('a value that does not fit stays behind alone, and it is said', async () => {
    const record = makeIssue({}, { customFields: { phase: { label: 'Phase', type: 'option', value: 'Nonsense' } } })
    expect((await write('issues', record)).losses).toEqual(['custom_value_refused'])
  })

  test('what Redmine refuses is told in its words, and nothing is left', async () => {
    const record = makeIssue({ start_on: '2024-05-02', due_on: '2024-05-01' })
    expect(await writer.write('issues', [record])).toEqual([
      { key: record.key, result: 'refused', code: 'invalid', message: 'Due date must be greater than start date' },
    ])
    expect(await find('issues', record)).toEqual([])
  })

  test('a closed version and a closed project take what belongs to them, and stay closed', async () => {
    const parent = await write('projects', outgoing('projects/2', { name: 'Closed' }))
    const below = await write(
      'projects',
      outgoing('projects/3', { name: 'Open below', parent_project: refer('projects', parent) }),
    )
    const again = {
      ...outgoing('projects/2', { name: 'Closed', status: 'closed' }),
      destinationId: parent.destinationId,
    }
    await write('projects', again)
    const version = await write(
      'milestones',
      outgoing('milestones/1', { project: refer('projects', parent), name: '1.0', status: 'closed' }),
    )
    const record = makeIssue({
      project: refer('projects', parent),
      milestone: refer('milestones', version),
      status: 'closed',
    })
    const issue = await write('issues', record)
    await write('comments', outgoing('comments/closed', { issue: refer('issues', issue), body: 'in a closed one' }))
    const [found] = await find('issues', record)
    expect(found && isSame(found, writer.asStored('issues', record))).toBe(true)
    const status = async ({ destinationId }: Written) =>
      (await call('GET', `/projects/${destinationId}.json`)).json.project.status
    expect([await status(parent), await status(below)]).toEqual([5, 1])
    expect((await call('GET', `/versions/${version.destinationId}.json`)).json.version.status).toBe('closed')
    for (const [entity, one] of [
      ['issues', issue],
      ['milestones', version],
    ] as const) {
      expect((await remove(entity, one))?.result).toBe('removed')
    }
    expect([(await remove('projects', parent))?.result, (await remove('projects', below))?.result]).toEqual([
      'removed',
      'removed',
    ])
  })

  test('a closed child goes under a closed parent; an open one stays beside it', async () => {
    const parent = await write('issues', makeIssue({ status: 'closed' }))
    const closed = makeIssue({ status: 'closed', parent_issue: refer('issues', parent) })
    await write('issues', closed)
    const [found] = await find('issues', closed)
    expect(found?.fields.parent).toBe(Number(parent.destinationId))
    const open = await write('issues', makeIssue({ status: 'new', parent_issue: refer('issues', parent) }))
    expect(open.losses).toEqual(['parent_refused'])
  })

  test('authors are kept where they may write; what is private never becomes public through them', async () => {
    const login = `writer.${run.slice(-8)}`
    const made = await call('POST', '/users.json', {
      user: { login, firstname: 'Wri', lastname: 'Ter', mail: `${login}@x.example`, generate_password: true },
    })
    const userId = String(made.json.user.id)
    await write('memberships', outgoing('memberships/1', { project: inProject(), user: userId, roles: ['reporter'] }))
    const fresh = openRedmineWriter(accountOf(destination), 'project')
    await fresh.describe()
    const asUser = { reporter: userId, author: userId }
    const [shown, hidden] = [makeIssue({ ...asUser }), makeIssue({ ...asUser, is_private: true })]
    const [first, second] = await fresh.write('issues', [shown, hidden])
    const authors = await Promise.all(
      [first, second].map(
        async (one) => (await call('GET', `/issues/${(one as Written).destinationId}.json`)).json.issue,
      ),
    )
    expect(authors.map(({ author, is_private }) => [author.id === Number(userId), is_private])).toEqual([
      [true, false],
      [false, true],
    ])
    const issue = first as Written
    const note = (name: string, is_private: boolean) =>
      outgoing(`comments/${name}`, { issue: refer('issues', issue), author: userId, body: name, is_private })
    await fresh.write('comments', [note('open', false), note('secret', true)])
    const { json } = await call('GET', `/issues/${issue.destinationId}.json?include=journals,watchers`)
    const journals = json.issue.journals.filter(({ notes }: { notes: string }) => notes !== '')
    expect(
      journals.map(({ user, private_notes }: { user: { id: number }; private_notes: boolean }) => [
        user.id === Number(userId),
        private_notes,
      ]),
    ).toEqual([
      [true, false],
      [false, true],
    ])
    expect(journals[1].notes).toContain('Ada Lovelace')
    // Whoever writes a note would watch the issue from then on.
    expect(json.issue.watchers).toEqual([])
    await call('DELETE', `/users/${userId}.json`)
  })

  test('written twice after a crash, both are found, and one can be taken away', async () => {
    const record = makeIssue()
    const [first, second] = [await write('issues', record), await write('issues', record)]
    expect((await find('issues', record)).map(({ destinationId }) => destinationId).sort()).toEqual(
      [first.destinationId, second.destinationId].sort(),
    )
    expect((await remove('issues', second))?.result).toBe('removed')
    const note = outgoing('comments/twice', { issue: refer('issues', first), body: 'twice' })
    await write('comments', note)
    await write('comments', note)
    const parent = { entity: 'issues', destinationId: first.destinationId }
    const notes = await find('comments', note, parent)
    expect(new Set(notes.map(({ destinationId }) => destinationId)).size).toBe(2)
    const double = notes[1]
    if (!double) throw new Error('no double')
    expect(
      await writer.remove('comments', [{ key: note.key, destinationId: double.destinationId, version: null, parent }]),
    ).toEqual([{ key: note.key, result: 'removed' }])
    expect(await find('comments', note, parent)).toHaveLength(1)
    expect((await remove('issues', first))?.result).toBe('removed')
    expect(await remove('issues', first)).toEqual({ key: record.key, result: 'missing' })
  })

  test('a project, a version and a page sent again are the same ones', async () => {
    const [again] = await writer.write('projects', [outgoing('projects/1', { key: 'writing', name: 'Writing' })])
    expect(again).toMatchObject({ result: 'written', destinationId: project.destinationId, version: project.version })
    expect((await find('projects', outgoing('projects/1', {}))).map(({ destinationId }) => destinationId)).toEqual([
      project.destinationId,
    ])
    const version = outgoing('milestones/2', { project: inProject(), name: '2.0' })
    const made = await write('milestones', version)
    expect(await write('milestones', version)).toMatchObject({ destinationId: made.destinationId })
    const page = outgoing('wiki_pages/1', { project: inProject(), title: 'a page, with: signs', body: 'text' })
    const wiki = await write('wiki_pages', page)
    expect(await write('wiki_pages', page)).toMatchObject({ destinationId: wiki.destinationId })
    expect(await find('wiki_pages', page)).toHaveLength(1)
  })

  test('what was there before is used and never overwritten', async () => {
    const id = project.destinationId
    const version = await call('POST', `/projects/${id}/versions.json`, {
      version: { name: 'theirs', description: 'x' },
    })
    const category = await call('POST', `/projects/${id}/issue_categories.json`, { issue_category: { name: 'theirs' } })
    await call('PUT', `/projects/${id}/wiki/Theirs.json`, { wiki_page: { text: 'their text' } })
    const at = inProject()
    expect(await writer.write('milestones', [outgoing('milestones/3', { project: at, name: 'theirs' })])).toMatchObject(
      [{ result: 'matched', destinationId: String(version.json.version.id) }],
    )
    expect(await writer.write('components', [outgoing('components/1', { project: at, name: 'theirs' })])).toMatchObject(
      [{ result: 'matched', destinationId: `${id}/${category.json.issue_category.id}` }],
    )
    expect(
      await writer.write('wiki_pages', [outgoing('wiki_pages/2', { project: at, title: 'theirs', body: 'ours' })]),
    ).toMatchObject([{ result: 'refused', code: 'title_taken' }])
    expect((await call('GET', `/projects/${id}/wiki/Theirs.json`)).json.wiki_page.text).toBe('their text')
    expect((await remove('projects', project))?.result).toBe('kept')
  })

  test('what people have changed since is kept', async () => {
    const changes: [string, (id: string) => Promise<unknown>][] = [
      ['a note', (id) => call('PUT', `/issues/${id}.json`, { issue: { notes: 'from me' } })],
      ['a new subject', (id) => call('PUT', `/issues/${id}.json`, { issue: { subject: 'better' } })],
      [
        'booked time',
        (id) => call('POST', '/time_entries.json', { time_entry: { issue_id: id, hours: 1, activity_id: 8 } }),
      ],
    ]
    for (const [name, change] of changes) {
      const issue = await write('issues', makeIssue({ status: 'resolved' }))
      await write(
        'comments',
        outgoing(`comments/${issue.destinationId}`, { issue: refer('issues', issue), body: 'ours' }),
      )
      await change(issue.destinationId)
      expect([name, (await remove('issues', issue))?.result]).toEqual([name, 'kept'])
    }
    const page = await write(
      'wiki_pages',
      outgoing('wiki_pages/3', { project: inProject(), title: 'Edited', body: 'x' }),
    )
    await call('PUT', `/projects/${project.destinationId}/wiki/Edited.json`, { wiki_page: { text: 'y' } })
    expect((await remove('wiki_pages', page))?.result).toBe('kept')
  })

  test('an issue goes without those below it', async () => {
    const parent = await write('issues', makeIssue())
    const { json } = await call('POST', '/issues.json', {
      issue: { project_id: project.destinationId, subject: 'made by people', parent_issue_id: parent.destinationId },
    })
    expect((await remove('issues', parent))?.result).toBe('removed')
    expect((await call('GET', `/issues/${json.issue.id}.json`)).status).toBe(200)
  })

  test('files arrive byte for byte, whatever they are called', async () => {
    const issue = await write('issues', makeIssue())
    const page = await write(
      'wiki_pages',
      outgoing('wiki_pages/4', { project: inProject(), title: 'With files', body: 'x' }),
    )
    const parents = { issues: issue, wiki_pages: page, projects: project }
    const names = ['leer.txt', '../../etc/passwd – “Ünïcödé” 🚀.txt', `${'x'.repeat(300)}.bin`, 'a:b*c?"d".png']
    for (const [entity, parent] of Object.entries(parents)) {
      for (const [index, name] of names.entries()) {
        const bytes = index === 0 ? Buffer.alloc(0) : randomBytes(20_000 + index)
        const file = makeFile(
          `attachments/${entity}-${index}`,
          { parent: refer(entity, parent), file_name: name },
          bytes,
          index === 1 ? null : bytes.length,
        )
        const outcome = (await writer.writeFile('attachments', file)) as Written
        expect([name, outcome.result]).toEqual([name, 'written'])
        const answer = await fetch(`${destination.url}/attachments/download/${outcome.destinationId}`, {
          headers: { 'x-redmine-api-key': String(destination.access.token) },
        })
        const sum = createHash('sha256')
          .update(Buffer.from(await answer.arrayBuffer()))
          .digest('hex')
        expect(sum, name).toBe(createHash('sha256').update(bytes).digest('hex'))
        const found = await find('attachments', file, { entity, destinationId: parent.destinationId })
        expect(found.map(({ destinationId }) => destinationId)).toEqual([outcome.destinationId])
        expect(found.every((one) => isSame(one, writer.asStored('attachments', file)))).toBe(true)
      }
    }
    expect((await remove('issues', issue))?.result).toBe('removed')
  })

  test('a file that is too large is refused, and one that breaks off is tried again', async () => {
    const issue = await write('issues', makeIssue())
    const large = makeFile(
      'attachments/large',
      { parent: refer('issues', issue), file_name: 'large' },
      Buffer.alloc(3 * 1024 * 1024),
    )
    expect(await writer.writeFile('attachments', large)).toMatchObject({ result: 'refused' })
    const broken = makeFile(
      'attachments/broken',
      { parent: refer('issues', issue), file_name: 'broken' },
      Buffer.alloc(10),
    )
    broken.body = new Readable({
      read() {
        this.destroy(new Error('the source broke off'))
      },
    })
    await expect(writer.writeFile('attachments', broken)).rejects.toThrow('the source broke off')
    expect(await find('attachments', broken, { entity: 'issues', destinationId: issue.destinationId })).toEqual([])
  })

  test('a private file is kept out of a project that everybody sees', async () => {
    const open = await write('projects', outgoing('projects/4', { name: 'Everybody', is_public: true }))
    const issue = await write('issues', makeIssue({ project: refer('projects', open) }))
    const fields = { parent: refer('issues', issue), file_name: 'x', is_private: true }
    const file = makeFile('attachments/private', fields, Buffer.from('secret'))
    expect(await writer.writeFile('attachments', file)).toMatchObject({ result: 'refused', code: 'private_file' })
    expect((await remove('issues', issue))?.result).toBe('removed')
    expect((await remove('projects', open))?.result).toBe('removed')
  })

  test('contacts become users without mail and without a password; the same address is the same user', async () => {
    const desk = openRedmineWriter(accountOf(destination), 'helpdesk')
    await desk.describe()
    const address = `${run}@contact.example`
    const contacts = [
      outgoing('contacts/1', { name: 'Jürgen von und zu Hohenstein-Oberkassel', emails: [address] }),
      outgoing('contacts/2', { name: 'Nobody' }),
      outgoing('contacts/3', { name: 'Jürgen again', emails: [address.toUpperCase()] }),
      outgoing('contacts/4', { name: 'Suspended One', is_suspended: true }),
    ]
    const outcomes = await desk.write('contacts', contacts)
    expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'matched', 'written'])
    const [first, , third] = outcomes as Written[]
    expect(third?.destinationId).toBe(first?.destinationId)
    for (const [index, record] of contacts.entries()) {
      const outcome = outcomes[index]
      if (outcome?.result !== 'written') continue
      const found = await desk.find('contacts', [{ key: record.key, destinationId: null, parent: null }])
      expect(found.map(({ destinationId }) => destinationId)).toEqual([outcome.destinationId])
      expect(found.every((one) => isSame(one, desk.asStored('contacts', record)))).toBe(true)
      const { key, destinationId } = outcome
      expect(await desk.remove('contacts', [{ key, destinationId, version: null, parent: null }])).toEqual([
        { key, result: 'removed' },
      ])
    }
  })

  test('a ticket without a group is refused with what to do', async () => {
    const desk = openRedmineWriter(accountOf(destination), 'helpdesk')
    const [outcome] = await desk.write('tickets', [outgoing('tickets/1', { subject: 'x' })])
    expect(outcome).toMatchObject({ result: 'refused', code: 'project_missing' })
    expect((await desk.describe()).entities.tickets?.fields.group?.required).toBe(true)
  })

  test('time is booked for whom it was, or says so', async () => {
    const issue = await write('issues', makeIssue())
    const fields = {
      issue: refer('issues', issue),
      hours: 0.0833333,
      spent_on: '1965-01-01',
      description: 'Analyse 🚀',
      activity: 'design',
    }
    const record = outgoing('time_entries/1', fields)
    const entry = await write('time_entries', record)
    const { json } = await call('GET', `/time_entries/${entry.destinationId}.json`)
    expect(json.time_entry).toMatchObject({ spent_on: '1965-01-01', activity: { name: 'Design' } })
    expect(json.time_entry.comments.replace(/[\u200b-\u200d\u2060]/g, '')).toBe('Analyse 🚀 (Ada Lovelace)')
    const [found] = await find('time_entries', record)
    expect(found && isSame(found, writer.asStored('time_entries', record))).toBe(true)
    expect((await remove('time_entries', entry))?.result).toBe('removed')
  })

  test('no mail was sent', async () => {
    expect(await countMails(destination.mailFolder)).toBe(mails)
  })
})
