import { expect, test } from 'vitest'
import { gatherQuestions } from './gather-questions.ts'

/** Some turns of the event loop, enough for a lot to begin. */
async function turn(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve))
}

/** Doubles numbers. It keeps the lots it got, and answers each lot when the test says so. */
function createDoubling(options: { most: number; mostUnderWay: number }) {
  const lots: number[][] = []
  const ends: (() => void)[] = []
  const ask = gatherQuestions<number, number>({
    ...options,
    askAll: async (questions) => {
      lots.push(questions)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (questions.includes(13)) throw new Error('13 is not doubled')
      return questions.map((number) => number * 2)
    },
  })
  const endLots = () => {
    for (const end of ends.splice(0)) end()
  }
  return { lots, ask, endLots }
}

test('questions of one turn are asked together, and each gets its own answer', async () => {
  const { lots, ask, endLots } = createDoubling({ most: 10, mostUnderWay: 2 })
  const answers = Promise.all([1, 2, 3].map(ask))
  await turn()
  expect(lots).toEqual([[1, 2, 3]])
  endLots()
  expect(await answers).toEqual([2, 4, 6])
})

test('a later question does not wait for a running lot, until too many lots run', async () => {
  const { lots, ask, endLots } = createDoubling({ most: 2, mostUnderWay: 2 })
  const answers = [ask(1)]
  await turn()
  answers.push(...[2, 3, 4, 5, 6].map(ask))
  await turn()
  expect(lots).toEqual([[1], [2, 3]])
  endLots()
  await turn()
  expect(lots).toEqual([[1], [2, 3], [4, 5], [6]])
  endLots()
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12])
})

test('a faulty question fails alone', async () => {
  const { lots, ask, endLots } = createDoubling({ most: 10, mostUnderWay: 1 })
  const answers = Promise.allSettled([1, 13, 2].map(ask))
  await turn()
  endLots()
  await turn()
  expect(lots).toEqual([[1, 13, 2], [1], [13], [2]])
  endLots()
  const [first, second, third] = await answers
  expect([first, third]).toMatchObject([{ value: 2 }, { value: 4 }])
  expect(second).toMatchObject({ reason: new Error('13 is not doubled') })
})

test('a lost database fails every question of the lot, and the next lot is asked again', async () => {
  let isGone = true
  let lots = 0
  const ask = gatherQuestions<number, number>({
    most: 10,
    mostUnderWay: 1,
    askAll: async (questions) => {
      lots++
      if (isGone) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
      return questions
    },
  })
  const answers = await Promise.allSettled([ask(1), ask(2)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(lots).toBe(1)
  isGone = false
  expect(await ask(3)).toBe(3)
})
