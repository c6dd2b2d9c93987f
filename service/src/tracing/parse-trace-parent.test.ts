import { expect, test } from 'vitest'
import { parseTraceParent } from './start-tracing.ts'

test('only a traceparent of version 00 with valid ids is accepted', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const spanId = 'b7ad6b7169203331'
  expect(parseTraceParent(`00-${traceId}-${spanId}-01`)).toMatchObject({ traceId, spanId, traceFlags: 1 })
  expect(parseTraceParent(`00-${traceId}-${spanId}-00`)).toMatchObject({ traceFlags: 0 })
  for (const wrong of [
    '',
    traceId,
    `01-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01\n`,
  ])
    expect(parseTraceParent(wrong), JSON.stringify(wrong)).toBeNull()
})
