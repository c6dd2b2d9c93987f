/**
 * The time of a twin. It follows our clock or is stopped. A test can move it forward, so that an hour passes at once.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  advance(ms: number): void
}

interface ClockOptions {
  startsAt?: string
  isRunning?: boolean
  /** The clock's speed as a multiple of ours. */
  speed?: number
}

export function createClock({ startsAt, isRunning = true, speed = 1 }: ClockOptions = {}): Clock {
  const began = Date.now()
  const start = startsAt === undefined ? began : Date.parse(startsAt)
  let advanced = 0
  return {
    now: () => start + advanced + (isRunning ? speed * (Date.now() - began) : 0),
    advance: (ms) => {
      advanced += ms
    },
  }
}

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** A time without fractions, as many tools write it: `2026-01-31T08:00:00Z`. */
export const toSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** The day of a time in a zone, for tools that compare whole days: `2026-01-31`. */
export const dayIn = (ms: number, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms)
