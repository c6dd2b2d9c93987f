import type { Outbound } from './outbound.ts'

/** An account’s description of itself is a few words long. */
export const accountCheckBytes = 64 * 1024

/** The same client for questions with short answers: it reads no more than this, even if the caller allows more. */
export const limitAnswers = (outbound: Outbound, mostBytes: number): Outbound => ({
  ...outbound,
  request: (url, { maxBytes = mostBytes, ...options }) =>
    outbound.request(url, { ...options, maxBytes: Math.min(maxBytes, mostBytes) }),
})
