import type { FastifyInstance } from 'fastify'
import { obstacleCodes } from '../errors.ts'
import { retryRecords } from '../imports/retry-records.ts'
import { pauseNamedRun, resumeNamedRun, retryNamedRun, skipNamedRun, stopNamedRun } from '../imports/steer-run.ts'
import { listRuns, showRun } from '../imports/view-runs.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { obstacleAdvice } from './obstacle-advice.ts'
import { readChoice, readQuery, readRows } from './read-query.ts'

const states = ['working', 'paused', 'finished', 'stopped'] as const

/** Routes that show and control runs, with the same commands as `wherry run`. */
export function registerConsoleRunRoutes(app: FastifyInstance, { db, starter }: ConsoleParts): void {
  addRoute(app, 'GET', '/runs', 'read', async ({ query }) => {
    const { state, obstacle, partner, limit } = readQuery(query, ['state', 'obstacle', 'partner', 'limit'])
    return {
      runs: await listRuns(db, {
        state: readChoice('state', state, states),
        obstacle: readChoice('obstacle', obstacle, obstacleCodes),
        partnerId: partner ?? undefined,
        limit: readRows(limit),
      }),
    }
  })
  addRoute(app, 'POST', '/imports/:id/retry', 'act', ({ params: { id = '' } }) => retryRecords(db, starter, id))
  addRoute(app, 'GET', '/obstacles', 'read', async () => ({ obstacles: await obstacleAdvice() }))
  addRoute(app, 'GET', '/runs/:id', 'read', ({ params: { id = '' } }) => showRun(db, id))
  addRoute(app, 'POST', '/runs/:id/pause', 'act', ({ params: { id } }) => pauseNamedRun(db, { runId: id }))
  addRoute(app, 'POST', '/runs/:id/resume', 'act', ({ params: { id } }) => resumeNamedRun(db, starter, { runId: id }))
  addRoute(app, 'POST', '/runs/:id/retry', 'act', ({ params: { id } }) => retryNamedRun(db, starter, { runId: id }))
  addRoute(app, 'POST', '/runs/:id/stop', 'act', ({ params: { id } }) => stopNamedRun(db, starter, { runId: id }))
  addRoute(app, 'POST', '/runs/:id/skip', 'act', ({ params: { id } }) => skipNamedRun(db, starter, { runId: id }))
}
