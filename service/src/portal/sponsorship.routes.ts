import type { FastifyInstance } from 'fastify'
import { askSponsorship } from '../imports/ask-sponsorship.ts'
import { admitAction } from './admit-by-cookie.ts'
import type { PortalParts } from './portal-parts.ts'

/** The customer's wish that the partner pays. */
export function registerSponsorshipRoutes(app: FastifyInstance, parts: PortalParts): void {
  app.post<{ Params: { id: string } }>(
    '/portal/imports/:id/sponsorship-request',
    { schema: { hide: true }, bodyLimit: 1024 },
    async (request) => {
      const { id, full_page_url: page } = await admitAction(parts, request)
      const requestedAt = await askSponsorship(parts.db, id)
      return { requested_at: requestedAt.toISOString(), full_page: page }
    },
  )
}
