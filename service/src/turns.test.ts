import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('turns are granted in the order of the requests, up to the limit at a time', async () => {
  const turns = createTurns(2)
  const given: number[] = []
  const ends: (() => void)[] = []
  const taking = [1, 2, 3, 4].map(async (name) => {
    const end = await turns.take()
    given.push(name)
    ends.push(end)
  })
  await Promise.all(taking.slice(0, 2))
  expect([given, turns.tryTake()]).toEqual([[1, 2], null])
  ends[1]?.()
  // A turn that is ended twice still counts once.
  ends[1]?.()
  await taking[2]
  expect([given, turns.tryTake()]).toEqual([[1, 2, 3], null])
  for (const end of ends) end()
  await taking[3]
  expect(given).toEqual([1, 2, 3, 4])
})

test('a heavy turn waits until its whole weight is free, and later turns wait behind it', async () => {
  const turns = createTurns(2)
  const [first, second] = [await turns.take(), await turns.take()]
  const given: string[] = []
  const heavy = turns.take(undefined, 2).then((end) => [given.push('heavy'), end] as const)
  const light = turns.take().then((end) => [given.push('light'), end] as const)
  first()
  expect(turns.tryTake()).toBeNull()
  second()
  const [, end] = await heavy
  expect(given).toEqual(['heavy'])
  end()
  await light
  expect(given).toEqual(['heavy', 'light'])
})

test('a caller that stops waiting does not use up another caller’s turn', async () => {
  const turns = createTurns(1)
  const end = await turns.take()
  const stopping = new AbortController()
  const stopped = turns.take(stopping.signal)
  const next = turns.take()
  stopping.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  end()
  ;(await next)()
  expect(turns.tryTake()).not.toBeNull()
  await expect(turns.take(stopping.signal)).rejects.toThrow('stopped')
})
