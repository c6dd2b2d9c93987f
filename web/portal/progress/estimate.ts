interface Sample {
  atMs: number
  done: number
}

/** The time span for measuring speed: with a shorter one the estimate jumps, with a longer one it lags behind. */
const windowMs = 120_000
/** Before this time there is no reliable estimate. */
const leastMs = 6_000

export interface Estimate {
  samples: Sample[]
}

export const noEstimate: Estimate = { samples: [] }

/** Adds the current progress. A lower number belongs to another run. */
export function observe({ samples }: Estimate, now: Sample): Estimate {
  const last = samples.at(-1)
  if (last?.done === now.done) return { samples }
  if (last && now.done < last.done) return { samples: [now] }
  return { samples: [...samples.filter(({ atMs }) => now.atMs - atMs <= windowMs), now] }
}

/** The remaining time at the latest speed; null as long as it is unknown. */
export function remainingMs({ samples }: Estimate, rest: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs - first.atMs < leastMs || last.done <= first.done) return null
  return (rest * (last.atMs - first.atMs)) / (last.done - first.done)
}
