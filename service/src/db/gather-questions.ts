import { isDatabaseUnavailable } from './open-database.ts'

/** Asks one question; the answer comes together with those of other questions. */
export type Ask<Question, Answer> = (question: Question) => Promise<Answer>

interface Waiting<Question, Answer> {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Puts questions to the database together that came in the same turn of the event loop. A question that comes alone does
 * not wait for others. While `mostUnderWay` lots are on their way, further questions wait for the next lot.
 */
export function gatherQuestions<Question, Answer>(options: {
  /** Answers in the order of the questions. Must not have changed anything when it fails. */
  askAll(questions: Question[]): Promise<Answer[]>
  /** Questions in one lot. */
  most: number
  mostUnderWay: number
}): Ask<Question, Answer> {
  const { askAll, most, mostUnderWay } = options
  let waiting: Waiting<Question, Answer>[] = []
  let underWay = 0
  let isPlanned = false

  const plan = () => {
    if (isPlanned || waiting.length === 0 || underWay >= mostUnderWay) return
    isPlanned = true
    // After all sockets that have something to read were heard.
    setImmediate(send)
  }
  const send = () => {
    isPlanned = false
    const lot = waiting.slice(0, most)
    waiting = waiting.slice(most)
    underWay++
    void answer(lot).finally(() => {
      underWay--
      plan()
    })
    plan()
  }
  const answer = async (lot: Waiting<Question, Answer>[]) => {
    try {
      const answers = await askAll(lot.map(({ question }) => question))
      for (const [index, { resolve }] of lot.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (lot.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of lot) reject(error)
        return
      }
      // One question is at fault, and the others must not fail with it.
      await Promise.all(lot.map((one) => answer([one])))
    }
  }
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      plan()
    })
}
