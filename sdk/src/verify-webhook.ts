import type { WebhookMessage } from './types.ts'
import { webCrypto } from './web-crypto.ts'

/** Headers from `fetch` or from Node's servers. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

export interface VerifyOptions {
  /** The allowed difference between the message's time and ours. Default: 5 minutes. */
  toleranceSeconds?: number
  /** The current time in milliseconds since 1970, for tests. */
  now?: number
}

export type WebhookRefusal = 'not_raw' | 'not_signed' | 'wrong_signature' | 'wrong_time' | 'malformed'

/** The message is not from Wherry. Answer with 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

const secretPrefix = 'whsec_'

/**
 * Checks that a message comes from Wherry and was just sent, and returns it. Needs the raw body, because a parsed and
 * rewritten body has another signature. While you rotate the secret, pass both secrets.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const body = bytesOf(rawBody)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.some((one) => one === '')) throw new TypeError('verifyWebhook needs a secret')
  const header = (name: string) => readHeader(headers, name)
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  const plain = header('x-authorization-content-sha256')

  if (id !== null && timestamp !== null && signatures !== null) {
    const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body)
    const candidates = signatures
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => decodeBase64(one.slice('v1,'.length)))
    await requireMatch(secrets.map(standardKey), candidates, signed)
    requireRecent(Number(timestamp) * 1000, now, toleranceSeconds)
  } else if (plain !== null) {
    const keys = secrets.map((one) => new TextEncoder().encode(one))
    await requireMatch(keys, [decodeHex(plain)], body)
  } else {
    throw new WebhookVerificationError('not_signed', 'The request carries no signature.')
  }
  const message = parse(body)
  requireRecent(message.timestamp, now, toleranceSeconds)
  return message
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  if (rawBody instanceof Uint8Array) return new Uint8Array(rawBody)
  throw new WebhookVerificationError('not_raw', 'Give verifyWebhook the raw body, not what a parser made of it.')
}

function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name)
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  const value = entry?.[1] as string | readonly string[] | undefined
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}

/** Web Crypto compares in constant time. Every pair is tried, so that the time does not reveal which one matches. */
async function requireMatch(
  keys: Uint8Array<ArrayBuffer>[],
  signatures: (Uint8Array<ArrayBuffer> | null)[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { subtle } = await webCrypto()
  let isMatch = false
  for (const bytes of keys) {
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) {
      if (signature !== null && (await subtle.verify('HMAC', key, signature, signed))) isMatch = true
    }
  }
  if (!isMatch) {
    throw new WebhookVerificationError('wrong_signature', 'No signature of the message fits the secret and the body.')
  }
}

function requireRecent(sentAt: number, now: number, toleranceSeconds: number): void {
  if (!(Math.abs(now - sentAt) <= toleranceSeconds * 1000)) {
    throw new WebhookVerificationError('wrong_time', 'The message was not sent just now: it may be a recording.')
  }
}

function parse(body: Uint8Array): WebhookMessage {
  try {
    const message = JSON.parse(new TextDecoder().decode(body)) as WebhookMessage | null
    if (typeof message === 'object' && typeof message?.timestamp === 'number') return message
  } catch {
    // The message is signed but is no JSON. The error below covers it.
  }
  throw new WebhookVerificationError('malformed', 'The message is signed, but is no message.')
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = decodeBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  if (key === null || key.length === 0)
    throw new TypeError('The secret must be the whole text, whsec_ and what follows')
  return key
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function decodeHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
