import type { ServerResponse } from 'node:http'
import type { TwinRequest } from './answers.ts'

/**
 * The fault of one request.
 * - `dropped`: the connection breaks, and nothing is done.
 * - `lost`: the request is done, and the connection breaks before the answer.
 * - `late`: the connection breaks, and the request is done this many milliseconds later.
 * - `slow`: the request is done and answered after this many milliseconds.
 * - `answered`: the answer has this status, and nothing is done.
 * - `spoiled`: the request is done, but the answer has this status.
 * - `cut`: the request is done, and the answer ends in the middle.
 * - `instead`: the twin sends the answer of the test, and nothing is done.
 * - `broken`: a batch ends with a 500 after this many of its records are done.
 */
export type Fault =
  | { kind: 'dropped' | 'lost' | 'cut' }
  | { kind: 'late' | 'slow'; ms: number }
  | { kind: 'answered' | 'spoiled'; status: number; json?: unknown; headers?: Record<string, string> }
  | { kind: 'broken'; after: number }
  | { kind: 'instead'; respond(response: ServerResponse, request: TwinRequest): void }

export interface Faulted {
  method: string
  url: URL
  /** Our own key of a record, if the rules of the tool say where it is in the request. */
  key?: string | undefined
}

/** Faults that a test requests. The first rule that returns a fault for a request decides. */
export function createFaults() {
  const rules: ((request: Faulted) => Fault | null)[] = []
  return {
    /** Calls the rule for each request, until the returned function removes the rule. */
    when(rule: (request: Faulted) => Fault | null): () => void {
      rules.push(rule)
      return () => rules.splice(rules.indexOf(rule), 1)
    },
    /** Applies to the next requests with this method and this beginning of the path. */
    next(method: string, path: string, fault: Fault, times = 1): void {
      let left = times
      rules.push((request) => {
        if (left === 0 || request.method !== method || !request.url.pathname.startsWith(path)) return null
        left -= 1
        return fault
      })
    },
    clear: () => rules.splice(0),
    of: (request: Faulted): Fault | null => {
      for (const rule of rules) {
        const fault = rule(request)
        if (fault) return fault
      }
      return null
    },
  }
}

export type Faults = ReturnType<typeof createFaults>

const troubles: readonly Fault[] = [
  { kind: 'lost' },
  { kind: 'dropped' },
  { kind: 'spoiled', status: 500 },
  { kind: 'cut' },
]

/**
 * Makes one in `oneIn` of these requests fail, each time in another way. After twelve faults every request succeeds.
 */
export function unreliable(
  oneIn: number,
  isMeant: (request: Faulted) => boolean = ({ method }) => method !== 'GET',
): (request: Faulted) => Fault | null {
  let requests = 0
  return (request) => {
    if (!isMeant(request)) return null
    requests += 1
    return requests % oneIn === 0 && requests <= 12 * oneIn ? (troubles[(requests / oneIn) % 4] ?? null) : null
  }
}
