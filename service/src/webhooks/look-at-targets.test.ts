import { expect, test } from 'vitest'
import { createTargetLooks } from './look-at-targets.ts'

/** Looks at targets, with claims that the test answers. */
function prepare(places: () => number, claim: (targets: string[]) => Promise<boolean>) {
  const stopping = new AbortController()
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
  const { lookAt } = createTargetLooks({ places, claim, pause, signal: stopping.signal })
  return { lookAt, stop: () => stopping.abort() }
}

test('a look takes one target per free place, in the order of the requests', async () => {
  const looks: string[][] = []
  const { lookAt } = prepare(
    () => 2,
    async (targets) => {
      looks.push(targets)
      return false
    },
  )
  await Promise.all([lookAt(['a', 'b', 'c']), lookAt(['b', 'd'])])
  expect(looks).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('a target with more deliveries than places is looked at again after the waiting targets', async () => {
  const looks: string[][] = []
  const { lookAt } = prepare(
    () => 1,
    async (targets) => {
      looks.push(targets)
      return looks.length === 1
    },
  )
  await lookAt(['a', 'b'])
  await lookAt(['c'])
  expect(looks.flat()).toEqual(['a', 'b', 'a', 'c'])
})

test('a target that is requested while it is looked at gets one more look', async () => {
  let asked = 0
  const { lookAt } = prepare(
    () => 5,
    async () => {
      asked += 1
      if (asked === 1) again = lookAt(['a'])
      return false
    },
  )
  let again: Promise<void> | null = null
  await lookAt(['a'])
  await again
  expect(asked).toBe(2)
})

test('a failed look fails every caller that waited for it, and the next look works', async () => {
  let isBroken = true
  const { lookAt } = prepare(
    () => 5,
    async () => {
      if (isBroken) throw new Error('the database is away')
      return false
    },
  )
  const both = await Promise.allSettled([lookAt(['a']), lookAt(['b'])])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  await lookAt(['a'])
})

test('no delivery is claimed without a free place, and a stop ends the wait', async () => {
  let isAsked = false
  const { lookAt, stop } = prepare(
    () => 0,
    async () => {
      isAsked = true
      return false
    },
  )
  const waiting = lookAt(['a', 'b'])
  stop()
  await expect(waiting).rejects.toThrow('stopping')
  expect(isAsked).toBe(false)
})
