import { afterEach, expect, test } from 'vitest'
import { setContact } from '../../service/src/mail/set-contact.ts'
import { compare, expectSumsToClose, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import { pressInPortal, workUntilStuck } from './stuck-run.ts'
import type { PassedRequest, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
const tickets = 330
let journey: Journey
afterEach(() => journey.close())

const idOf = (cursor: string | null) =>
  cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString('utf8').replace('id:', ''))

/** The third page of tickets, with one hundred of them. */
const isThirdPage = ({ path, query }: PassedRequest) =>
  path === '/api/v1/tickets' && !query.has('ids') && idOf(query.get('after')) === 200

async function start(tamper: Tamper, startFull = true) {
  journey = await startJourney({ tickets, startFull, between: { source: tamper } })
  await journey.connectSource()
  await journey.connectDestination()
  return journey
}

const warningsOf = async () => {
  const { warnings } = (await journey.status()) as { warnings: { code: string; entity: string; count: number }[] }
  return Object.fromEntries(warnings.map(({ code, entity, count }) => [`${code} ${entity}`, count]))
}

const ledgerOf = async (entity: string) => {
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['source_id', 'state'])
    .where('entity', '=', entity)
    .execute()
  return rows.map(({ source_id, state }) => [Number(source_id), state] as const)
}

test('a page that always fails is reported, and skipped if the customer agrees; the rest arrives', limit, async () => {
  let isBroken = true
  let firstPages = 0
  await start(async (request, pass) => {
    if (request.path === '/api/v1/tickets' && !request.query.has('ids') && !request.query.has('after')) firstPages++
    if (isBroken && isThirdPage(request)) return { status: 500, headers: {}, body: 'Internal Server Error' }
    return pass()
  })
  await setContact(journey.db, journey.importId, { address: 'ada@example.com', language: 'en' })
  const runId = await journey.start('full')
  expect(await workUntilStuck(journey, runId)).toMatchObject({
    code: 'source_page_failing',
    must_act: 'customer',
    role: 'source',
    message: expect.stringMatching(
      /^Fernhill Desk fails to return the next tickets \(it answered 500.*\)\. So far we have read 200 of 330 tickets\./,
    ),
  })
  expect(journey.errors).toHaveLength(8)
  expect(await warningsOf()).toMatchObject({ 'source_page_failing run': 1 })
  // The customer gets one mail, even after many attempts.
  await journey.slice(runId)
  const mails = await journey.db.selectFrom('mails').select(['template', 'values']).execute()
  expect(mails).toEqual([{ template: 'paused', values: { code: 'source_page_failing', role: 'source' } }])
  expect((await pressInPortal(journey, 'skip')).status).toBe(204)
  await journey.work(runId)

  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
  const met = new Set((await ledgerOf('tickets')).map(([id]) => id))
  expect(met.size).toBe(230)
  expect([...met].filter((id) => id > 200 && id <= 300)).toEqual([])
  const told = await warningsOf()
  expect(told['source_page_skipped tickets']).toBe(100)
  expect(Object.keys(told).filter((key) => /fewer_than_counted|source_page_failing/.test(key))).toEqual([])
  // The tickets were read once, and the skipped page was not requested again.
  expect(firstPages).toBe(1)
  const held = (await ledgerOf('comments')).filter(([, state]) => state === 'held')
  expect(held.length).toBe(told['held comments'])

  // The page works again, so a delta copies the missing records.
  isBroken = false
  await journey.work(await journey.start('delta'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  await expectSumsToClose(journey, await countRecords())
  const after = await warningsOf()
  expect(Object.keys(after).filter((key) => key.includes('skipped'))).toEqual([])
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a page that works again is not skipped, even if a skip was requested', limit, async () => {
  let isBroken = true
  await start(async (request, pass) =>
    isBroken && isThirdPage(request) ? { status: 200, headers: {}, body: '{"data": [' } : pass(),
  )
  const runId = await journey.start('full')
  await workUntilStuck(journey, runId)
  expect((await pressInPortal(journey, 'skip')).status).toBe(204)
  isBroken = false
  await journey.work(runId)
  await expectSumsToClose(journey, await countRecords())
  const run = await journey.db.selectFrom('runs').select('skip_asked_at').where('id', '=', runId).executeTakeFirst()
  expect(run?.skip_asked_at).toBeNull()
  // No page is stuck any more, so nothing can be skipped.
  expect(await pressInPortal(journey, 'skip')).toMatchObject({ status: 422, json: { status: [expect.any(String)] } })
})

test('an entity ends with a warning at a failing page if only the source knows the next cursor', limit, async () => {
  await start(async (request, pass) => {
    if (request.query.get('after') === 'opaque') return { status: 500, headers: {}, body: '' }
    const answer = await pass()
    const isSecondPage = request.path === '/api/v1/tickets' && idOf(request.query.get('after')) === 100
    if (!isSecondPage || request.query.has('ids')) return answer
    return { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), next: 'opaque' }) }
  })
  const runId = await journey.start('full')
  await workUntilStuck(journey, runId)
  expect((await pressInPortal(journey, 'skip')).status).toBe(204)
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect((await ledgerOf('tickets')).length).toBe(200)
  const told = await warningsOf()
  expect(told['source_rest_skipped tickets']).toBe(130)
  expect(told['source_page_skipped tickets']).toBeUndefined()
  expect(told['fewer_than_counted tickets']).toBeUndefined()
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a plan and a sample continue with the records before a page that always fails', limit, async () => {
  await start(async (request, pass) => (isThirdPage(request) ? { status: 500, headers: {}, body: '' } : pass()), false)
  await journey.work(await journey.start('plan'))
  const plan = await journey.db
    .selectFrom('plan_entities')
    .select(['looked_at', 'total'])
    .where('entity', '=', 'tickets')
    .executeTakeFirstOrThrow()
  expect(plan).toEqual({ looked_at: 200, total: tickets })
  const planned = await journey.db.selectFrom('runs').select('state').execute()
  expect(planned).toEqual([{ state: 'finished' }])
  await journey.work(await journey.start('sample'))
  expect((await journey.status()).status_code).toBe('sample_migration_completed')
  expect((await ledgerOf('tickets')).length).toBeGreaterThan(10)
})

test(
  'a single record that fails by its id is found by requesting fewer records, and only it is skipped',
  limit,
  async () => {
    let wanted: string[] = []
    const isStuck = (ids: string[]) => {
      if (wanted.length === 0) wanted = ids
      return ids.includes(String(wanted[3]))
    }
    await start(async ({ path, query }, pass) => {
      const ids = query.get('ids')?.split(',') ?? []
      return path === '/api/v1/tickets' && ids.length > 0 && isStuck(ids)
        ? { status: 500, headers: {}, body: '' }
        : pass()
    }, false)
    const runId = await journey.start('sample')
    const { message } = await workUntilStuck(journey, runId)
    expect(message).toContain(`fails to return tickets ${wanted[3]} (it answered 500`)
    expect((await pressInPortal(journey, 'skip')).status).toBe(204)
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('sample_migration_completed')
    expect((await warningsOf())['source_page_skipped tickets']).toBe(1)
    const met = (await ledgerOf('tickets')).map(([id]) => String(id))
    expect(met.sort()).toEqual(wanted.filter((id) => id !== wanted[3]).sort())
    expect(await compare(journey)).toEqual(nothingWrong)
  },
)

test(
  'a ticket whose comments always fail is found among those that are asked for together, and only it is skipped',
  limit,
  async () => {
    const asked: string[] = []
    const isStuck = (id: string) => {
      if (!asked.includes(id)) asked.push(id)
      // The desk returns the comments ticket by ticket, so its own cursor stands in the middle of the tickets.
      return id === asked[6]
    }
    await start(async ({ path }, pass) => {
      const id = /\/tickets\/(\d+)\/comments$/.exec(path)?.[1]
      return id !== undefined && isStuck(id) ? { status: 500, headers: {}, body: '' } : pass()
    }, false)
    const runId = await journey.start('sample')
    const { message } = await workUntilStuck(journey, runId)
    const guilty = String(asked[6])
    expect(message).toContain(`fails to return comments of tickets ${guilty} (it answered 500`)
    expect((await pressInPortal(journey, 'skip')).status).toBe(204)
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('sample_migration_completed')
    expect((await warningsOf())['source_page_skipped comments']).toBe(1)
    const rows = await journey.db
      .selectFrom('id_map')
      .select(['parent_source_id', 'state'])
      .where('entity', '=', 'comments')
      .execute()
    const met = new Set(rows.map(({ parent_source_id }) => String(parent_source_id)))
    expect(met.has(guilty)).toBe(false)
    const desk = await fetch(`${journey.fernhill.url}/api/v1/tickets?ids=${asked.join(',')}`, {
      headers: { authorization: 'Bearer desk-key' },
    })
    const { data } = (await desk.json()) as { data: { id: number; comment_count: number }[] }
    const expected = data.filter(({ id, comment_count }) => comment_count > 0 && String(id) !== guilty)
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.filter(({ id }) => !met.has(String(id)))).toEqual([])
    expect(rows.length).toBe(expected.reduce((sum, { comment_count }) => sum + comment_count, 0))
  },
)

/** The counts that the desk itself gives. */
async function countRecords(): Promise<Record<string, number>> {
  const response = await fetch(`${journey.fernhill.url}/api/v1/account`, {
    headers: { authorization: 'Bearer desk-key' },
  })
  const { counts } = (await response.json()) as { counts: Record<string, number> }
  const { agents: _, ticket_fields: __, ...records } = counts
  return records
}
