import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watch } from '../../service/src/signals/signals.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { goodPassword, openBrowser, setUpOperator } from './console-client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describe('a console session', () => {
  test('is kept open by people, and not by a screen that refreshes itself', async () => {
    const { id, browser } = await setUpOperator(service, 'Ana', 'reader')
    const earlier = new Date(Date.now() - 59 * 60_000)
    const lastSeen = async () =>
      (
        await service.db
          .selectFrom('operator_sessions')
          .select('last_seen_at')
          .where('operator_id', '=', id)
          .executeTakeFirstOrThrow()
      ).last_seen_at
    await service.db.updateTable('operator_sessions').set({ last_seen_at: earlier }).execute()
    expect((await browser.ask('GET', '/overview', undefined, { 'x-wherry-away': '1' })).status).toBe(200)
    expect(await lastSeen()).toEqual(earlier)
    expect((await browser.ask('GET', '/overview')).status).toBe(200)
    expect(Number(await lastSeen())).toBeGreaterThan(Number(earlier))
  })
})

describe('too many sign-ins', () => {
  test('are counted among the limits that refuse with 429', async () => {
    const told: string[] = []
    const end = watch('limited', ({ limit }) => told.push(limit))
    try {
      const attempt = () =>
        openBrowser(service).ask('POST', '/session', { name: 'Nobody', password: goodPassword, code: '000000' })
      expect((await attempt()).status).toBe(401)
      // The state after many failures: further attempts are refused for minutes, even on a slow machine.
      await service.db
        .updateTable('sign_in_failures')
        .set({ failures: 12, blocked_until: new Date(Date.now() + 600_000) })
        .execute()
      expect((await attempt()).status).toBe(429)
      expect(told).toEqual(['console_sign_in'])
    } finally {
      end()
    }
  })
})
