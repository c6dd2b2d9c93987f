import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { tell } from '../signals/signals.ts'
import { countSignals } from './count-signals.ts'

test('unforeseen values share one label', async () => {
  const registry = new Registry()
  const stop = countSignals(registry, { tools: ['open'] })
  for (let index = 0; index < 2_000; index += 1) {
    tell('answered', { route: `/made/up/${index}`, method: `ODD${index}`, status: index, seconds: 0.1 })
    tell('tool asked', { tool: `made up ${index}`, status: null, seconds: 0.1 })
    tell('run changed', { kind: `made up ${index}`, change: 'started' })
    tell('obstacle met', { code: `made up ${index}` })
  }
  stop()
  const text = await registry.metrics()
  expect(text).not.toContain('made up')
  expect(text).not.toContain('ODD')
  expect(text).toContain('wherry_obstacles_total{code="other"} 2000')
  const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
  expect(routes.size).toBeLessThanOrEqual(501)
})

test('nothing is counted after the counter is closed', async () => {
  const registry = new Registry()
  countSignals(registry, { tools: ['open'] })()
  tell('page read', { tool: 'open', records: 7 })
  expect(await registry.metrics()).not.toContain('tool="open"')
})
