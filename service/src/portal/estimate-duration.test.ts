import { expect, test } from 'vitest'
import type { DestinationDescription } from '../connectors/contract/contract.ts'
import { estimateDuration } from './estimate-duration.ts'

const describeTool = (capabilities: object) =>
  ({
    capabilities: { batchSize: 100, concurrency: 4, ...capabilities },
    entities: { tickets: {} },
  }) as unknown as DestinationDescription
const tickets = (records: number) => [
  { entity: 'tickets', records },
  { entity: 'not taken', records: 1e9 },
]

test('without a sample the range follows from the counts and the limits of the tool', () => {
  const range = estimateDuration(describeTool({}), tickets(100_000), null)
  expect(range).toMatchObject({ is_measured: false })
  expect(range?.from_seconds).toBeLessThan(range?.to_seconds ?? 0)
  const limited = estimateDuration(describeTool({ requestsPerSecond: 0.5 }), tickets(100_000), null)
  expect(limited?.from_seconds).toBeGreaterThanOrEqual(2_200)
  expect(estimateDuration(describeTool({}), tickets(0), null)).toBeNull()
})

test("a sample narrows the range: its pace is the slowest expected, and the tool's limit still holds", () => {
  expect(estimateDuration(describeTool({}), tickets(10_000), 0.2)).toEqual({
    from_seconds: 500,
    to_seconds: 2_000,
    is_measured: true,
  })
  const limited = estimateDuration(describeTool({ requestsPerSecond: 0.01 }), tickets(10_000), 0.2)
  expect(limited?.from_seconds).toBeGreaterThanOrEqual(11_000)
  expect(limited?.to_seconds).toBe(limited?.from_seconds)
})
