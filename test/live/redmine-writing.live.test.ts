import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import { isSame } from './redmine-copying.ts'
import { accountOf, callRedmine, outbound, readLiveRedmine } from './redmine-live.ts'
import { openWriting, type Written } from './redmine-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

afterAll(() => outbound.close())

describe.skipIf(live === null)('what a real Redmine keeps of written records (set WHERRY_LIVE_REDMINE)', () => {
  if (!live) {
    test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
    return
  }
  const { destination } = live
  const {
    call,
    writer,
    run,
    outgoing,
    write,
    refer,
    find,
    remove,
    inProject,
    makeIssue,
    makeFile,
    begin,
    countNewMails,
  } = openWriting(destination)
  let project: Written
  beforeAll(async () => {
    project = await begin()
  })

  test('a record written twice after a crash is found twice, and one of them can be removed', async () => {
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

  test('a project, a version and a page that are sent again stay the same records', async () => {
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

  test('an existing record is used and never overwritten', async () => {
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

  test("people's later changes are kept", async () => {
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

  test('an issue is removed without its child issues', async () => {
    const parent = await write('issues', makeIssue())
    const { json } = await call('POST', '/issues.json', {
      issue: { project_id: project.destinationId, subject: 'made by people', parent_issue_id: parent.destinationId },
    })
    expect((await remove('issues', parent))?.result).toBe('removed')
    expect((await call('GET', `/issues/${json.issue.id}.json`)).status).toBe(200)
  })

  test('files with any name arrive byte for byte', async () => {
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
        const stored = await writer.asStored('attachments', file)
        expect(found.every((one) => isSame(one, stored))).toBe(true)
      }
    }
    expect((await remove('issues', issue))?.result).toBe('removed')
  })

  test('a file that is too large is refused, and a file that breaks off is retried', async () => {
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

  test('a file that is sent again stays one file, with its new fields', async () => {
    const issue = await write('issues', makeIssue())
    const parent = { entity: 'issues', destinationId: issue.destinationId }
    const fileOf = (fields: object) =>
      makeFile('attachments/again', { parent: refer('issues', issue), file_name: 'a.txt', ...fields }, Buffer.from('a'))
    const first = await writer.writeFile('attachments', fileOf({ description: 'first' }))
    if (first.result !== 'written') throw new Error(JSON.stringify(first))
    const { destinationId } = first
    const { json } = await callRedmine(destination, 'GET', '/users/current.json')
    for (const uploaded_by of [undefined, String(json.user.id), undefined]) {
      const changed = fileOf({ file_name: 'b ü.txt', description: 'second', ...(uploaded_by && { uploaded_by }) })
      const again = await writer.writeFile('attachments', { ...changed, destinationId })
      expect(again).toMatchObject({ result: 'written', destinationId })
      const found = await find('attachments', changed, parent)
      expect(found).toMatchObject([{ destinationId, fields: { name: 'b ü.txt', description: 'second' } }])
    }
    const { json: shown } = await callRedmine(
      destination,
      'GET',
      `/issues/${issue.destinationId}.json?include=attachments`,
    )
    expect(shown.issue.attachments).toHaveLength(1)
    expect((await remove('issues', issue))?.result).toBe('removed')
    const gone = await writer.writeFile('attachments', { ...fileOf({}), destinationId: '999999' })
    expect(gone.result).toBe('refused')
  })

  test('a private file is never attached to an issue', async () => {
    const open = await write('projects', outgoing('projects/4', { name: 'Nobody', is_public: false }))
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
      const stored = await desk.asStored('contacts', record)
      expect(found.every((one) => isSame(one, stored))).toBe(true)
      const { key, destinationId } = outcome
      expect(await desk.remove('contacts', [{ key, destinationId, version: null, parent: null }])).toEqual([
        { key, result: 'removed' },
      ])
    }
  })

  test('a ticket without a group is refused, and the reason says what to do', async () => {
    const desk = openRedmineWriter(accountOf(destination), 'helpdesk')
    const [outcome] = await desk.write('tickets', [outgoing('tickets/1', { subject: 'x' })])
    expect(outcome).toMatchObject({ result: 'refused', code: 'project_missing' })
    expect((await desk.describe()).entities.tickets?.fields.group?.required).toBe(true)
  })

  test('time is booked for its original person, or the loss is reported', async () => {
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
    expect(found && isSame(found, await writer.asStored('time_entries', record))).toBe(true)
    expect((await remove('time_entries', entry))?.result).toBe('removed')
  })

  test('no mail was sent', async () => {
    expect(await countNewMails()).toBe(0)
  })
})
