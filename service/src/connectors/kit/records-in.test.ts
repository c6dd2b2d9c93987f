import { expect, test } from 'vitest'
import { UnreadableAnswerError } from '../../errors.ts'
import { isReading, leavingOut, recordsIn, untold } from './records-in.ts'

const list = [{ id: 1 }, { name: 'Ann' }, null, { id: '' }, { id: 'b' }]

test('a reader leaves out the records without an id and tells each of them once', async () => {
  const { result, unnamed } = await leavingOut(async () => [recordsIn('Acme', list), recordsIn('Acme', list)])
  expect(result).toEqual([
    [{ id: 1 }, { id: 'b' }],
    [{ id: 1 }, { id: 'b' }],
  ])
  expect(unnamed).toHaveLength(2)
})

test('a page that is read again tells nothing again', async () => {
  const { unnamed } = await leavingOut(() => untold(async () => recordsIn('Acme', list)))
  expect(unnamed).toEqual([])
})

test('a writer leaves out no record: it could write it twice', () => {
  expect(isReading()).toBe(false)
  expect(() => recordsIn('Acme', list)).toThrow(UnreadableAnswerError)
  expect(recordsIn('Acme', [{ id: 1 }, null])).toEqual([{ id: 1 }])
})

test('a list without any id is of a form that we do not know', async () => {
  await expect(leavingOut(async () => recordsIn('Acme', [{ key: 1 }, { key: 2 }]))).rejects.toThrow(
    UnreadableAnswerError,
  )
  await expect(leavingOut(async () => recordsIn('Acme', { id: 1 }))).rejects.toThrow(UnreadableAnswerError)
  expect((await leavingOut(async () => recordsIn('Acme', [{ key: 1 }]))).result).toEqual([])
})
