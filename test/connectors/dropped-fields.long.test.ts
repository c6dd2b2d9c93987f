import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kit } from '../../service/src/connectors/kit/index.ts'
import { type Damage, lensesOfAlder } from '../twins/alder/connector.ts'

// Tests the suites themselves: each lens of a connector is spoiled, one at a time, and a suite must notice it.

interface Assertion {
  ancestorTitles: string[]
  title: string
  status: string
}

const checkout = join(import.meta.dirname, '../..')
let folder: string
let assertions: Assertion[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropped-'))
  const results = join(folder, 'results.json')
  const runner = join(checkout, 'node_modules/vitest/vitest.mjs')
  const config = join(checkout, 'test/connectors/check/dropped.config.ts')
  const args = [runner, 'run', '--config', config, '--reporter=json', `--outputFile=${results}`]
  // Most of these tests must fail; the results are checked below.
  await promisify(execFile)(process.execPath, args, {
    cwd: checkout,
    env: { PATH: process.env.PATH },
    maxBuffer: 256 * 1024 * 1024,
  }).catch(() => {})
  const json = JSON.parse(await readFile(results, 'utf8')) as { testResults: { assertionResults: Assertion[] }[] }
  assertions = json.testResults.flatMap(({ assertionResults }) => assertionResults)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The failed tests of one suite for the connector with this name. */
const failedOf = (name: string, suite: 'reader' | 'writer') =>
  assertions
    .filter(({ ancestorTitles }) => ancestorTitles.includes(`${name} as a ${suite}`))
    .filter(({ status }) => status === 'failed')
    .map(({ title }) => title)

test.each(['crm', 'project'])('an intact connector for the family %s passes both suites', (family) => {
  const whole = assertions.filter(({ ancestorTitles }) => ancestorTitles[0] === `whole ${family}, against its twin`)
  expect(whole.length).toBeGreaterThan(30)
  expect(whole.filter(({ status }) => status === 'failed')).toEqual([])
})

test('every lens of the kit is tested', async () => {
  const source = await readFile(join(checkout, 'test/twins/alder/connector.ts'), 'utf8')
  const { oneOf: _shape, htmlWithPictures: _pictures, ...lenses } = kit.is
  expect(Object.keys(lenses).filter((name) => !source.includes(`is.${name}(`))).toEqual([])
})

/** The lenses that this damage applies to, as [entity, field]. */
const thatCanBe = (damage: Damage) =>
  lensesOfAlder.filter(({ damages }) => damages.includes(damage)).map(({ entity, field }) => [entity, field] as const)

test.each(thatCanBe('undeclared'))('the reader suite fails when %s.%s is dropped', (entity, field) => {
  expect(failedOf(`${entity}.${field} undeclared`, 'reader')).toContain('every field that the account has is read')
})

// A writer cannot drop a field that can only be read.
test.each(thatCanBe('unsent'))('the writer suite fails when %s.%s is dropped', (entity, field) => {
  expect(failedOf(`${entity}.${field} undeclared`, 'writer')).toContain('every field that the tool takes is described')
})

test.each(thatCanBe('unsent'))('the writer suite fails when %s.%s is declared and not sent', (entity, field) => {
  expect(failedOf(`${entity}.${field} unsent`, 'writer')).not.toEqual([])
})

test.each(thatCanBe('uncompared'))('the writer suite fails when %s.%s is sent and not compared', (...place) => {
  expect(failedOf(`${place.join('.')} uncompared`, 'writer')).not.toEqual([])
})

test.each(thatCanBe('half sent'))(
  'the writer suite fails when only one of two columns of %s.%s is sent',
  (...place) => {
    expect(failedOf(`${place.join('.')} half sent`, 'writer')).not.toEqual([])
  },
)
