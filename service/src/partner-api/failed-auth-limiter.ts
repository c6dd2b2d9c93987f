import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '../errors.ts'
import { limitFailures } from '../limit-failures.ts'
import { tell } from '../signals/signals.ts'

/** An answer beyond the limit waits this long. */
const holdMs = 250

export interface FailedAuthLimiter {
  /** `message` says what is wrong with the token, where it may be said. */
  refuse(address: string, message?: string): Promise<never>
}

/**
 * Slows down the answers to an address that fails beyond the limit. Only a flood gets a 429 instead of a 401. Requests
 * with a valid token are never slowed down.
 */
export function createFailedAuthLimiter(limit: number): FailedAuthLimiter {
  const limiter = limitFailures(limit)
  return {
    async refuse(address, message = 'Send a valid API token as the username of HTTP Basic Authentication.') {
      const { isSlowed, isFlood, seconds, flood, windowSeconds } = await limiter.count(address)
      if (isFlood) {
        tell('limited', { limit: 'failed_authentication' })
        throw new RequestError('rate_limited', 'Too many failed authentications from this address.', {
          'Retry-After': seconds,
          'RateLimit-Policy': `"failed-authentication";q=${flood};w=${windowSeconds}`,
          RateLimit: `"failed-authentication";r=0;t=${seconds}`,
        })
      }
      if (isSlowed) await sleep(holdMs)
      throw new RequestError('unauthorized', message, {
        'WWW-Authenticate': 'Basic realm="Wherry", charset="UTF-8"',
        ...(isSlowed && { 'Retry-After': seconds }),
      })
    },
  }
}
