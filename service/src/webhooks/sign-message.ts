import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/**
 * The headers that prove the sender. During a rotation `webhook-signature` carries one signature per secret. The other
 * header has room for one. It uses the oldest secret until that expires, because the partner cannot know the new one
 * at once.
 */
export function signMessage(message: {
  id: string
  sentAt: Date
  body: string
  /** Newest first. */
  secrets: readonly string[]
}): Record<string, string> {
  const { id, sentAt, body, secrets } = message
  const oldest = secrets.at(-1)
  if (oldest === undefined) throw new Error('there is no secret to sign with')
  return {
    'x-authorization-content-sha256': createHmac('sha256', oldest).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  }
}
