import type { FastifyInstance } from 'fastify'
import { admitByCookie } from './admit-by-cookie.ts'
import type { PortalPlan } from './mapping-contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { viewPlan } from './view-plan.ts'

/** The plan, before anything is written. */
export function registerPlanRoutes(app: FastifyInstance, parts: PortalParts): void {
  app.get<{ Params: { id: string } }>(
    '/portal/imports/:id/plan',
    { schema: { hide: true } },
    async (request): Promise<PortalPlan> => viewPlan(parts, await admitByCookie(parts, request)),
  )
}
