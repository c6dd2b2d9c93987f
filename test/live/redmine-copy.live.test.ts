import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openRedmineReader } from '../../service/src/connectors/project/redmine/reader.ts'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import { type Family, familyDefinitions } from '../../service/src/families/index.ts'
import type { FamilyRecord, ToolUser } from '../../service/src/families/record.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { countMails } from './redmine.ts'
import { type Copied, copyRecords, findAgain, isSame } from './redmine-copying.ts'
import { accountOf, callRedmine, outbound, readLiveRedmine } from './redmine-live.ts'
import { rememberSides } from './remember-sides.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

/** The expected losses in a Redmine that has fewer people with fewer rights. */
const expectedLosses: Partial<Record<Family, string[]>> = {
  project: [],
  helpdesk: ['comments author_not_kept'],
}

afterAll(() => outbound.close())

describe.skipIf(live === null)('from a real Redmine to another (set WHERRY_LIVE_REDMINE)', () => {
  if (!live) {
    test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
    return
  }
  const { source, destination } = live
  const counts = async () => {
    const total = async (path: string, name: string) => {
      const { json } = await callRedmine(destination, 'GET', path)
      return json.total_count ?? json[name].length
    }
    return {
      projects: await total('/projects.json?status=1%7C5', 'projects'),
      issues: await total('/issues.json?status_id=*', 'issues'),
      times: await total('/time_entries.json', 'time_entries'),
      users: await total('/users.json?status=', 'users'),
    }
  }

  const matchPeople = async (people: readonly ToolUser[]) => {
    const there = await readAll((cursor) => openRedmineWriter(accountOf(destination), 'project').users(cursor))
    const ids = new Map(there.map(({ email, id }) => [email, id]))
    return new Map(people.flatMap(({ id, email }) => (ids.has(email) ? [[id, ids.get(email) ?? '']] : [])))
  }

  /** One note in a hundred is enough of the long thread. */
  const isSkipped = ({ entity, sourceId }: FamilyRecord) =>
    entity === 'comments' && sourceId.startsWith(`${source.seeded.longIssue}-`) && !sourceId.endsWith('00')

  const prepare = async () => {
    for (const login of ['ann.stone', 'bob.hadad']) {
      const [firstname = '', lastname = ''] = login.split('.')
      const user = { login, firstname, lastname, mail: `${login}@customer.example`, generate_password: true }
      await callRedmine(destination, 'POST', '/users.json', { user })
    }
  }

  test.each(['project', 'helpdesk'] as Family[])(
    'all records of the family %s are copied, are found again, and can be undone',
    async (family) => {
      await prepare()
      const before = await counts()
      const mails = await countMails(destination.mailFolder)
      const reader = openRedmineReader(accountOf(source), family)
      // Memberships that the writer created as side records are removed with their projects.
      const sides = rememberSides()
      const writer = openRedmineWriter(accountOf(destination, sides), family)
      const people = await readAll((cursor) => reader.users(cursor))
      // A failed run may have left its own records, so the import id is new.
      const importId = `imp_${family}_${randomBytes(4).toString('hex')}`
      const users = await matchPeople(people)
      const copied = await copyRecords({ reader, writer, family, importId, users, people, isSkipped })

      const all = [...copied.values()]
      const refused = all.flatMap(({ entity, outcome }) =>
        outcome.result === 'refused' ? [[entity, outcome.code]] : [],
      )
      // The locked member has no counterpart.
      expect(refused).toEqual(family === 'project' ? [['memberships', 'user_missing']] : [])
      await expectFound(all, family)
      expect(await countMails(destination.mailFolder)).toBe(mails)

      const again = openRedmineWriter(accountOf(destination, sides), family)
      await again.describe()
      for (const { name } of [...familyDefinitions[family].entities].reverse()) {
        const removal = (await again.describe()).entities[name]?.removal
        if (removal === 'with parent' || removal === 'never') continue
        for (const { entity, outgoing, outcome } of all.filter((one) => one.entity === name)) {
          if (outcome.result !== 'written') continue
          const { destinationId, version } = outcome
          const [removed] = await again.remove(entity, [{ key: outgoing.key, destinationId, version, parent: null }])
          expect([entity, outgoing.fields.title ?? outgoing.fields.name, removed?.result]).toEqual([
            entity,
            outgoing.fields.title ?? outgoing.fields.name,
            expect.stringMatching(/^(removed|missing)$/),
          ])
        }
      }
      expect(await counts()).toEqual(before)
    },
    1_200_000,
  )

  async function expectFound(all: readonly Copied[], family: Family): Promise<void> {
    const writer = openRedmineWriter(accountOf(destination), family)
    await writer.describe()
    const differences: unknown[] = []
    for (const one of all) {
      if (one.outcome.result !== 'written') continue
      const nameless = one.entity === 'components' || one.entity === 'memberships'
      const { key } = one.outgoing
      const found = nameless
        ? await writer.find(one.entity, [{ key, destinationId: one.outcome.destinationId, parent: null }])
        : await findAgain(writer, one, family)
      expect(
        found.map(({ destinationId }) => destinationId),
        key,
      ).toEqual([one.outcome.destinationId])
      const [only] = found
      if (only && !isSame(only, one.expected) && !one.outcome.losses) {
        differences.push({
          entity: one.entity,
          expected: [one.expected.fields, one.expected.customFields],
          found: [only.fields, only.customFields],
        })
      }
    }
    expect(differences).toEqual([])
    const losses = all.flatMap(({ entity, outcome }) =>
      outcome.result === 'written' ? (outcome.losses ?? []).map((loss) => `${entity} ${loss}`) : [],
    )
    expect([...new Set(losses)].sort()).toEqual(expectedLosses[family])
  }
})
