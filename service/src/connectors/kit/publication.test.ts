import { expect, test } from 'vitest'
import { publication } from './publication.ts'

const now = Date.parse('2026-11-15T00:00:00Z')
const times = publication({
  published: 'publish',
  scheduled: 'future',
  asDraft: 'private',
  leastAheadMs: 60_000,
  passed: 'passed',
  wantedStatus: ({ fields }) => String(fields.status),
  dateOf: ({ createdAt }) => createdAt,
  timeOf: ({ date }) => Date.parse(String(date)),
})
const content = (status: string, createdAt: string | null) => ({
  fields: { status },
  customFields: {},
  createdAt,
  updatedAt: null,
})

test.each([
  ['publish', null, 'publish', []],
  ['publish', '2026-11-16T00:00:00Z', 'future', ['later']],
  ['publish', '2026-11-15T00:00:30Z', 'draft', ['later', 'passed']],
  ['future', '2026-11-16T00:00:00Z', 'future', ['scheduled']],
  ['future', '2026-11-14T00:00:00Z', 'draft', ['scheduled', 'passed']],
  ['future', null, 'draft', ['scheduled', 'passed']],
  ['private', null, 'draft', ['private']],
  ['pending', null, 'pending', []],
])('%s at %s is sent as %s', (status, createdAt, sent, leftOut) => {
  expect(times.statusOf(content(status, createdAt), now)).toEqual({ status: sent, leftOut })
})

test.each([
  ['publish', [], 'publish'],
  ['publish', ['scheduled'], 'future'],
  ['draft', ['scheduled', 'passed'], 'future'],
  ['publish', ['scheduled', 'passed'], 'publish by hand'],
  ['draft', ['later'], 'draft by hand'],
  ['draft', ['private'], 'private'],
])('the stored status %s with the marks %j is compared as %s', (status, leftOut, compared) => {
  expect(times.status.stored(status, { left_out: new Set(leftOut), date: '2015-01-01' })).toBe(compared)
})
