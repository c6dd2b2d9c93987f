import { createHmac } from 'node:crypto'
import { ObstacleError } from '../../../errors.ts'

/** The key in Ghost's form `id:secret`, both hexadecimal. It belongs to an integration or a member of the staff. */
const keyForm = /^([0-9a-f]{24}):([0-9a-f]{64})$/i

/** Ghost refuses any token older than five minutes. */
const lifetimeSeconds = 240

/** Signs in for one request: https://docs.ghost.org/admin-api/#token-authentication */
export function signToken(key: string, now: number): string {
  const [, id, secret] = keyForm.exec(key.trim()) ?? []
  if (id === undefined || secret === undefined) {
    throw new ObstacleError('authorization_lost', 'customer', 'This is not a key of the Admin API (id:secret).')
  }
  const iat = Math.floor(now / 1000)
  const parts = [
    { alg: 'HS256', typ: 'JWT', kid: id },
    { iat, exp: iat + lifetimeSeconds, aud: '/admin/' },
  ]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}
