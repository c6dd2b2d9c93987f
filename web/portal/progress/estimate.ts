interface Sample {
  atMs: number
  done: number
}

/** How much is looked back on; shorter would jump, longer would not notice a change. */
const windowMs = 120_000
/** Before this nothing honest can be said. */
const leastMs = 6_000

export interface Estimate {
  samples: Sample[]
}

export const noEstimate: Estimate = { samples: [] }

/** Takes in how far it is now. A number that goes back belongs to another run. */
export function observe({ samples }: Estimate, now: Sample): Estimate {
  const last = samples.at(-1)
  if (last?.done === now.done) return { samples }
  if (last && now.done < last.done) return { samples: [now] }
  return { samples: [...samples.filter(({ atMs }) => now.atMs - atMs <= windowMs), now] }
}

/** How long the rest takes at the speed of late; null as long as nobody can know. */
export function remainingMs({ samples }: Estimate, rest: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs - first.atMs < leastMs || last.done <= first.done) return null
  return (rest * (last.atMs - first.atMs)) / (last.done - first.done)
}
