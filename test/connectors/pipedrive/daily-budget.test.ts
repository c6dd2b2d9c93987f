import { afterEach, expect, test, vi } from 'vitest'
import { limits } from '../../../service/src/connectors/crm/pipedrive/api.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a budget that is nearly used up comes back at midnight, not a day after the answer', () => {
  vi.useFakeTimers({ now: Date.parse('2026-01-02T18:00:00.000Z') })
  const headers = { 'x-daily-ratelimit-token-limit': '100', 'x-daily-ratelimit-token-remaining': '8' }
  const request = { method: 'GET', url: new URL('https://api.pipedrive.com/api/v2/deals') }
  const told = limits.find(({ name }) => name === 'day')?.learn?.({ status: 200, headers }, request)
  expect(told).toEqual({ limit: 100, remaining: 8, resetMs: 6 * 3_600_000 })
})
