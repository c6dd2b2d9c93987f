import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Harbour, startHarbour } from '../../demo/harbour/harbour.ts'
import type { Family } from '../../service/src/families/index.ts'
import { compareDesks, type DeskRules, type Ticket } from './compare-desks.ts'
import { deskOfHarbour, readHarbour } from './desk-of-harbour.ts'
import { deskOfRedmine } from './desk-of-redmine.ts'
import { type Fact, type Facts, keyOf, ofTable, words } from './facts.ts'
import { readRedmine } from './facts-redmine.ts'
import { readRt } from './facts-rt.ts'
import { readTryton } from './facts-tryton.ts'
import { expectClosed, type LedgerRecord, type PairService, patienceMs, startPairService } from './pair-service.ts'
import { type Places, readPlaces } from './place.ts'
import { arrive, takeAll, takeBack, takeSample } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const places = readPlaces()
const isReal = (person: string) => person.includes('@')
const common = {
  day: (given: string | null) => given,
  noSubject: '',
  sharedFields: [],
  namesAuthors: false,
  agents: [],
  isCounted: isReal,
}

const fromRt: DeskRules = {
  ...common,
  status: (given) => ({ stalled: 'on_hold', resolved: 'solved', rejected: 'closed' })[given] ?? given,
  priority: (given) => (Number(given) >= 100 ? 'high' : Number(given) >= 50 ? 'normal' : 'low'),
}
const fromRedmine: DeskRules = {
  ...common,
  status: (given) =>
    ({
      New: 'new',
      'In Progress': 'open',
      Feedback: 'pending',
      Resolved: 'solved',
      Closed: 'closed',
      Rejected: 'closed',
    })[given] ?? given,
  priority: (given) => ({ Immediate: 'urgent' })[given] ?? String(given).toLowerCase(),
}

interface Source {
  tool: string
  family: Family
  compare(places: Places, there: Facts, records: readonly LedgerRecord[]): Promise<string[]>
}

/** A ticket without a subject is refused there, and what hangs on it waits. */
const withSubject = (desk: Facts): Facts =>
  new Map(
    [...desk].filter(([key, fact]) => !key.startsWith('tickets ') || String((fact as Ticket).subject).trim() !== ''),
  )

const sources: Source[] = [
  {
    tool: 'rt',
    family: 'helpdesk',
    compare: async ({ source }, there, records) =>
      compareDesks(linkedAmong(withSubject(await readRt(source))), deskOfHarbour(there), selfIds(records), fromRt),
  },
  {
    tool: 'redmine',
    family: 'helpdesk',
    compare: async ({ source }, there, records) =>
      compareDesks(
        deskOfRedmine(await readRedmine(source), 'source'),
        deskOfHarbour(there),
        selfIds(records),
        fromRedmine,
      ),
  },
  {
    tool: 'redmine',
    family: 'project',
    compare: async ({ source }, there) => compareIssues(await readRedmine(source), there),
  },
  {
    tool: 'tryton',
    family: 'crm',
    compare: async ({ source }, there) => compareParties(await readTryton(source), there),
  },
]

/** Harbour's records are looked at by the ids they had in the source. */
const selfIds = (records: readonly LedgerRecord[]) => records.map((row) => ({ ...row, destination_id: row.source_id }))

function linkedAmong(desk: Facts): Facts {
  const has = (id: number) => desk.has(keyOf('tickets', id))
  return new Map(
    [...desk].map(([key, fact]) => {
      if (!key.startsWith('tickets ')) return [key, fact]
      const { parent, dependsOn, linked } = fact as Ticket
      return [
        key,
        {
          ...fact,
          parent: parent !== null && has(parent) ? parent : null,
          dependsOn: dependsOn.filter(has),
          linked: linked.filter(has),
        },
      ]
    }),
  )
}

describe.each(sources)('from $tool to Harbour, family $family (npm run live -- $tool)', ({ tool, family, compare }) => {
  const given = places[tool]
  if (!given) return test.skip(`${tool} was not started`, () => {})
  let service: PairService
  let harbour: Harbour
  let folder = ''
  const file = () => join(folder, 'harbour.db')
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wherry-pair-'))
    service = await startPairService()
    harbour = await startHarbour({ port: 0, dataFile: file(), token: 'harbour-token' })
  })
  afterAll(async () => {
    await service.close()
    await harbour.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('everything comes over and can be taken back', async () => {
    const destination = { instanceUrl: harbour.baseUrl, username: null, token: 'harbour-token' }
    const walk = { from: tool, to: 'open', family, source: given.source.access, destination }
    const { portal } = await arrive(service, walk)
    await takeSample(portal, walk)
    await takeAll(portal)
    const records = await portal.records()
    const refused = records.filter(({ entity, state }) => entity === 'tickets' && state === 'refused')
    expectClosed(records, refused.length > 0 ? ['tickets 3 refused', 'comments', 'attachments'] : ['memberships'])
    expect(await compare(given, readHarbour(file()), records)).toEqual([])
    const written = records.filter(({ state }) => state === 'written').length
    expect(readHarbour(file()).size).toBe(written)
    await takeBack(portal)
    expect(readHarbour(file()).size).toBe(0)
  })
})

/** The family's own words against those of Redmine's database. */
function compareIssues(source: Facts, there: Facts): string[] {
  const wrong: string[] = []
  const issues = ofTable(source, 'issues')
  const same = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other))
      wrong.push(`${what}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`)
  }
  for (const [id, issue] of issues) {
    const other = there.get(keyOf('issues', id)) ?? {}
    const of = (value: unknown) => (value === null || value === undefined || value === '' ? null : value)
    same(`issue ${id} title`, issue.subject, other.title)
    same(`issue ${id} body`, issue.text, words(String(other.body ?? '').replace(/#\d+/g, ' '), 'html'))
    same(`issue ${id} start`, of(issue.start), of(other.start_on))
    same(`issue ${id} due`, of(issue.due), of(other.due_on))
    same(`issue ${id} private`, issue.is_private, other.is_private ?? false)
    same(`issue ${id} hours`, of(issue.estimate), of(other.estimate_hours))
    const notes = [...there].filter(
      ([key, fact]) => key.startsWith('comments ') && String(fact.issue).endsWith(`/issues/${id}`),
    )
    same(`issue ${id} notes`, (issue.thread as unknown[]).length, notes.length)
  }
  same('issues', issues.length, [...there.keys()].filter((key) => key.startsWith('issues ')).length)
  same(
    'pages',
    ofTable(source, 'pages').length,
    [...there.keys()].filter((key) => key.startsWith('wiki_pages ')).length,
  )
  same(
    'times',
    ofTable(source, 'times').length,
    [...there.keys()].filter((key) => key.startsWith('time_entries ')).length,
  )
  return wrong
}

function compareParties(source: Facts, there: Facts): string[] {
  const wrong: string[] = []
  const parties = ofTable(source, 'parties')
  for (const [id, party] of parties) {
    const other = there.get(keyOf('accounts', id)) ?? there.get(keyOf('contacts', id))
    const mails = (party.mechanisms as string[])
      .map((text) => JSON.parse(text) as Fact)
      .filter(({ type, active }) => type === 'email' && active)
    const wanted = mails.map(({ value }) => String(value)).sort()
    const got = [...((other?.emails as string[]) ?? [])].sort()
    if (!other) wrong.push(`party ${id} is lost`)
    else if (
      party.name &&
      String(other.name).trim() !== String(party.name).trim().slice(0, String(other.name).trim().length)
    )
      wrong.push(`party ${id}: ${party.name} became ${other.name}`)
    else if (wanted.join() !== got.join()) wrong.push(`party ${id}: ${wanted} became ${got}`)
  }
  const count = (entity: string) => [...there.keys()].filter((key) => key.startsWith(`${entity} `)).length
  if (count('accounts') + count('contacts') !== parties.length)
    wrong.push(`${parties.length} parties became ${count('accounts')} and ${count('contacts')}`)
  if (count('deals') !== ofTable(source, 'deals').length) wrong.push('deals are not as many')
  return wrong
}
