/**
 * Counts requests in windows of one second. Returns the seconds to wait when the window is full, otherwise 0.
 * A limit of 0 means no limit.
 */
export function createRequestLimit(perSecond: number, clockMs: () => number = () => performance.now()) {
  let windowStart = Number.NEGATIVE_INFINITY
  let used = 0
  return (): number => {
    if (perSecond === 0) return 0
    const now = clockMs()
    if (now - windowStart >= 1000) {
      windowStart = now
      used = 0
    }
    used += 1
    return used <= perSecond ? 0 : Math.ceil((windowStart + 1000 - now) / 1000)
  }
}
