import { expect, test } from 'vitest'
import { RetryableError } from '../../errors.ts'
import type { Sent } from './http.ts'
import { removeSide } from './remove-side.ts'

const side = { kind: 'labels', mark: 'm', destinationId: null, version: null }
const removed = { kind: 'labels', mark: 'm', result: 'removed' }
const refused = (status: number) => ({ result: 'refused', status, code: 'locked', message: '', json: null }) as const
const done = { result: 'done', status: 204, headers: {}, json: null } as const

function tryIt(answer: Sent, found: { id: number } | null = { id: 7 }, need: string | null = null) {
  const asked: string[] = []
  const remove = async (id: string) => {
    asked.push(id)
    return answer
  }
  return { asked, outcome: removeSide(side, found, need, remove, (code) => `Acme does not delete it: ${code}`) }
}

test('a side record is removed, also when people have deleted it', async () => {
  for (const answer of [done, refused(404)]) {
    const { asked, outcome } = tryIt(answer)
    expect(await outcome).toEqual(removed)
    expect(asked).toEqual(['7'])
  }
  const { asked, outcome } = tryIt(done, null, 'It is used.')
  expect(await outcome).toEqual(removed)
  expect(asked).toEqual([])
})

test('a side record that is needed stays, with the reason', async () => {
  const { asked, outcome } = tryIt(done, { id: 7 }, 'It is used.')
  expect(await outcome).toMatchObject({ result: 'kept', destinationId: '7', message: 'It is used.' })
  expect(asked).toEqual([])
})

test('a refused deletion is retried', async () => {
  await expect(tryIt(refused(409)).outcome).rejects.toThrow(new RetryableError('Acme does not delete it: locked'))
})
