import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

async function bench(...args: string[]) {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args, '--json'])
  return JSON.parse(stdout)
}

// Each test starts a Postgres and several servers. They run one after the other, because other tests need the
// processor, too.
const limit = { timeout: 900_000 }
const tiny = ['--rounds', '1', '--requests', '200', '--concurrency', '4']

test('the API benchmark measures the bare server and our API, with and without the request limit', limit, async () => {
  const report = await bench('api', ...tiny, '--partners', '300', '--idle', '1')
  for (const kind of ['read', 'list']) {
    expect(report.rounds[kind]).toHaveLength(1)
    for (const server of ['bare', 'api', 'apiWithLimit']) {
      // A round may end by time before all requests are sent.
      expect(report.rounds[kind][0][server].requests).toBeGreaterThan(0)
      expect(report[kind][server].ratio).toBeGreaterThan(0)
    }
  }
  expect(report.memoryMb).toBeGreaterThan(0)
  expect(report.idleCpu).toBeGreaterThanOrEqual(0)
})

test('the growth benchmark compares two database sizes, and both requests use their index', limit, async () => {
  const report = await bench('growth', ...tiny, '--small', '1000', '--big', '2000')
  expect(report.read.p50Ratio).toBeGreaterThan(0)
  expect(report.list.p50Ratio).toBeGreaterThan(0)
  expect(report.read.plan).toContain('imports_pkey')
  expect(report.list.plan).toContain('imports_by_destination_username')
})

test('the engine benchmark compares with a raw copy, and measures memory and small imports', limit, async () => {
  const tiny = ['--rounds', '1', '--tickets', '200', '--memory', '1500', '--small', '1', '--latency', '1']
  const report = await bench('engine', ...tiny)
  expect(report.instant.ratio).toBeGreaterThan(0)
  expect(report.withLatency.ratio).toBeGreaterThan(0)
  expect(report.memory.records).toBeGreaterThan(1_000)
  expect(report.beside.besideSeconds).toHaveLength(1)
})

test('the scale-out benchmark moves the same imports with one worker process and with two', limit, async () => {
  const tiny = ['--rounds', '1', '--tickets', '100', '--imports', '2', '--latency', '1']
  const report = await bench('scale-out', ...tiny)
  expect(report.records).toBeGreaterThan(600)
  for (const { perSecond, cpuMs } of [report.one, report.two]) {
    expect(perSecond).toBeGreaterThan(0)
    expect(cpuMs).toBeGreaterThan(0)
  }
  expect(report.ratio).toBeGreaterThan(0)
})

test.each(['pipedrive', 'zendesk'])(
  'the benchmark of %s tells requests, minutes at the limits and the loop',
  limit,
  async (tool) => {
    const report = await bench('hosted', tool, '--tickets', '20', '--speed', '200')
    expect(report.map(({ direction }: { direction: string }) => direction)).toEqual(['into', 'out of'])
    for (const { records, requestsPerRecord, minutes, unlimited } of report) {
      expect(records).toBeGreaterThan(100)
      for (const number of [requestsPerRecord, minutes, unlimited.ratio]) expect(number).toBeGreaterThan(0)
    }
  },
)

test('the wake benchmark measures the time from the click, and the cost of an idle service', limit, async () => {
  const report = await bench('wake', '--rounds', '1', '--seconds', '1')
  expect(report.clicks).toHaveLength(1)
  expect(report.clicks[0]).toBeGreaterThan(0)
})

test('the webhooks benchmark delivers every message, and compares with hanging targets', limit, async () => {
  const tinyWebhooks = ['--messages', '40', '--rounds', '1', '--seconds', '1', '--rate', '20', '--hanging', '1']
  const report = await bench('webhooks', ...tinyWebhooks, '--targets', '50', '--burst', '100')
  for (const { perSecond, processCpuUs } of [report.rate.ours, report.rate.raw]) {
    expect(perSecond).toBeGreaterThan(0)
    expect(processCpuUs).toBeGreaterThan(0)
  }
  expect(report.idle.p50Ms).toBeGreaterThan(0)
  expect(report.flaky.arrived + report.flaky.givenUp).toBeGreaterThanOrEqual(40)
  expect(report.flaky.requests).toBeGreaterThan(40)
  expect(report.p99Ratio).toBeGreaterThan(0)
})

test('hostile texts block neither the API nor the worker, and all of them arrive', {
  timeout: 900_000,
}, async () => {
  const report = await bench('hostile', '--texts', '24', '--large', '3', '--concurrency', '2')
  expect(report.previews).toEqual({ done: 27, failed: 0 })
  expect(report.moved).toMatchObject({ status: 'migration_completed', tickets: 27 })
  expect(report.health.count).toBeGreaterThan(0)
  // Processor time, not waiting time. The limit is ten times the rule, for slow machines.
  for (const { longestCpuMs } of [report.api, report.worker]) expect(longestCpuMs).toBeLessThan(500)
  // Memory stays bounded, whatever the texts contain. The goal is 512 MB; a worker with texts of 10 MB takes up to 580
  // MB.
  for (const { rssMostMb } of [report.api, report.worker]) expect(rssMostMb).toBeLessThan(768)
})

test('the big benchmark copies and removes all records, and reports sizes and read times', limit, async () => {
  const report = await bench('big', '--tickets', '60', '--comments', '4')
  expect(report).toMatchObject({ records: 302, arrived: 302, left: 0, ledgerRows: 302 })
  for (const number of [report.bytesPerRecord, report.status.p99Ms, report.portal.p99Ms, report.undoSeconds])
    expect(number).toBeGreaterThan(0)
})

test('the capacity benchmark reports Postgres processor time for reads, records and webhooks', limit, async () => {
  const { costs } = await bench('capacity', '--requests', '300', '--tickets', '30', '--messages', '100')
  expect(costs).toHaveLength(4)
  for (const { count, processMicroseconds } of costs) {
    expect(count).toBeGreaterThan(100)
    expect(processMicroseconds).toBeGreaterThan(0)
  }
})

test('the ledger benchmark erases an import in the shared table and one in its own partition', limit, async () => {
  const report = await bench('ledger', '--rows', '2000', '--imports', '2', '--huge', '500', '--pages', '3')
  expect(report.pages.map(({ place }: { place: string }) => place)).toEqual([
    'an empty ledger',
    'one table for all',
    'the shared partition',
    'a partition of its own',
  ])
  for (const number of [report.erase.sharedSeconds, report.erase.ownSeconds, report.partition.seconds])
    expect(number).toBeGreaterThan(0)
})

test('an unknown benchmark name prints the usage', limit, async () => {
  await expect(bench('speed')).rejects.toThrow('Usage: npm run bench')
})
