import ipaddr from 'ipaddr.js'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { RequestError } from '../errors.ts'

const failedAuthWindowSeconds = 10

export interface FailedAuthLimiter {
  refuse(address: string): Promise<never>
}

/** Failed authentications by address, per process. It slows down guessing; requests with a valid token never meet it. */
export function createFailedAuthLimiter(limit: number): FailedAuthLimiter {
  const limiter = new RateLimiterMemory({ points: limit, duration: failedAuthWindowSeconds })
  return {
    async refuse(address) {
      const { msBeforeNext } = await limiter.consume(networkOf(address)).then(
        () => ({ msBeforeNext: null }),
        (refusal: { msBeforeNext: number }) => refusal,
      )
      if (msBeforeNext === null) {
        throw new RequestError('unauthorized', 'Send a valid API token as the username of HTTP Basic Authentication.', {
          'WWW-Authenticate': 'Basic realm="Wherry", charset="UTF-8"',
        })
      }
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      throw new RequestError('rate_limited', 'Too many failed authentications from this address.', {
        'Retry-After': String(seconds),
        'RateLimit-Policy': `"failed-authentication";q=${limit};w=${failedAuthWindowSeconds}`,
        RateLimit: `"failed-authentication";r=0;t=${seconds}`,
      })
    },
  }
}

/** A single host is handed a whole /64 of IPv6, so that is what counts as one address. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
