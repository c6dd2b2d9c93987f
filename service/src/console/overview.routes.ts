import type { FastifyInstance } from 'fastify'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { viewOverview } from './view-overview.ts'

/** The overview, with problems first. */
export function registerOverviewRoutes(app: FastifyInstance, { db }: ConsoleParts): void {
  addRoute(app, 'GET', '/overview', 'read', () => viewOverview(db))
}
