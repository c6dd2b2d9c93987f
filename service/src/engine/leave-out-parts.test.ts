import { expect, test } from 'vitest'
import { withFewerParts } from './leave-out-parts.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './sending.ts'

const refusal = (refusedParts?: readonly string[]) => ({
  key: 'ticket',
  result: 'refused' as const,
  code: 'no',
  message: 'Not this',
  ...(refusedParts && { refusedParts }),
})

/** A ticket with comments, the first with the longest text. The second comment holds a file, and so does the ticket. */
function ticketWith(count: number): Sending {
  const ticket = { entity: 'tickets', sourceId: '1' }
  const comments = Array.from({ length: count }, (_, at) => {
    const key = `comment ${at}`
    const fields = { body: '-'.repeat(100 - at) }
    return { record: { entity: 'comments', sourceId: key }, parent: ticket, position: at, outgoing: { key, fields } }
  })
  const fileOf = (parent: object, key: string) => ({
    ...{ record: { entity: 'attachments', sourceId: key }, parent, position: 0 },
    outgoing: { key, fields: {}, upload: { token: key, url: null } },
  })
  const files = [fileOf(ticket, 'file of ticket'), fileOf({ entity: 'comments', sourceId: 'comment 1' }, 'file')]
  const parts = [...comments, ...files]
  const outgoing = { key: 'ticket', revision: 1, fields: {}, parts: parts.map((part) => part.outgoing) }
  return { record: ticket, parent: null, outgoing, parts } as unknown as Sending
}

const sentWith = (sending: Sending | null) => sending?.outgoing.parts?.map(({ key }) => key)

/** The parts of each attempt, until the record itself is refused. */
function attemptsOf(context: RunContext, ticket: Sending) {
  const attempts: (readonly string[])[] = []
  for (let next = withFewerParts(context, ticket, refusal()); next; next = withFewerParts(context, next, refusal()))
    attempts.push(sentWith(next) ?? [])
  return attempts
}

test('without a name, each comment is left out once with its file, the longest first, and in the end all', () => {
  const files = ['file of ticket', 'file']
  expect(attemptsOf({} as RunContext, ticketWith(3))).toEqual([
    ['comment 1', 'comment 2', ...files],
    ['comment 0', 'comment 2', 'file of ticket'],
    ['comment 0', 'comment 1', ...files],
    ['file of ticket'],
  ])
})

test('the attempts of a record with many comments are limited', () => {
  const attempts = attemptsOf({} as RunContext, ticketWith(95))
  expect(attempts).toHaveLength(20)
  const left = attempts.slice(0, -1).map((keys) => 97 - keys.length)
  expect(Math.max(...left)).toBe(6)
  expect(attempts.at(-1)).toEqual(['file of ticket'])
})

test('after a search in vain, the next record with the same refusal is sent once more, without comments', () => {
  const context = {} as RunContext
  expect(attemptsOf(context, ticketWith(9))).toHaveLength(10)
  expect(attemptsOf(context, ticketWith(9))).toEqual([['file of ticket']])
  expect(attemptsOf({} as RunContext, ticketWith(9))).toHaveLength(10)
})

test('comments that are named are left out for good, and the places of the others close up', () => {
  const context = {} as RunContext
  const first = withFewerParts(context, ticketWith(5), refusal(['comment 1', 'comment 2'])) as Sending
  expect(sentWith(first)).toEqual(['comment 0', 'comment 3', 'comment 4', 'file of ticket'])
  expect(first.parts?.map(({ position }) => position)).toEqual([0, 1, 2, 0])
  expect(first.outgoing.revision).toBe(2)
  const second = withFewerParts(context, first, refusal(['comment 0'])) as Sending
  expect(sentWith(second)).toEqual(['comment 3', 'comment 4', 'file of ticket'])
  expect(withFewerParts(context, second, refusal([]))).toBeNull()
})

test('a record without parts is refused at once', () => {
  expect(withFewerParts({} as RunContext, ticketWith(0), refusal())).toBeNull()
})
