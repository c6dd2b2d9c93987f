/** Looks at targets in the order in which they were asked for, some at a time. */
export interface TargetLooks {
  /** Resolves once each of these targets was looked at after this call; rejects if a look failed. */
  lookAt(targets: Iterable<string>): Promise<void>
}

export interface LookParts {
  /** The number of deliveries that may be claimed now; 0 when there is no place. */
  places(): number
  /** Claims at these targets. True if they have more that is due. */
  claim(targets: string[], places: number): Promise<boolean>
  pause(ms: number): Promise<void>
  signal: AbortSignal
}

/** The least time between two looks. Targets that are asked for meanwhile share the next look. */
const betweenMs = 20

/**
 * Callers that ask for the same target share one look. A look takes no more targets than it has places, so that its
 * cost does not grow with the number of targets that wait.
 */
export function createTargetLooks({ places, claim, pause, signal }: LookParts): TargetLooks {
  const wanted = new Map<string, PromiseWithResolvers<void>>()
  let isLooking = false
  let lastAt = Number.NEGATIVE_INFINITY

  const want = (target: string): PromiseWithResolvers<void> => {
    const known = wanted.get(target)
    if (known) return known
    const added = Promise.withResolvers<void>()
    // Not every caller waits for every target.
    added.promise.catch(() => {})
    wanted.set(target, added)
    return added
  }
  const takeSome = (most: number): [string, PromiseWithResolvers<void>][] => {
    const some = [...wanted.entries().take(most)]
    for (const [target] of some) wanted.delete(target)
    return some
  }
  const waitForPlaces = async (): Promise<number> => {
    await pause(Math.max(0, lastAt + betweenMs - performance.now()))
    while (!signal.aborted) {
      const free = places()
      if (free > 0) return free
      await pause(betweenMs)
    }
    return 0
  }
  const lookOnce = async (): Promise<void> => {
    const free = await waitForPlaces()
    lastAt = performance.now()
    const some = takeSome(signal.aborted ? Number.POSITIVE_INFINITY : free)
    try {
      if (signal.aborted) throw new Error('the worker is stopping')
      const targets = some.map(([target]) => target)
      if (await claim(targets, free)) for (const target of targets) want(target)
      for (const [, { resolve }] of some) resolve()
    } catch (error) {
      for (const [, { reject }] of some) reject(error)
    }
  }
  const lookOn = async (): Promise<void> => {
    isLooking = true
    while (wanted.size > 0) await lookOnce()
    isLooking = false
  }
  return {
    async lookAt(targets) {
      const looks = [...targets].map((target) => want(target).promise)
      if (!isLooking && wanted.size > 0) void lookOn()
      await Promise.all(looks)
    },
  }
}
