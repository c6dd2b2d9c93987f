import { afterEach, describe, expect, test } from 'vitest'
import type { SeenRequest } from '../../demo/harbour/faults.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { deleteInDesk, type Hiding, hideRecords } from './delete-in-desk.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedRequest, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

/** Whether the request asks for a page of all comments. The stage of the files asks for the same list. */
const isOfList = ({ path, query }: PassedRequest) => path.endsWith('/comments') && !query.has('ids') && !/\d/.test(path)

/** Fernhill Desk as a tool that shows comments only below their tickets. */
const nested = (fernhill: Connector): Connector => ({
  ...fernhill,
  ...(fernhill.source && { source: { ...fernhill.source, nested: ['comments'] } }),
})

/** Runs a full migration. Returns the number of requests for pages of all comments. */
async function countPages({ carries = true, counted = 0, onWrite = () => {} }: Setup = {}): Promise<number> {
  let pages = 0
  const source: Tamper = async (request, pass) => {
    if (isOfList(request)) pages++
    const answer = await pass()
    if (!request.path.endsWith('/account')) return answer
    const account = JSON.parse(String(answer.body)) as { counts: { comments: number } }
    account.counts.comments += counted
    return { ...answer, body: JSON.stringify(account) }
  }
  const onRequest = ({ method, path }: SeenRequest) => {
    if (method === 'PUT' && path === '/records/tickets') onWrite()
    return 'ok' as const
  }
  journey = await startJourney({ carries, onRequest, between: { source }, readAs: nested })
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  pages = 0
  await journey.work(runId)
  expect(journey.errors).toEqual([])
  expect((await journey.status()).status_code).toBe('migration_completed')
  return pages
}

interface Setup {
  carries?: boolean
  /** Comments that the desk counts and does not show. */
  counted?: number
  onWrite?: () => void
}

const doneOf = async (entity: string) => {
  const { done } = await journey.db
    .selectFrom('run_stages as s')
    .select('s.done')
    .where('s.stage', '=', 'write')
    .where('s.entity', '=', entity)
    .executeTakeFirstOrThrow()
  return done
}

const rowsOf = (entity: string) =>
  journey.db.selectFrom('id_map').select(['source_id', 'state', 'carried_at']).where('entity', '=', entity).execute()

async function readDesk<T>(path: string): Promise<T[]> {
  const headers = { authorization: 'Bearer desk-key' }
  const answer = await fetch(`${journey.fernhill.url}/api/v1${path}`, { headers })
  return ((await answer.json()) as { data: T[] }).data
}

/** A ticket with several comments that no run has read. */
async function findNewTicket(): Promise<{ id: number }> {
  const known = new Set((await rowsOf('tickets')).map(({ source_id }) => source_id))
  const tickets = await readDesk<{ id: number; comment_count: number }>('/tickets?limit=100')
  const found = tickets.find(({ id, comment_count }) => comment_count > 3 && !known.has(String(id)))
  if (!found) throw new Error('the sample took all tickets')
  return found
}

const commentsIn = async (ticket: number) =>
  (await readDesk<{ id: number }>(`/tickets/${ticket}/comments?limit=100`)).map(({ id }) => String(id))

describe('comments that went inside their tickets', () => {
  test('are not read a second time, and count as done', limit, async () => {
    const alone = await countPages({ carries: false })
    const done = await doneOf('comments')
    await journey.close()
    expect(await countPages()).toBe(alone / 2)
    expect(await doneOf('comments')).toBe(done)
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectSumsToClose(journey, fernhillCounts)
  })

  test.each([
    ['a sample', 'sample'],
    ['a full migration from a source that may show them without a ticket', 'full'],
  ] as const)('count once in %s, which reads them again', limit, async (_name, kind) => {
    journey = await startJourney({ carries: true, startFull: kind === 'full' })
    await journey.connectSource()
    await journey.connectDestination()
    await journey.work(await journey.start(kind))
    const rows = await journey.db.selectFrom('id_map').select(['entity', 'whole_in']).execute()
    expect(rows.filter(({ whole_in }) => whole_in !== null).length).toBeGreaterThan(5)
    expect(await doneOf('comments')).toBe(rows.filter(({ entity }) => entity === 'comments').length)
    expect((await journey.status()).progress).toEqual({ done: rows.length, total: rows.length })
  })

  test('are all read again if the source counts more than we met', limit, async () => {
    const alone = await countPages({ carries: false, counted: 1 })
    await journey.close()
    // Without carrying, the list is read twice for the comments and once for the files.
    expect(await countPages({ counted: 1 })).toBe((alone / 3) * 2)
    expect(await compare(journey)).toEqual(nothingWrong)
    const { warnings } = await journey.status()
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'fewer_than_counted', entity: 'comments', count: 1 }),
    )
  })

  test.each(['sample', 'tickets'] as const)(
    'do not hide comments without a ticket, though the source lost some that were copied with the %s',
    limit,
    async (when) => {
      const hiding: Hiding = { ids: new Set(), status: 403 }
      const startFull = when === 'tickets'
      journey = await startJourney({ carries: true, startFull, between: { source: hideRecords(hiding) } })
      await journey.connectSource()
      await journey.connectDestination()
      if (!startFull) {
        await journey.work(await journey.start('sample'))
        await journey.partner.call('POST', `/api/v2.1/imports/${journey.importId}/payment/accept`)
      }
      const { id } = await findNewTicket()
      const hidden = await commentsIn(id)
      hiding.ids = new Set([`tickets/${id}`])
      let isOver = false
      const loseSome = async () => {
        const carried = (await rowsOf('comments')).filter(({ carried_at }) => carried_at !== null)
        if (isOver || (startFull && carried.length < 200)) return
        isOver = true
        for (const { source_id } of carried.slice(-hidden.length)) await deleteInDesk(journey, 'comments', source_id)
      }
      if (!startFull) await loseSome()
      await journey.work(await journey.start('full'), (name) =>
        name === 'outcomes committed' ? loseSome() : Promise.resolve(),
      )
      expect(isOver).toBe(true)
      const held = (await rowsOf('comments')).filter(({ state }) => state === 'held').map(({ source_id }) => source_id)
      expect(hidden.length).toBeGreaterThan(2)
      expect(held).toEqual(expect.arrayContaining(hidden))
    },
  )

  test('are joined by a comment that somebody writes meanwhile', limit, async () => {
    let isAdded = false
    const onWrite = () => {
      if (isAdded) return
      isAdded = true
      void fetch(`${journey.fernhill.url}/api/v1/tickets/1/comments`, {
        method: 'POST',
        headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
        body: JSON.stringify({ author_type: 'contact', author_id: 1, body: '<p>One more thing</p>' }),
      })
    }
    await countPages({ onWrite })
    expect(isAdded).toBe(true)
    expect(await compare(journey)).toEqual(nothingWrong)
    expect((await journey.status()).items).toMatchObject({ comments: 511 })
  })
})
