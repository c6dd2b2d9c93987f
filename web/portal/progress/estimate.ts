interface Sample {
  atMs: number
  done: number
}

/** The period for measuring speed. A shorter one makes the estimate jump, a longer one makes it lag behind. */
const windowMs = 120_000
/** No estimate is reliable before this time. */
const leastMs = 6_000

export interface Estimate {
  samples: Sample[]
}

export const noEstimate: Estimate = { samples: [] }

/** Adds the current progress. A lower number means that another run has started. */
export function observe({ samples }: Estimate, now: Sample): Estimate {
  const last = samples.at(-1)
  if (last?.done === now.done) return { samples }
  if (last && now.done < last.done) return { samples: [now] }
  return { samples: [...samples.filter(({ atMs }) => now.atMs - atMs <= windowMs), now] }
}

/** The remaining time at the current speed; null while it is unknown. */
export function remainingMs({ samples }: Estimate, rest: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs - first.atMs < leastMs || last.done <= first.done) return null
  return (rest * (last.atMs - first.atMs)) / (last.done - first.done)
}
