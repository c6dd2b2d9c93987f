import { expect, test } from 'vitest'
import { noteSent } from '../../outbound/track-sends.ts'
import type { SettledOutcome } from '../contract/contract.ts'
import { sideBySide } from './side-by-side.ts'
import { openBatch } from './write-batch.ts'

const records = ['a', 'b', 'c', 'd'].map((key) => ({ key }))
const written = (key: string): SettledOutcome => ({
  ...{ key, result: 'written', destinationId: key, url: null, version: null },
})
const keysOf = ({ key }: { key: string }) => [key]

test('after a failure, earlier records keep their outcomes and later records are untried', async () => {
  const batch = openBatch(records)
  const begun: string[] = []
  const error = new Error('lost')
  await batch.attemptEach(records, keysOf, async ({ key }) => {
    begun.push(key)
    noteSent()
    if (key === 'b') throw error
    batch.settle(written(key))
  })
  expect(begun).toEqual(['a', 'b'])
  expect(batch.hasFailed).toBe(true)
  expect(batch.outcomes()).toEqual([
    written('a'),
    { key: 'b', result: 'failed', error, isSent: true },
    { key: 'c', result: 'untried' },
    { key: 'd', result: 'untried' },
  ])
})

test('a record that was never sent says so, and a record whose later step fails is in doubt', async () => {
  const batch = openBatch(records, 4)
  await batch.attemptEach(records, keysOf, async ({ key }) => {
    if (key === 'a') throw new Error('never sent')
    noteSent()
  })
  await batch.attempt(['b', 'c', 'd'], async () => {
    batch.settle(written('c'))
    throw new Error('the search failed')
  })
  expect(batch.outcomes()).toMatchObject([
    { key: 'a', result: 'failed', isSent: false, error: { message: 'never sent' } },
    { key: 'b', result: 'failed', isSent: true, error: { message: 'the search failed' } },
    { key: 'c', result: 'written' },
    { key: 'd', result: 'failed', isSent: true },
  ])
})

test('a failure about all records is thrown', async () => {
  const batch = openBatch(records)
  await batch.attempt(['a', 'b', 'c', 'd'], () => Promise.reject(new Error('no access')))
  expect(() => batch.outcomes()).toThrow('no access')
  expect(() => batch.rethrow()).toThrow('no access')
})

test('parallel work returns its results in order, and waits for running work before it fails', async () => {
  let under = 0
  let most = 0
  const act = async (item: number) => {
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setImmediate(resolve))
    under -= 1
    if (item === 3) throw new Error('three')
    return item * 10
  }
  expect(await sideBySide([1, 2, 4, 5, 6], 2, act)).toEqual([10, 20, 40, 50, 60])
  expect(most).toBe(2)
  const begun: number[] = []
  const failing = sideBySide([1, 2, 3, 4, 5, 6, 7, 8], 2, (item) => {
    begun.push(item)
    return act(item)
  })
  await expect(failing).rejects.toThrow('three')
  expect(under).toBe(0)
  expect(begun).not.toContain(8)
})
