import { expect, test } from 'vitest'
import { once } from './once.ts'

test('an answer is kept until it is forgotten, and a failure is not kept', async () => {
  let asked = 0
  const ask = once(async () => {
    asked += 1
    if (asked === 1) throw new Error('no answer')
    return asked
  })
  await expect(ask()).rejects.toThrow('no answer')
  expect([await ask(), await ask()]).toEqual([2, 2])
  ask.forget()
  expect(await ask()).toBe(3)
})

test('a late failure does not drop a newer answer', async () => {
  const late = Promise.withResolvers<string>()
  const answers = [late.promise, Promise.resolve('new'), Promise.resolve('newer')]
  const ask = once(() => answers.shift() ?? Promise.resolve('none'))
  const first = ask()
  ask.forget()
  expect(await ask()).toBe('new')
  late.reject(new Error('too late'))
  await expect(first).rejects.toThrow('too late')
  expect(await ask()).toBe('new')
})
