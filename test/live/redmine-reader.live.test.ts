import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { RecordPage } from '../../service/src/connectors/contract/contract.ts'
import { openRedmineReader } from '../../service/src/connectors/project/redmine/reader.ts'
import type { Family } from '../../service/src/families/index.ts'
import type { FamilyRecord, RecordRef, RichText } from '../../service/src/families/record.ts'
import { describeReader, readAll } from '../connectors/reader-contract.ts'
import { countMails } from './redmine.ts'
import { accountOf, callRedmine, outbound, readLiveRedmine } from './redmine-live.ts'
import { oddTexts } from './redmine-seed.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

afterAll(() => outbound.close())

describe.skipIf(live === null)(
  'reading a real Redmine (set WHERRY_LIVE_REDMINE; see test/live/start-redmine.ts)',
  () => {
    if (!live) {
      test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
      return
    }
    const { source } = live
    const { seeded } = source
    const open = (family: Family, pageSize?: number) => openRedmineReader(accountOf(source), family, pageSize)
    const readEntity = (entity: string, family: Family = 'project', pageSize?: number) =>
      readAll((cursor) => open(family, pageSize).read(entity, cursor, {}))
    const find = async (entity: string, sourceId: string | number, family: Family = 'project') => {
      const [record] = await readAll(
        (cursor) => open(family).readSome?.(entity, { ids: [String(sourceId)] }, cursor) ?? none,
      )
      if (!record) throw new Error(`no ${entity} ${sourceId}`)
      return record
    }
    const none = Promise.resolve({ items: [] as FamilyRecord[], warnings: [], next: null })

    describeReader('Redmine, as a project tool', async () => ({
      reader: open('project', 6),
      family: 'project',
      entities: [
        'projects',
        'memberships',
        'milestones',
        'components',
        'issues',
        'comments',
        'time_entries',
        'wiki_pages',
        'attachments',
      ],
      missing: { projects: '9999999', issues: '9999999', wiki_pages: '1/No_such_page' },
    }))

    describeReader('Redmine, as a help desk', async () => ({
      reader: open('helpdesk', 6),
      family: 'helpdesk',
      entities: ['groups', 'contacts', 'tickets', 'comments', 'attachments'],
      missing: { groups: '9999999', tickets: '9999999' },
    }))

    test('an issue is read with everything that people put into it', async () => {
      const issue = await find('issues', seeded.richIssue)
      expect(issue).toMatchObject({
        entity: 'issues',
        sourceId: String(seeded.richIssue),
        sourceUrl: `${source.url}/issues/${seeded.richIssue}`,
        childCounts: { comments: 3, attachments: 2 },
        fields: {
          key: `#${seeded.richIssue}`,
          title: `Odd: ${oddTexts.emoji} ${oddTexts.arabic} <script>alert(1)</script>`,
          type: 'feature',
          status: 'in_progress',
          priority: 'urgent',
          project: { entity: 'projects', sourceId: String(seeded.projects.alpha) },
          milestone: { entity: 'milestones', sourceId: '1' },
          component: { entity: 'components', sourceId: '1' },
          assignee: { userId: String(seeded.users.bob) },
          is_private: true,
          progress_percent: 40,
          estimate_hours: 12.5,
          start_on: '1969-07-20',
          due_on: '1969-07-24',
        },
      })
      expect(issue.fields.watchers).toEqual(
        expect.arrayContaining([seeded.users.ann, seeded.users.bob].map((id) => ({ userId: String(id) }))),
      )
      const values = Object.entries(issue.customFields ?? {}).map(([key, { value }]) => [key, value])
      expect(Object.fromEntries(values)).toEqual({
        severity: 'Schlimm & „ernst“',
        platforms: ['Linux', 'データ'],
        customer: "O'Neil & Sons 🚀",
        reported_on: '1955-11-05',
        story_points: 13,
        budget: 99.5,
        billable: true,
        reviewer: { userId: String(seeded.users.ann) },
        seen_in: '1.0',
        qa_notes: oddTexts.lines,
        spec: 'https://spec.example/?a=1&b=2',
        phase: 'Build',
      })
    })

    test('references to issues and pages of other projects become links, but not in code', async () => {
      const { body, inlineFiles } = (await find('issues', seeded.richIssue)).fields.body as RichText
      expect(body).toContain(
        `See "#1":${source.url}/issues/1 and @#1@ and "the start":${source.url}/projects/beta/wiki/Start_page.`,
      )
      expect(inlineFiles).toEqual([{ url: 'bild.png', attachment: expect.stringMatching(/^\d+$/) }])
    })

    test('closed projects are read with their content, and so are projects with all modules switched off', async () => {
      const projects = await readEntity('projects')
      expect(projects.map(({ fields }) => [fields.key, fields.status])).toEqual([
        ['alpha', 'active'],
        ['beta', 'active'],
        ['closed', 'closed'],
        ['bare', 'active'],
      ])
      const issues = await readEntity('issues')
      expect(issues.map(({ fields }) => fields.title)).toContain('From the closed project')
    })

    test('private notes stay private, and a note of a deleted person has no author', async () => {
      const wanted = { parents: [{ entity: 'issues', sourceId: String(seeded.richIssue) }] }
      const notes = await readAll((cursor) => open('project').readSome?.('comments', wanted, cursor) ?? none)
      expect(notes.map(({ fields }) => [(fields.body as RichText).body.split('\n')[0], fields.is_private])).toEqual([
        ['First note', false],
        ['Only among us', true],
        ['With a file', false],
      ])
      const all = await readEntity('comments')
      const bye = all.find(({ fields }) => (fields.body as RichText).body === 'Bye')
      expect([bye?.fields.author, bye?.createdBy]).toEqual([undefined, undefined])
    })

    test('a long thread is read completely and in order', async () => {
      const wanted = { parents: [{ entity: 'issues', sourceId: String(seeded.longIssue) }] }
      const notes = await readAll((cursor) => open('project').readSome?.('comments', wanted, cursor) ?? none)
      const expected = Array.from({ length: seeded.notesInThread }, (_, index) => `note ${index + 1}`)
      expect(notes.map(({ fields }) => (fields.body as RichText).body)).toEqual(expected)
    })

    test('single records equal the same records in a full read', async () => {
      for (const [family, entity, parent] of [
        ['project', 'comments', 'issue'],
        ['project', 'attachments', 'parent'],
        ['project', 'milestones', 'project'],
        ['project', 'memberships', 'project'],
        ['project', 'components', 'project'],
        ['project', 'time_entries', 'issue'],
        ['helpdesk', 'comments', 'ticket'],
      ] as const) {
        const all = (await readEntity(entity, family)).filter(({ fields }) => Boolean(fields[parent]))
        const parents = [
          ...new Map(all.map(({ fields }) => [JSON.stringify(fields[parent]), fields[parent] as RecordRef])).values(),
        ]
        const some = await readAll((cursor) => open(family).readSome?.(entity, { parents }, cursor) ?? none)
        expect(some.map(({ sourceId }) => sourceId).sort(), entity).toEqual(all.map(({ sourceId }) => sourceId).sort())
      }
      for (const entity of [
        'projects',
        'milestones',
        'issues',
        'comments',
        'time_entries',
        'wiki_pages',
        'attachments',
      ]) {
        const last = (await readEntity(entity)).slice(-3)
        const ids = last.map(({ sourceId }) => sourceId)
        const some = await readAll(
          (cursor) => open('project').readSome?.(entity, { ids: [...ids, '99999999'] }, cursor) ?? none,
        )
        expect(some, entity).toEqual(last)
      }
    })

    test('files arrive byte for byte, empty ones too', async () => {
      const files = await readEntity('attachments')
      const sums = new Map<unknown, string>()
      for (const file of files) {
        const { body } = await open('project').openFile(file)
        const hash = createHash('sha256')
        for await (const chunk of body) hash.update(chunk)
        sums.set(file.fields.file_name, hash.digest('hex'))
      }
      const sumOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
      expect(Object.fromEntries(sums)).toEqual({
        'bild.png': sumOf('not really a picture'),
        'leer ünïcödé.txt': sumOf(''),
        'plan.txt': sumOf('plan'),
        'release.tar.gz': sumOf(Buffer.from([0, 1, 2, 255])),
      })
      const withNote = files.find(({ fields }) => fields.file_name === 'leer ünïcödé.txt')
      expect(withNote?.fields.parent).toMatchObject({ entity: 'comments' })
    })

    test('locked people are inactive users; deleted people are no users', async () => {
      const users = await readAll((cursor) => open('project').users(cursor))
      expect(users.find(({ id }) => id === String(seeded.users.locked))).toEqual({
        id: String(seeded.users.locked),
        name: 'Old Hand',
        email: 'old.hand@customer.example',
        isActive: false,
      })
      expect(users.map(({ id }) => id)).not.toContain(String(seeded.users.deleted))
    })

    test('a ticket has its reporter as requester, and the rest of an issue as custom fields', async () => {
      const ticket = await find('tickets', seeded.richIssue, 'helpdesk')
      expect(ticket.fields).toMatchObject({
        number: `#${seeded.richIssue}`,
        status: 'open',
        priority: 'urgent',
        requester: { entity: 'contacts', sourceId: '1' },
        group: { entity: 'groups', sourceId: String(seeded.projects.alpha) },
        due_at: '1969-07-24T00:00:00.000Z',
        time_spent_s: 18_000,
      })
      expect(ticket.customFields).toMatchObject({
        redmine_target_version: { label: 'Target version', type: 'text', value: '1.0' },
        redmine_category: { value: 'Backend' },
        redmine_done_ratio: { value: 40 },
      })
    })

    test('an entry removed before our position does not make the reader skip another', async () => {
      const made: string[] = []
      for (let index = 0; index < 4; index += 1) {
        const time_entry = { project_id: seeded.projects.beta, hours: 1, activity_id: 8 }
        const { json } = await callRedmine(source, 'POST', '/time_entries.json', { time_entry })
        made.push(String(json.time_entry.id))
      }
      const all = (await readEntity('time_entries')).map(({ sourceId }) => sourceId)
      const seen: string[] = []
      let place: string | null = null
      do {
        const page: RecordPage = await open('project', 2).read('time_entries', place, {})
        seen.push(...page.items.map(({ sourceId }) => sourceId))
        place = page.next
      } while (!seen.includes(String(made[1])))
      await callRedmine(source, 'DELETE', `/time_entries/${made[0]}.json`)
      const rest = await readAll((cursor) => open('project', 2).read('time_entries', cursor ?? place, {}))
      expect([...seen, ...rest.map(({ sourceId }) => sourceId)]).toEqual(all)
      for (const id of made.slice(1)) await callRedmine(source, 'DELETE', `/time_entries/${id}.json`)
    })

    test('news, saved queries and changes without words are skipped and counted', async () => {
      const before = await open('project', 10).countSkipped?.()
      const project = { name: 'News', identifier: `news-${Date.now()}`, enabled_module_names: ['news'] }
      const { json } = await callRedmine(source, 'POST', '/projects.json', { project })
      const news = { title: 'Out now', description: 'Words' }
      await callRedmine(source, 'POST', `/projects/${json.project.id}/news.json`, { news })
      expect(await open('project', 10).countSkipped?.()).toEqual({
        news: (before?.news ?? 0) + 1,
        saved_queries: before?.saved_queries,
      })
      await callRedmine(source, 'DELETE', `/projects/${json.project.id}.json`)
      let changes = 0
      await readAll(async (cursor) => {
        const page = await open('project', 10).read('comments', cursor, {})
        changes += page.skipped?.history_entries ?? 0
        return page
      })
      expect(changes).toBeGreaterThan(0)
    })

    test("Redmine's mails are caught in its mail folder", async () => {
      expect(await countMails(source.mailFolder)).toBeGreaterThan(0)
    })
  },
)
