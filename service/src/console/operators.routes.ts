import type { FastifyInstance } from 'fastify'
import {
  createOperator,
  listOperators,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
} from '../operators/manage-operators.ts'
import { endSession, listSessions } from '../operators/operator-sessions.ts'
import { readTexts } from '../portal/read-body.ts'
import { addRoute, type ConsoleParts, operatorOf } from './console-parts.ts'

/**
 * Accounts of the console and their sessions. All operators see and end their own sessions; owners, those of
 * everybody.
 */
export function registerOperatorRoutes(app: FastifyInstance, { db }: ConsoleParts): void {
  addRoute(app, 'GET', '/operators', 'own', async () => ({ operators: await listOperators(db) }))
  addRoute(app, 'POST', '/operators', 'own', ({ body }) => {
    const { name, role } = readTexts(body, ['name', 'role'])
    return createOperator(db, { name: name ?? '', role: role ?? '' })
  })
  addRoute(app, 'POST', '/operators/:id/reset', 'own', ({ params: { id = '' } }) => resetOperator(db, id))
  addRoute(app, 'POST', '/operators/:id/disable', 'own', ({ params: { id = '' } }) => setOperatorDisabled(db, id, true))
  addRoute(app, 'POST', '/operators/:id/enable', 'own', ({ params: { id = '' } }) => setOperatorDisabled(db, id, false))
  addRoute(app, 'PUT', '/operators/:id/role', 'own', ({ params: { id = '' }, body }) =>
    setOperatorRole(db, id, readTexts(body, ['role']).role ?? ''),
  )
  const reach = (operator: { id: string; role: string }) => (operator.role === 'owner' ? undefined : operator.id)
  addRoute(app, 'GET', '/sessions', 'read', async (request) => ({
    sessions: await listSessions(db, reach(operatorOf(request))),
  }))
  addRoute(app, 'DELETE', '/sessions/:id', 'read', (request) =>
    endSession(db, request.params.id ?? '', reach(operatorOf(request))),
  )
}
