import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

const windowSeconds = 10
/** Failures beyond the limit that count as a flood. */
const floodFactor = 10

export interface Failures {
  isSlowed: boolean
  isFlood: boolean
  /** Until the count begins anew. */
  seconds: string
  /** For the header RateLimit-Policy. */
  flood: number
  windowSeconds: number
}

export interface FailureLimiter {
  count(address: string): Promise<Failures>
  /** Without counting. */
  isFlooding(address: string): Promise<boolean>
}

/** Failures by address, per process. */
export function limitFailures(limit: number): FailureLimiter {
  const flood = limit * floodFactor
  const limiter = new RateLimiterMemory({ points: flood, duration: windowSeconds })
  return {
    async count(address) {
      const { consumedPoints, msBeforeNext } = await limiter
        .consume(networkOf(address))
        .catch((refusal: RateLimiterRes) => refusal)
      const seconds = String(Math.max(1, Math.ceil(msBeforeNext / 1000)))
      return { isSlowed: consumedPoints > limit, isFlood: consumedPoints > flood, seconds, flood, windowSeconds }
    },
    isFlooding: async (address) => ((await limiter.get(networkOf(address)))?.consumedPoints ?? 0) > flood,
  }
}

const mostRemembered = 1_000
const networks = new Map<string, string>()

/** A single host gets a whole /64 of IPv6, so a /64 counts as one address. */
export function networkOf(address: string): string {
  const known = networks.get(address)
  if (known !== undefined) return known
  const network = readNetwork(address)
  if (networks.size >= mostRemembered) networks.clear()
  networks.set(address, network)
  return network
}

function readNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
