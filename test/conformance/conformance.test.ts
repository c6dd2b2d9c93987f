import { expect, test } from 'vitest'
import { FAMILIES } from '../../demo/harbour/entities.ts'
import { type CheckResult, checkConformance, lineOf } from '../../service/src/conformance/check-conformance.ts'
import { checkHarbour, namesOf, openLoopback } from './check-harbour.ts'

const noParents = ['no files with a parent', 'no files with uploaded_by']
const noFollowing = ['no files with fields that follow']

test('Harbour passes every check, and its data is unchanged afterwards', async () => {
  const { sum, results, effects } = await checkHarbour({ carries: true })
  expect(results.filter(({ outcome }) => outcome !== 'ok').map(lineOf)).toEqual([])
  expect(sum).toEqual({ passed: results.length, failed: 0 })
  const count = (action: string) => effects.filter((effect) => effect.action === action).length
  expect(count('create')).toBeGreaterThan(100)
  expect(count('delete')).toBe(count('create'))
})

test.each(FAMILIES)(
  'Harbour passes with %s alone, and the report names the checks that were skipped',
  async (family) => {
    const { sum, results } = await checkHarbour({ families: [family], carries: true })
    expect(namesOf(results, 'FAIL')).toEqual([])
    expect(sum.failed).toBe(0)
    const skipped = results.filter(({ outcome }) => outcome === 'skipped').map(({ detail }) => detail)
    expect([...new Set(skipped)]).toEqual(family === 'blog' ? noParents : noFollowing)
  },
)

test('a destination that is too busy is asked again', async () => {
  let turn = 0
  const onRequest = () => (++turn % 5 === 0 ? { status: 429, headers: { 'retry-after': '0' } } : 'ok')
  const { sum } = await checkHarbour({ families: ['helpdesk'], onRequest })
  expect(sum.failed).toBe(0)
})

test('a destination that cannot be reached fails with a readable sentence', async () => {
  await using cleanup = new AsyncDisposableStack()
  const outbound = openLoopback()
  cleanup.defer(() => outbound.close())
  const results: CheckResult[] = []
  const onResult = (result: CheckResult) => results.push(result)
  const sum = await checkConformance({ url: 'http://127.0.0.1:1/wherry', token: 'token', outbound, onResult })
  expect(sum).toEqual({ passed: 0, failed: 1 })
  expect(lineOf(results[0] ?? { name: '', outcome: 'ok', detail: '' })).toMatch(/^FAIL .*ECONNREFUSED/)
})
