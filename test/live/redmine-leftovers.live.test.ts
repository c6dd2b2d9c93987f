import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Account, Leftover } from '../../service/src/connectors/contract/contract.ts'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { accountOf, outbound, readLiveRedmine } from './redmine-live.ts'
import { openWriting, type Written } from './redmine-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

afterAll(() => outbound.close())

describe.skipIf(live === null)(
  'what a real Redmine keeps when a call breaks off (WHERRY_LIVE_REDMINE names the server)',
  () => {
    if (!live) {
      test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
      return
    }
    const { destination } = live
    const { call, outgoing, write, refer, makeIssue, begin } = openWriting(destination)
    let project: Written
    beforeAll(async () => {
      project = await begin()
    })

    /** Breaks off after this many changes, like a paused run or a killed worker. */
    function breakOffAfter(changes: number) {
      const noted: Leftover[] = []
      let sent = 0
      const cut: Outbound = {
        ...outbound,
        request: (url, options) => {
          if ((options.method ?? 'GET') !== 'GET' && ++sent > changes) throw new Error('broken off')
          return outbound.request(url, options)
        },
      }
      const isSame = (one: Leftover) => (other: Leftover) => JSON.stringify(one) === JSON.stringify(other)
      const account: Account = {
        ...accountOf(destination),
        outbound: cut,
        leftovers: {
          note: async (...items) => {
            for (const item of items) if (!noted.some(isSame(item))) noted.push(item)
          },
          forget: async (...items) => {
            for (const item of items) {
              const index = noted.findIndex(isSame(item))
              if (index >= 0) noted.splice(index, 1)
            }
          },
        },
      }
      return { noted, writer: openRedmineWriter(account, 'project') }
    }
    const statusOf = async (id: string) => (await call('GET', `/projects/${id}.json`)).json.project.status
    const watchersOf = async (id: string) =>
      (await call('GET', `/issues/${id}.json?include=watchers`)).json.issue.watchers.length

    test.each([1, 2, 3])(
      'after %i changes, the project is closed again, and nobody watches the issue',
      async (changes) => {
        const issue = await write('issues', makeIssue())
        await call('PUT', `/projects/${project.destinationId}/close.json`)
        expect(await statusOf(project.destinationId)).toBe(5)
        const { noted, writer } = breakOffAfter(changes)
        const note = outgoing(`comments/${changes}`, { issue: refer('issues', issue), body: 'a note' })
        const outcome = await writer.write('comments', [note]).catch((error: Error) => error.message)
        // The note was sent with the second change. Its outcome is known although the third change failed.
        expect(outcome).toEqual(
          changes === 1 ? 'a tool could not be reached' : [expect.objectContaining({ result: 'written' })],
        )
        expect(await statusOf(project.destinationId)).toBe(1)
        expect(await watchersOf(issue.destinationId)).toBe(changes === 2 ? 1 : 0)
        expect(noted).toContainEqual({ kind: 'closed_project', id: Number(project.destinationId) })

        const items = [...noted]
        expect(await openRedmineWriter(accountOf(destination), 'project').restore?.(items)).toEqual(
          expect.arrayContaining(items),
        )
        expect(await statusOf(project.destinationId)).toBe(5)
        expect(await watchersOf(issue.destinationId)).toBe(0)
        await call('PUT', `/projects/${project.destinationId}/reopen.json`)
      },
    )

    test('a version that was opened for an issue is closed again', async () => {
      const inProject = refer('projects', project)
      const version = await write('milestones', outgoing('milestones/shut', { project: inProject, name: 'Shut' }))
      const id = version.destinationId
      const statusNow = async () => (await call('GET', `/versions/${id}.json`)).json.version.status
      await call('PUT', `/versions/${id}.json`, { version: { status: 'closed' } })
      const { noted, writer } = breakOffAfter(1)
      const record = makeIssue({ milestone: refer('milestones', version), fix_version: refer('milestones', version) })
      await writer.write('issues', [record]).catch(() => {})
      expect([await statusNow(), noted]).toEqual([
        'open',
        [{ kind: 'version_status', id: Number(id), status: 'closed' }],
      ])
      expect(await openRedmineWriter(accountOf(destination), 'project').restore?.([...noted])).toEqual(noted)
      expect(await statusNow()).toBe('closed')
    })

    test('a record that was deleted meanwhile need not be restored', async () => {
      const items: Leftover[] = [
        { kind: 'watcher', issue: 999_999, user: 1 },
        { kind: 'version_status', id: 999_999, status: 'closed' },
        { kind: 'closed_project', id: 999_999 },
        { kind: 'issue_dates', id: 999_999, start_date: null, due_date: null },
      ]
      expect(await openRedmineWriter(accountOf(destination), 'project').restore?.(items)).toEqual(
        expect.arrayContaining(items),
      )
    })
  },
)
