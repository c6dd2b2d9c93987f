import type { PassedAnswer } from './tampering-proxy.ts'

/** A way to spoil an answer. */
export type Nonsense = (answer: PassedAnswer) => PassedAnswer | 'drop'

const as =
  (body: string, contentType = 'application/json') =>
  (): PassedAnswer => ({
    status: 200,
    headers: { 'content-type': contentType },
    body,
  })

/** Answers that no tool should give, and that every tool gives one day. */
export const nonsense: Record<string, Nonsense> = {
  'cut off in the middle': (answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) }),
  'a page for people': as('<!doctype html><title>Sign in</title><h1>We will be back soon</h1>', 'text/html'),
  'a page for people that claims to be JSON': as('<html></html>'),
  empty: as(''),
  'no JSON': as('OK'),
  null: as('null'),
  'a number': as('42'),
  'an empty list': as('[]'),
  'an empty object': as('{}'),
  'an error with status 200': as('{"error":"internal","message":"oh"}'),
  'nested without end': as('['.repeat(100_000)),
  'not UTF-8': (answer) => ({ ...answer, body: Buffer.from([0x7b, 0xff, 0xfe, 0x22, 0x00, 0x7d]) }),
  'longer than it says': (answer) => ({ ...answer, contentLength: Math.floor(answer.body.length / 2) }),
  'shorter than it says': (answer) => ({ ...answer, contentLength: answer.body.length + 1_000 }),
  gigantic: () => as(`{"data":"${'x'.repeat(65 * 1024 * 1024)}"}`)(),
  'nothing at all': () => 'drop',
  'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' }),
  'no content': () => ({ status: 204, headers: {}, body: '' }),
}

/** The same answer with a change in its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the tool answered
export function changed(change: (json: any) => unknown): Nonsense {
  return (answer) => {
    const json = JSON.parse(String(answer.body))
    return { ...answer, body: JSON.stringify(change(json) ?? json) }
  }
}

/**
 * Spoils the answers to each kind of request once in each way, one after the other. After that, all answers are valid.
 */
export function createNonsense(kindsOf: (request: string) => Record<string, Nonsense>) {
  const left = new Map<string, [string, Nonsense][]>()
  const seen: string[] = []
  return {
    seen,
    apply(request: string, answer: PassedAnswer): PassedAnswer | 'drop' {
      const kinds = left.get(request) ?? Object.entries(kindsOf(request))
      left.set(request, kinds)
      const [name, spoil] = kinds.shift() ?? []
      if (!spoil) return answer
      seen.push(`${request}: ${name}`)
      return spoil(answer)
    },
    /** Faults that never occurred because the request was too rare. */
    unseen: () => [...left].flatMap(([request, kinds]) => kinds.map(([name]) => `${request}: ${name}`)),
  }
}
