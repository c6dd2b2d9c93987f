import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createPulse } from './pulse.ts'

test('new work wakes only the callers that wait for it', async () => {
  const pulse = createPulse()
  const { signal } = new AbortController()
  const woken: string[] = []
  const payments = pulse.until('payments', signal).then(() => woken.push('payments'))
  void pulse.until('audit lines', signal).then(() => woken.push('audit lines'))
  pulse.tell(['queue mails', 'payments'])
  await payments
  expect(woken).toEqual(['payments'])
})

test('a stop ends the wait, and waits leave nothing behind', async () => {
  const pulse = createPulse()
  const stopping = new AbortController()
  const { signal } = stopping
  for (let waits = 0; waits < 3; waits += 1) {
    const waiting = pulse.until('payments', signal)
    pulse.tell(['payments'])
    await waiting
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  const last = pulse.until('payments', signal)
  stopping.abort()
  await last
  await pulse.until('payments', signal)
})
