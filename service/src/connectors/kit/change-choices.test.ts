import { expect, test } from 'vitest'
import { RetryableError } from '../../errors.ts'
import { noteSent } from '../../outbound/track-sends.ts'
import { changeChoices } from './change-choices.ts'
import { sidesInMemory } from './sides-in-memory.ts'

const lost = new Error('The connection broke.')

test('after a request without an answer, the same field is not changed again until it cannot take effect', async () => {
  const sides = sidesInMemory()
  const send = async () => {
    noteSent()
    throw lost
  }
  await expect(changeChoices(sides, 'one', send)).rejects.toBe(lost)
  let changes = 0
  const change = (field: string) => changeChoices(sides, field, async () => ++changes)
  const error = await change('one').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RetryableError)
  expect((error as RetryableError).retryAfterMs).toBeGreaterThan(50_000)
  expect(changes).toBe(0)
  expect(await change('two')).toBe(1)
  const [open] = await sides.list('changed_choices')
  await sides.note({ ...(open as NonNullable<typeof open>), version: String(Date.now() - 60_000) })
  expect(await change('one')).toBe(2)
  expect(await sides.list('changed_choices')).toEqual([])
})

test('a request that was surely not sent is tried again at once', async () => {
  const sides = sidesInMemory()
  const unsent = async () => {
    throw lost
  }
  await expect(changeChoices(sides, 'one', unsent)).rejects.toBe(lost)
  expect(await changeChoices(sides, 'one', async () => 'done')).toBe('done')
})
