import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { PartnerApiBackend } from '../backend.ts'

const mostAtOnce = 2
const mostPerMinute = 30

/** The sandbox has no rate limit, but this limits its requests to other people's servers. */
export function boundDestinationChecks(): PartnerApiBackend['beginDestinationCheck'] {
  const limiter = new RateLimiterMemory({ points: mostPerMinute, duration: 60 })
  const asking = new Map<string, number>()
  return async (partner, instanceUrl) => {
    const host = instanceUrl === null ? '' : new URL(instanceUrl).host
    const key = `${partner.id} ${host}`
    const current = asking.get(key) ?? 0
    if (current >= mostAtOnce) return null
    asking.set(key, current + 1)
    const release = () => {
      const left = (asking.get(key) ?? 1) - 1
      if (left > 0) asking.set(key, left)
      else asking.delete(key)
    }
    const isWithin = await limiter.consume(key).then(
      () => true,
      () => false,
    )
    if (isWithin) return { [Symbol.dispose]: release }
    release()
    return null
  }
}
