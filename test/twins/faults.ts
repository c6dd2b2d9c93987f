import type { ServerResponse } from 'node:http'
import type { TwinRequest } from './answers.ts'

/**
 * The fault of one request.
 * - `dropped`: the connection breaks, and nothing is done.
 * - `lost`: it is done, and the connection breaks before the answer.
 * - `late`: the connection breaks, and it is done this many milliseconds later.
 * - `slow`: it is done and answered after this many milliseconds.
 * - `answered`: an answer of this status instead, and nothing is done.
 * - `spoiled`: it is done, and answered with this status nevertheless.
 * - `cut`: it is done, and the answer ends in the middle.
 * - `instead`: the test's own answer in its place, and nothing is done.
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
  /** Our own key of a record, if the rules of the tool say where it is. */
  key?: string | undefined
}

/** Faults that a test requests. The first rule that returns a fault for a request decides. */
export function createFaults() {
  const rules: ((request: Faulted) => Fault | null)[] = []
  return {
    /** Called for each request, until the returned function removes it. */
    when(rule: (request: Faulted) => Fault | null): () => void {
      rules.push(rule)
      return () => rules.splice(rules.indexOf(rule), 1)
    },
    /** Applies to the next requests with this method and beginning of the path. */
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

/** One in so many of these requests goes wrong, each time otherwise. After twelve faults everything gets through. */
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
