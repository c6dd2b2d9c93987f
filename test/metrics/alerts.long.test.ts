import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkoutDir, readConfig } from '../../service/src/config.ts'
import { obstacleCodes } from '../../service/src/errors.ts'
import { startService } from '../../service/src/main.ts'
import { createTestDatabase } from '../support/database.ts'
import { testKeys } from '../support/service.ts'
import { readSamples } from './scrape.ts'

const read = (file: string) => readFileSync(join(checkoutDir, file), 'utf8')
const alerts = read('deploy/prometheus/alerts.yml')
const dashboard = read('deploy/grafana/wherry.json')
const operations = read('docs/operations.md')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.warn('promtool is missing (Debian package "prometheus"): the alert rules are not checked.')

const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

/** The metrics of a real process: names and samples. */
async function scrapeService() {
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  const environment = { WHERRY_LOG_LEVEL: 'silent', PORT: '0', WHERRY_METRICS: '127.0.0.1:0' }
  const config = { ...readConfig(environment), databaseUrl: own.url, keys: testKeys }
  const service = await startService(config, { role: 'all', onePerFolder: false, onNotice: () => {} })
  cleanup.defer(() => service.stop())
  const text = await (await fetch(String(service.metrics))).text()
  const names = new Set<string>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    names.add(name)
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`)
  }
  return { names, samples: readSamples(text) }
}

const namesIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:wherry|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name))

test.skipIf(!hasPromtool)('promtool accepts the alert rules, and each alert fires when it should', () => {
  for (const args of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: join(checkoutDir, 'deploy/prometheus'),
      encoding: 'utf8',
    })
    expect(status, `${stdout}\n${stderr}`).toBe(0)
  }
})

test('alerts and dashboard use only metrics that a process serves', async () => {
  const { names, samples } = await scrapeService()
  expect(namesIn(alerts).size).toBeGreaterThan(10)
  expect(namesIn(dashboard).size).toBeGreaterThan(20)
  expect([...namesIn(alerts), ...namesIn(dashboard)].filter((name) => !names.has(name))).toEqual([])
  // The dashboard draws every metric of ours, except those that only name the process.
  const drawn = new Set([...namesIn(dashboard)].map((name) => name.replace(/_(bucket|sum|count)$/, '')))
  const ours = [...names].filter((name) => name.startsWith('wherry_') && !/_(bucket|sum|count)$/.test(name))
  const left = ours.filter((name) => !drawn.has(name))
  expect(left.sort()).toEqual(['wherry_database_up', 'wherry_info', 'wherry_mails_oldest_seconds'])
  // The operator's page explains each metric.
  expect(ours.filter((name) => !operations.includes(`\`${name}\``))).toEqual([])
  const queues = new Set(samples.filter(({ name }) => name === 'wherry_queue_jobs').map(({ labels }) => labels.queue))
  // Expired data stays while these jobs wait.
  expect([...queues]).toContain('retention')
  const named = /queue=~"([^"]+)"/.exec(alerts)?.[1]?.split('|') ?? []
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((queue) => !queues.has(queue))).toEqual([])
})

test('the alert about runs names every obstacle that only the operator can remove', () => {
  const named = /wherry_run_obstacles\{code=~"([^"]+)"/.exec(alerts)?.[1]?.split('|') ?? []
  const rows = [...operations.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|/gm)]
  const operators = rows.filter(([, code = '', who]) => obstacleCodes.some((one) => one === code) && who === 'operator')
  // An operator paused such a run on purpose.
  const expected = operators.map(([, code = '']) => code).filter((code) => code !== 'paused_by_operator')
  expect(expected.length).toBeGreaterThan(5)
  expect(expected.filter((code) => !named.includes(code))).toEqual([])
  expect(named.filter((code) => !obstacleCodes.some((one) => one === code))).toEqual([])
})

test('every alert names a section with the remedy', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const runbooks = [...alerts.matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(([, anchor]) => anchor)
  expect(runbooks).toHaveLength(names.length)
  const anchors = [...operations.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )
  expect(runbooks.filter((anchor) => !anchors.includes(String(anchor)))).toEqual([])
  expect(names.filter((name) => !operations.includes(`\`${name}\``))).toEqual([])
  // The promtool test file covers each rule.
  const proved = read('deploy/prometheus/alerts.test.yml')
  expect(names.filter((name) => !proved.includes(`alertname="${name}"`))).toEqual([])
})
