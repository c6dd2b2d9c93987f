import type { Outbound, OutboundAnswer } from '../../../service/src/outbound/outbound.ts'

/** The change of one answer: the answers of requests with this key get another body. */
export interface Change {
  key: string
  body: string
}

/** The first items of each list and the longest ones: readings of few records are fast. */
function shortened(body: string): string {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return body
  }
  const shorten = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) {
      if (value.length <= mostItems || typeof value[0] !== 'object') return value
      const longest = value
        .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)
        .slice(0, mostItems / 2)
      return value.filter((one, at) => at < mostItems / 2 || longest.includes(one))
    }
    if (typeof value !== 'object' || value === null || depth > 2) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one, depth + 1)]))
  }
  return JSON.stringify(shorten(json, 0))
}
const mostItems = 8

/**
 * Keeps every answer of a twin and repeats it, so that thousands of readings cost no requests. One answer at a time can
 * be changed.
 */
export function replaying(outbound: Outbound) {
  const kept = new Map<string, OutboundAnswer>()
  let seen = new Set<string>()
  let change: Change | null = null
  let hosts = new Set<string>()
  const request: Outbound['request'] = async (address, options) => {
    const { method = 'GET', body } = options
    if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
      return outbound.request(address, options)
    }
    const key = `${method} ${address} ${body === undefined ? '' : Buffer.from(body).toString('utf8')}`
    hosts.add(new URL(address).host)
    seen.add(key)
    // Such a list goes on by itself.
    if (address.includes('/scroll')) return outbound.request(address, options)
    const known = kept.get(key)
    const answer = known ?? (await outbound.request(address, { ...options, maxBytes: 64 * 1024 * 1024 }))
    if (!known) {
      if (answer.body === '' && answer.pieces.length > 0) throw new Error('an answer is too long to be kept')
      answer.body = shortened(answer.body)
      kept.set(key, { ...answer, pieces: [] })
    }
    const told = change?.key === key ? change.body : answer.body
    const bytes = new Uint8Array(Buffer.from(told))
    return { ...answer, body: told.length > 1_000_000 ? '' : told, pieces: told === '' ? [] : [bytes] }
  }
  return {
    outbound: { ...outbound, request } satisfies Outbound,
    /** Reads with one answer changed, and tells which requests and hosts were asked. */
    async reading<T>(next: Change | null, act: () => Promise<T>) {
      change = next
      seen = new Set()
      hosts = new Set()
      try {
        return { result: await act(), seen, hosts }
      } finally {
        change = null
      }
    },
    bodyOf: (key: string) => kept.get(key)?.body ?? '',
  }
}
