import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'

/**
 * Refuses a request that another site's page makes in the customer's name. Browsers say where a request comes from by
 * themselves; a program that says nothing holds no one's cookies.
 */
export function requireSameOrigin(request: FastifyRequest, publicOrigin: string): void {
  const { 'sec-fetch-site': site, origin, host } = request.headers
  const isOurs =
    site === undefined
      ? origin === undefined || origin === publicOrigin || origin === `${request.protocol}://${host}`
      : site === 'same-origin'
  if (!isOurs) throw new RequestError('bad_request', 'This request may only be made by the portal itself.')
}
