import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { redmine } from '../../service/src/connectors/project/redmine/index.ts'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import { isSame } from './redmine-copying.ts'
import { accountOf, outbound, readLiveRedmine } from './redmine-live.ts'
import { openWriting, type Written } from './redmine-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

afterAll(() => outbound.close())

describe.skipIf(live === null)('writing to a real Redmine (set WHERRY_LIVE_REDMINE)', () => {
  if (!live) {
    test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
    return
  }
  const { destination } = live
  const { call, writer, run, outgoing, write, refer, find, remove, inProject, makeIssue, begin, countNewMails } =
    openWriting(destination)
  beforeAll(begin)

  test('the account is described correctly, and necessary preparations are named', async () => {
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

  test('a wrong key is refused, although Redmine would answer lists', async () => {
    const wrong = { ...destination, access: { ...destination.access, token: 'wrong' } }
    await expect(redmine.destination?.checkAccount(accountOf(wrong))).rejects.toThrow('does not accept this API key')
    await expect(redmine.source?.checkAccount(accountOf(destination))).resolves.toEqual({
      name: `Redmine Admin at ${new URL(destination.url).host}`,
      id: expect.stringContaining(new URL(destination.url).host),
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
    expect(foundIssues[0]).toMatchObject(await writer.asStored('issues', record))
    const note = outgoing(`comments/${issue.destinationId}`, {
      issue: refer('issues', issue),
      body: text,
      is_private: true,
    })
    const written = await write('comments', note)
    const notes = await find('comments', note, { entity: 'issues', destinationId: issue.destinationId })
    expect(notes.map(({ destinationId }) => destinationId)).toEqual([written.destinationId])
    const stored = await writer.asStored('comments', note)
    expect(notes.every((one) => isSame(one, stored))).toBe(true)
    // Without its parent, the note is found by its marker.
    expect(await find('comments', note)).toEqual(notes)
  })

  test('author and time are below the text, and the key is hidden from people', async () => {
    const issue = await write('issues', makeIssue({ body: 'Hello', key: '#77' }))
    const { json } = await call('GET', `/issues/${issue.destinationId}.json`)
    const shown = json.issue.description.replace(/[\u200b-\u200d\u2060]/g, '')
    expect(shown).toBe('Hello\r\n\r\nAda Lovelace, 2001-02-03 04:05 UTC, was &#35;77')
  })

  test('status, dates before 1970, an empty start and the defaults of fields are read back as sent', async () => {
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
    expect(found && isSame(found, await writer.asStored('issues', record))).toBe(true)
  })

  test('only the value that does not fit is left out, and the loss is reported', async () => {
    const record = makeIssue({}, { customFields: { phase: { label: 'Phase', type: 'option', value: 'Nonsense' } } })
    expect((await write('issues', record)).losses).toEqual(['custom_value_refused'])
  })

  test("a refusal carries Redmine's words, and nothing is left behind", async () => {
    const record = makeIssue({ start_on: '2024-05-02', due_on: '2024-05-01' })
    expect(await writer.write('issues', [record])).toEqual([
      { key: record.key, result: 'refused', code: 'invalid', message: 'Due date must be greater than start date' },
    ])
    expect(await find('issues', record)).toEqual([])
  })

  test('a closed version and a closed project accept their records, and stay closed', async () => {
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
    expect(found && isSame(found, await writer.asStored('issues', record))).toBe(true)
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

  test('a closed child is moved under a closed parent; an open child stays beside it', async () => {
    const parent = await write('issues', makeIssue({ status: 'closed' }))
    const closed = makeIssue({ status: 'closed', parent_issue: refer('issues', parent) })
    await write('issues', closed)
    const [found] = await find('issues', closed)
    expect(found?.fields.parent).toBe(Number(parent.destinationId))
    const open = await write('issues', makeIssue({ status: 'new', parent_issue: refer('issues', parent) }))
    expect(open.losses).toEqual(['parent_refused'])
  })

  test('authors are kept if they may write, and a private record never becomes public through its author', async () => {
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
    // Otherwise the author of a note would watch the issue from then on.
    expect(json.issue.watchers).toEqual([])
    await call('DELETE', `/users/${userId}.json`)
  })

  test('no mail was sent', async () => {
    expect(await countNewMails()).toBe(0)
  })
})
