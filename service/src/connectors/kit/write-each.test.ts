import { expect, test } from 'vitest'
import { noteSent } from '../../outbound/track-sends.ts'
import type { OutgoingRecord, WriteOutcome } from '../contract/contract.ts'
import { writeEach, writeParts, writeWithParts } from './write-each.ts'

const written = (key: string): WriteOutcome => ({
  key,
  result: 'written',
  destinationId: key,
  url: null,
  version: null,
})
const records = ['a', 'b', 'c'].map((key) => ({ key }))
const refusal = new Error('no')

test('an error keeps the outcomes before it, and tells whether its own record was sent', async () => {
  const write = (isSent: boolean) =>
    writeEach(records, async ({ key }) => {
      if (key === 'b' && isSent) noteSent()
      if (key === 'b') throw refusal
      noteSent()
      return written(key)
    })
  const failed = { key: 'b', result: 'failed', error: refusal }
  const untried = { key: 'c', result: 'untried' }
  expect(await write(true)).toEqual([written('a'), { ...failed, isSent: true }, untried])
  expect(await write(false)).toEqual([written('a'), { ...failed, isSent: false }, untried])
})

test('the error of a single record is thrown', async () => {
  await expect(writeEach([{ key: 'a' }], () => Promise.reject(refusal))).rejects.toBe(refusal)
})

test('an error in a part concerns all records of the part and ends the call', async () => {
  const part = (keys: string[], write: () => Promise<WriteOutcome[]>) => ({ keys, write })
  const outcomes = await writeParts([
    part(['a'], async () => [written('a')]),
    part(['b', 'c'], async () => {
      noteSent()
      throw refusal
    }),
    part(['d'], async () => [written('d')]),
  ])
  expect(outcomes).toEqual([
    written('a'),
    { key: 'b', result: 'failed', error: refusal, isSent: true },
    { key: 'c', result: 'failed', error: refusal, isSent: true },
    { key: 'd', result: 'untried' },
  ])
})

test('a carried part that did not arrive does not keep the other records from being sent', async () => {
  const record = (key: string) =>
    ({ key, destinationId: null, parts: [{ key: `${key}1` }] }) as unknown as OutgoingRecord
  const outcomes = await writeWithParts([record('a'), record('b')], async ({ key }) => [
    written(key),
    key === 'a' ? { key: 'a1', result: 'untried' } : written('b1'),
  ])
  expect(outcomes).toEqual([written('a'), { key: 'a1', result: 'untried' }, written('b'), written('b1')])
})
