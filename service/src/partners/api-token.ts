import { hash, randomBytes } from 'node:crypto'

const tokenPattern = /^wht_[A-Za-z0-9_-]{43}$/

/** A new API token: 256 random bits behind a prefix that secret scanners recognise. Shown once, stored hashed. */
export function newApiToken(): string {
  return `wht_${randomBytes(32).toString('base64url')}`
}

/** Whether the text has the form of a token. Saves a lookup for any other text. */
export function looksLikeApiToken(text: string): boolean {
  return tokenPattern.test(text)
}

export function hashApiToken(token: string): Buffer {
  return Buffer.from(hashApiTokenHex(token), 'hex')
}

/** The same in hexadecimal digits, in one call: every request of a partner needs it. */
export function hashApiTokenHex(token: string): string {
  return hash('sha256', token, 'hex')
}
