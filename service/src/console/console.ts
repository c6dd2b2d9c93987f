import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { actingOperator } from '../audit.ts'
import { ConflictError, OperatorError, RequestError } from '../errors.ts'
import { answerError } from '../http-errors.ts'
import { findSession } from '../operators/operator-sessions.ts'
import { requireSameOrigin } from '../portal/require-same-origin.ts'
import { sendSecurityHeaders } from '../portal/security-headers.ts'
import { refuseUnstorable } from '../refuse-unstorable.ts'
import { registerAuditRoutes } from './audit.routes.ts'
import { readConsoleCookie } from './console-cookie.ts'
import { type ConsoleParts, type Right, rolesWith } from './console-parts.ts'
import { registerConsoleImportRoutes } from './imports.routes.ts'
import { registerMoneyRoutes } from './money.routes.ts'
import { registerOperatorRoutes } from './operators.routes.ts'
import { registerOverviewRoutes } from './overview.routes.ts'
import { registerPartnerRoutes } from './partners.routes.ts'
import { registerConsoleRunRoutes } from './runs.routes.ts'
import { registerConsoleSessionRoutes } from './session.routes.ts'
import { registerSettingsRoutes } from './settings.routes.ts'
import { registerToolRoutes } from './tools.routes.ts'
import { registerWebhookRoutes } from './webhooks.routes.ts'

/** Every route with its right. A test calls each route with every wrong identity. */
export const consoleRoutes: { method: string; path: string; right: Right }[] = []

/** The operator's console: JSON routes for the page at /console, each with its right. */
export async function operatorConsole(app: FastifyInstance, options: Omit<ConsoleParts, 'isSecure'>): Promise<void> {
  const parts: ConsoleParts = {
    ...options,
    isSecure: (request) => request.protocol === 'https' || options.origin().startsWith('https:'),
  }
  sendSecurityHeaders(app)
  // A form on another site can send plain text but no JSON. Without this parser, Fastify refuses such a request.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('operator', null)
  app.setErrorHandler((error: Error, request, reply) =>
    error instanceof ConflictError
      ? reply.code(409).send({ error: 'conflict', message: error.message })
      : error instanceof OperatorError
        ? reply.code(422).send({ error: 'refused', message: inWordsOfScreen(error.message) })
        : answerError(error, request, reply),
  )
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.right) throw new Error(`the route ${url} of the console does not say which right it needs`)
    consoleRoutes.push({ method: String(method), path: url, right: config.right })
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET') requireSameOrigin(request, parts.origin())
    const { right } = request.routeOptions.config
    if (right === 'open') return
    const secret = readConsoleCookie(request, parts.isSecure(request))
    request.operator =
      secret === null ? null : await findSession(parts.db, secret, { isAway: request.headers['x-wherry-away'] === '1' })
    if (!request.operator) throw new RequestError('unauthorized', 'Please sign in to the console.')
    if (right && rolesWith[right].includes(request.operator.role)) return
    return reply.code(403).send({
      error: 'forbidden',
      message: `Your role "${request.operator.role}" does not allow this. An owner can do it, or change your role.`,
    })
  })
  app.addHook('preHandler', (request, _reply, done) => {
    refuseUnstorable(request.body)
    refuseUnstorable(request.query)
    refuseUnstorable(request.params)
    if (request.operator) actingOperator.run(request.operator.id, done)
    else done()
  })
  for (const path of ['/console', '/console/']) {
    app.get(path, { schema: { hide: true }, config: { right: 'open' } }, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(await readFile(join(parts.webDist, 'console.html'))),
    )
  }
  registerConsoleSessionRoutes(app, parts)
  registerOverviewRoutes(app, parts)
  registerConsoleImportRoutes(app, parts)
  registerConsoleRunRoutes(app, parts)
  registerPartnerRoutes(app, parts)
  registerWebhookRoutes(app, parts)
  registerToolRoutes(app, parts)
  registerMoneyRoutes(app, parts)
  registerOperatorRoutes(app, parts)
  registerAuditRoutes(app, parts)
  registerSettingsRoutes(app, parts)
}

/** Replaces an option in a message by the label of its field: "--undo-days must" becomes "Undo days must". */
function inWordsOfScreen(message: string): string {
  const [option, name = ''] = /^--([a-z][a-z-]*)/.exec(message) ?? []
  if (option === undefined) return message
  const words = name.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${message.slice(option.length)}`
}
