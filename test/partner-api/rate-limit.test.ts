import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueToken } from '../../service/src/partners/issue-token.ts'
import { startTestService, type TestService } from '../support/service.ts'

let first: TestService
let second: TestService
beforeAll(async () => {
  first = await startTestService()
  second = await startTestService({ databaseUrl: first.databaseUrl })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

/** The times in the database at which the newest requests of a partner were accepted. */
async function acceptedMoments(partnerId: string): Promise<number[]> {
  const { rows } = await first.pool.query<{ moment: string }>(
    'select extract(epoch from unnest(accepted_at)) * 1000 as moment from rate_windows where partner_id = $1',
    [partnerId],
  )
  return rows.map(({ moment }) => Number(moment))
}

test('two processes under load with two tokens never accept more than ten requests in any second', async () => {
  const partner = await first.createPartner()
  const extra = await issueToken(first.db, { partnerId: partner.id, label: null })
  const accepted: { sent: number; received: number }[] = []
  let refused = 0
  const end = Date.now() + 3_500
  // The test sends more requests than the limit allows, and needs more than one window of accepted ones, so that a
  // lock-out would show.
  const isEnough = () => Date.now() >= end && refused > 0 && accepted.length > 10
  const hammer = async (service: TestService, token: string) => {
    while (!isEnough()) {
      const sent = performance.now()
      const answer = await service.call('GET', '/api/v2.1/tools', { token })
      if (answer.status === 200) accepted.push({ sent, received: performance.now() })
      else {
        refused++
        expect(answer.status).toBe(429)
        expect(answer.headers['retry-after']).toBe('1')
        expect(answer.headers['ratelimit-policy']).toBe('"partner";q=10;w=1')
        expect(answer.headers.ratelimit).toBe('"partner";r=0;t=1')
        expect(answer.json.error).toBe('rate_limited')
      }
    }
  }
  const tokens = [partner.api_token, extra.api_token]
  await Promise.all([first, second].flatMap((service) => [...tokens, ...tokens].map((token) => hammer(service, token))))
  accepted.sort((a, b) => a.received - b.received)
  for (let index = 10; index < accepted.length; index++) {
    // From the first request sent to the last answer received, eleven accepted requests took more than a second.
    const eleven = accepted.slice(index - 10, index + 1)
    const span = Math.max(...eleven.map(({ received }) => received)) - Math.min(...eleven.map(({ sent }) => sent))
    expect(span).toBeGreaterThanOrEqual(1000)
  }
  const moments = await acceptedMoments(partner.id)
  expect(moments).toHaveLength(10)
  expect(moments).toEqual([...moments].sort((a, b) => a - b))
})

test('a client that sends nine requests a second is never refused', async () => {
  const partner = await first.createPartner()
  const statuses: number[] = []
  for (let index = 0; index < 36; index++) {
    const service = index % 2 === 0 ? first : second
    statuses.push((await service.call('GET', '/api/v2.1/tools', { token: partner.api_token })).status)
    // The next request is sent after the answer, because requests without a wait arrive together on a busy machine.
    await sleep(1000 / 9)
  }
  expect(statuses).toEqual(Array(36).fill(200))
})

test('requests to every endpoint count, also to paths and imports that do not exist', async () => {
  const partner = await first.createPartner()
  const paths = ['/tools', '/imports?destination_username=a', '/imports/imp_x', '/nothing', '/imports']
  const ask = async (path: string) => (await partner.call('GET', `/api/v2.1${path}`)).status
  for (const [index, path] of paths.entries()) {
    expect(await ask(path), path).not.toBe(429)
    expect(await acceptedMoments(partner.id)).toHaveLength(index + 1)
  }
  // Records ten accepted requests at this moment, independent of the machine's speed.
  await first.pool.query(
    `update rate_windows set accepted_at = array_fill(now() + interval '1 hour', array[10]) where partner_id = $1`,
    [partner.id],
  )
  for (const path of paths) expect(await ask(path), path).toBe(429)
})

test('successful answers have the number of remaining requests', async () => {
  // Repeats with another partner if a busy machine needed more than a second for the three requests.
  for (;;) {
    const partner = await first.createPartner()
    const left: unknown[] = []
    for (let index = 0; index < 3; index++) {
      left.push((await partner.call('GET', '/api/v2.1/tools')).headers.ratelimit)
    }
    const [earliest = 0, , last = 0] = await acceptedMoments(partner.id)
    if (last - earliest > 900) continue
    expect(left).toEqual(['"partner";r=9;t=1', '"partner";r=8;t=1', '"partner";r=7;t=1'])
    return
  }
})

test('a partner’s limit affects neither another partner nor the sandbox', async () => {
  const busy = await first.createPartner()
  const calm = await first.createPartner()
  await Promise.all(Array.from({ length: 15 }, () => busy.call('GET', '/api/v2.1/tools')))
  expect((await calm.call('GET', '/api/v2.1/tools')).status).toBe(200)
  const sandbox = await Promise.all(Array.from({ length: 40 }, () => busy.call('GET', '/api/sandbox/tools')))
  expect(new Set(sandbox.map(({ status }) => status))).toEqual(new Set([200]))
  expect(sandbox[0]?.headers.ratelimit).toBeUndefined()
})

test('the limit holds after the database lost its unlogged tables', async () => {
  const partner = await first.createPartner()
  await partner.call('GET', '/api/v2.1/tools')
  await first.pool.query('truncate rate_windows')
  const start = performance.now()
  const answers = await Promise.all(Array.from({ length: 14 }, () => partner.call('GET', '/api/v2.1/tools')))
  const seconds = (performance.now() - start) / 1_000
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(10 * Math.ceil(seconds))
})
