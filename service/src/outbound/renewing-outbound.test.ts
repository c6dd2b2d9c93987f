import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseNetwork } from '../config.ts'
import { ObstacleError } from '../errors.ts'
import { createOutbound, type Outbound } from './outbound.ts'
import { renewOutbound, type TokenSource } from './renewing-outbound.ts'

const { signal } = new AbortController()
let valid: string
let seen: { authorization: string | undefined; body: string }[]
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { authorization } = request.headers
  seen.push({ authorization, body: Buffer.concat(parts).toString() })
  response.statusCode = authorization === `Bearer ${valid}` ? 200 : 401
  response.end('answer')
})
let plain: Outbound
let url: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  plain = createOutbound([parseNetwork('127.0.0.0/8')])
})
afterAll(async () => {
  await plain.close()
  server.close()
})
beforeEach(() => {
  valid = 'two'
  seen = []
})

/** A token source that starts with `one`. A renewal returns `two`. */
const tokens = (current = 'one'): TokenSource & { renewals: string[] } => {
  const renewals: string[] = []
  return {
    first: 'one',
    renewals,
    fresh: async () => current,
    async renew(stale) {
      renewals.push(stale)
      if (valid === 'none') throw new ObstacleError('authorization_lost', 'customer', 'gone')
      current = valid
      return current
    },
  }
}
const withKey = { headers: { authorization: 'Bearer one' }, signal }

test('the newest token replaces the first one', async () => {
  const source = tokens('two')
  expect((await renewOutbound(plain, source).request(url, withKey)).status).toBe(200)
  expect(seen).toMatchObject([{ authorization: 'Bearer two' }])
  expect(source.renewals).toEqual([])
})

test('a refused token is renewed, and the request is sent again with its whole body', async () => {
  const source = tokens()
  const answer = await renewOutbound(plain, source).request(url, { ...withKey, method: 'POST', body: 'data' })
  expect(answer).toMatchObject({ status: 200, body: 'answer' })
  expect(seen).toEqual([
    { authorization: 'Bearer one', body: 'data' },
    { authorization: 'Bearer two', body: 'data' },
  ])
  expect(source.renewals).toEqual(['one'])
  const { body, status } = await renewOutbound(plain, tokens()).stream(url, withKey)
  expect([status, await body.toArray()]).toEqual([200, [Buffer.from('answer')]])
})

test('a stream that was read is not sent again; the next attempt has the new token', async () => {
  const source = tokens()
  const renewing = renewOutbound(plain, source)
  const request = () => ({ ...withKey, method: 'POST' as const, body: Readable.from(['data']) })
  await expect(renewing.request(url, request())).rejects.toThrow('renewed')
  expect((await renewing.request(url, request())).status).toBe(200)
})

test('a token that ends while the request is sent again is renewed again', async () => {
  valid = 'three'
  const after: Record<string, string> = { one: 'two', two: 'three' }
  const source: TokenSource = { ...tokens(), renew: async (stale) => after[stale] ?? stale }
  expect((await renewOutbound(plain, source).request(url, withKey)).status).toBe(200)
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer one', 'Bearer two', 'Bearer three'])
})

test('a token that stays refused is renewed three times', async () => {
  valid = 'three'
  const source: TokenSource = { ...tokens(), renew: async () => 'two' }
  expect((await renewOutbound(plain, source).request(url, withKey)).status).toBe(401)
  expect(seen).toHaveLength(4)
  valid = 'none'
  await expect(renewOutbound(plain, tokens()).request(url, withKey)).rejects.toThrow(ObstacleError)
})

test('a request without the token stays unchanged', async () => {
  const source = tokens()
  expect((await renewOutbound(plain, source).request(url, { signal })).status).toBe(401)
  expect(source.renewals).toEqual([])
  expect(seen).toHaveLength(1)
})
