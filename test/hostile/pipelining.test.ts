import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestPartner, TestService } from '../support/service.ts'
import { startHostileTarget } from './harmless.ts'
import { basic, openSocket, rawRequest, sendRaw } from './raw-http.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startHostileTarget()
  partner = await service.createPartner()
})
afterAll(() => service.close())

test('thousands of requests on one connection all get their answers, and other connections do not wait for them', async () => {
  const { port } = service
  const request = `GET /api/v2.1/tools HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic(partner.api_token)}\r\n\r\n`
  const other = await service.createPartner()
  let isDone = false
  const flood = sendRaw(port, request.repeat(2_000), { answers: 2_000, limitMs: 600_000 }).then((answers) => {
    isDone = true
    return answers
  })
  expect((await other.call('GET', '/api/v2.1/tools')).status).toBe(200)
  // The other connection did not have to wait for all of them.
  expect(isDone).toBe(false)
  const answers = await flood
  expect(answers.map(({ status }) => status)).toEqual(Array(2_000).fill(200))
}, 900_000)

test('readiness requests cost the database nothing', async () => {
  let queries = 0
  const count = () => queries++
  service.pool.on('acquire', count)
  const before = performance.now()
  const answers = await Promise.all(Array.from({ length: 200 }, () => service.call('GET', '/readyz')))
  const seconds = (performance.now() - before) / 1_000
  service.pool.off('acquire', count)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(queries).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
})

test('requests that need no work do not delay another connection, however many come at once', async () => {
  const greedy = await openSocket(service.port)
  const other = await openSocket(service.port)
  const request = rawRequest('GET /healthz', { headers: ['Connection: keep-alive'] })
  const answered = () => greedy.received().toString('latin1').split('HTTP/1.1 200').length - 1
  const before = new Promise<number>((resolve) => other.socket.once('data', () => resolve(answered())))
  greedy.socket.write(request.repeat(1_000))
  other.socket.write(request)
  expect(await before).toBeLessThan(200)
  await expect.poll(answered, { timeout: 300_000 }).toBe(1_000)
  for (const { socket } of [greedy, other]) socket.destroy()
})
