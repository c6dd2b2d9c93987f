import type { Outbound } from './outbound.ts'

/** Enough for an account check, because an account describes itself in a few words. */
export const accountCheckBytes = 64 * 1024

/** A client for requests with short answers. It reads no more than `mostBytes`, even if the caller allows more. */
export const limitAnswers = (outbound: Outbound, mostBytes: number): Outbound => ({
  ...outbound,
  request: (url, { maxBytes = mostBytes, ...options }) =>
    outbound.request(url, { ...options, maxBytes: Math.min(maxBytes, mostBytes) }),
})
