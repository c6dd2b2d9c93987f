import { expect, test } from 'vitest'
import { type CheckResult, checkConformance, lineOf } from '../../service/src/conformance/check-conformance.ts'
import { openLoopback } from './check-harbour.ts'
import { startLiberalDestination } from './liberal-destination.ts'

test('a destination may choose freely where the protocol page leaves a choice', async () => {
  await using cleanup = new AsyncDisposableStack()
  const outbound = openLoopback()
  cleanup.defer(() => outbound.close())
  const destination = await startLiberalDestination()
  cleanup.defer(() => destination.close())
  const results: CheckResult[] = []
  const onResult = (result: CheckResult) => results.push(result)
  await checkConformance({ url: destination.url, token: 'token', outbound, onResult })
  expect(results.filter(({ outcome }) => outcome === 'FAIL').map(lineOf)).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ detail }) => detail)).toEqual([
    'capabilities.backdate is false',
    'limits.file_bytes is not given',
    'no files with uploaded_by',
    'capabilities.backdate is false',
    ...Array(8).fill('capabilities.revisions is not true'),
    ...Array(7).fill('capabilities.conditional is not true'),
  ])
  expect([...destination.records.keys()]).toEqual([])
})
