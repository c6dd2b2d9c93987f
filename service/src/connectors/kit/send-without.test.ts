import { expect, test } from 'vitest'
import type { Sent } from './http.ts'
import type { RefusedAnswer } from './outcomes.ts'
import { type Dispensable, sendWithout } from './send-without.ts'

const done: Sent = { result: 'done', status: 200, headers: {}, json: null }
const refusing = (message: string): Sent => ({ result: 'refused', status: 422, code: 'x', message, json: null })
const dispensable: readonly Dispensable[] = [
  [/assignee/, ['assignee_id'], 'assignee_refused'],
  [/author/, [], 'author_not_kept'],
]
const isAbout = ({ message }: RefusedAnswer, about: RegExp) => about.test(message)

/** A tool that gives these answers in turn, and records the requests. */
function answering(...answers: Sent[]) {
  const seen: [body: object, losses: string[]][] = []
  const send = async (body: object, losses: readonly string[]) => {
    seen.push([body, [...losses]])
    return answers[seen.length - 1] as Sent
  }
  return { seen, send: () => sendWithout({ subject: 'a', assignee_id: 7 }, dispensable, isAbout, send) }
}

test('a record is sent again without each part that the tool rejects, and the losses are reported', async () => {
  const { seen, send } = answering(refusing('no such author'), refusing('bad assignee'), done)
  expect(await send()).toEqual({ sent: done, losses: ['author_not_kept', 'assignee_refused'] })
  expect(seen).toEqual([
    [{ subject: 'a', assignee_id: 7 }, []],
    [{ subject: 'a', assignee_id: 7 }, ['author_not_kept']],
    [{ subject: 'a' }, ['author_not_kept', 'assignee_refused']],
  ])
})

test('a complaint about anything else, or about the same part again, is the final answer', async () => {
  const subject = refusing('bad subject')
  expect(await answering(subject).send()).toEqual({ sent: subject, losses: [] })
  const again = answering(refusing('bad assignee'), refusing('bad assignee'))
  expect(await again.send()).toEqual({ sent: refusing('bad assignee'), losses: ['assignee_refused'] })
  expect(again.seen).toHaveLength(2)
})
