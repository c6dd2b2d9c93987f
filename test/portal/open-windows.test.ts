import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PortalService, startPortalService } from './portal-service.ts'

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service.close())

/** More windows than one address may have concurrent requests. */
const windows = 260
const perImport = 20

test('hundreds of open windows behind one address do not block the next request', async () => {
  const stop = new AbortController()
  // Kept here, because the garbage collector closes an unreferenced response.
  const held: Response[] = []
  const openAll = async () => {
    const { id, token } = await service.createImport()
    const answer = await service.call('POST', '/portal/session', { body: { id, token } })
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
    const opened = Array.from({ length: perImport }, () =>
      fetch(`${service.origin}/portal/imports/${id}/events`, { headers: { cookie }, signal: stop.signal }),
    )
    return Promise.all(opened)
  }
  for (let at = 0; at < windows / perImport; at++) {
    held.push(...(await openAll()))
  }
  expect(held.filter(({ status }) => status === 200)).toHaveLength(windows)
  const { status } = await service.call('GET', '/portal/imports/imp_nobody')
  expect(status).toBe(401)
  stop.abort()
})
