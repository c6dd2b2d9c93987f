import { createHmac, timingSafeEqual } from 'node:crypto'

export type MessageHeaders = Readonly<Record<string, string | string[] | undefined>>

const toleranceMs = 5 * 60_000

/** The content of a message that Wherry signed with our secret, not long ago; throws for any other. */
export async function verifyMessage(rawBody: string, headers: MessageHeaders, secret: string): Promise<unknown> {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(String(headers['x-authorization-content-sha256'] ?? ''))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Error('the signature is not the one of this body under our secret')
  }
  const content: unknown = JSON.parse(rawBody)
  const { timestamp } = (typeof content === 'object' ? (content ?? {}) : {}) as { timestamp?: unknown }
  // An old message sent again by someone who overheard it.
  if (typeof timestamp !== 'number' || Math.abs(Date.now() - timestamp) > toleranceMs) {
    throw new Error('the message is not of the last five minutes')
  }
  return content
}
