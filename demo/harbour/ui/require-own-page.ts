import type { FastifyRequest } from 'fastify'
import { HarbourError } from '../errors.ts'

/** Another site's form can send the same request, but the browser then marks it as cross-site. */
export function requireOwnPage({ headers }: FastifyRequest): void {
  const from = headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin' && from !== 'none') {
    throw new HarbourError(403, 'forbidden', 'This can only be changed from Harbour itself.')
  }
}
