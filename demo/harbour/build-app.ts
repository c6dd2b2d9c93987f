import { randomUUID } from 'node:crypto'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { API_PREFIX, type ApiOptions, addApiRoutes } from './api-routes.ts'
import { addEffectRoutes } from './effect-routes.ts'
import { HarbourError } from './errors.ts'
import { addMessageRoutes } from './message-routes.ts'
import { addPageRoutes, type PageOptions } from './ui/page-routes.ts'

export interface AppOptions {
  api: ApiOptions
  pages: PageOptions
  /** The key for `GET /effects`. Without a key the route does not exist. */
  adminKey: string | undefined
  /** The secret that Wherry signs its messages with; without it, Harbour accepts no messages. */
  webhookSecret: string | undefined
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { api, pages, adminKey, webhookSecret } = options
  const app = fastify({
    requestTimeout: 120_000,
    bodyLimit: 64 * 1024 * 1024,
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
    frameworkErrors: (error, _request, reply) => {
      // Fastify types this reply too narrowly. At run time it is a full FastifyReply.
      answerWith(reply as unknown as FastifyReply, error)
    },
  })
  app.setErrorHandler((error: FastifyError | HarbourError, _request, reply) => {
    answerWith(reply, error)
  })
  await app.register(async (scope) => addApiRoutes(scope, api), { prefix: API_PREFIX })
  if (adminKey !== undefined) await app.register(async (scope) => addEffectRoutes(scope, api.db, adminKey))
  const box = pages.imports?.box
  if (box && webhookSecret !== undefined) {
    await app.register(async (scope) => addMessageRoutes(scope, box, webhookSecret))
  }
  await app.register(async (scope) => addPageRoutes(scope, pages))
  return app
}

function answerWith(reply: FastifyReply, error: FastifyError | HarbourError): void {
  const { status, code, message } = error instanceof HarbourError ? error : fromFramework(error)
  if (status >= 500) console.error(error)
  reply.code(status).send({ error: code, message })
}

function fromFramework(error: FastifyError): HarbourError {
  if (error.validation) return new HarbourError(422, 'invalid_request', error.message)
  const status = error.statusCode ?? 500
  if (status >= 500) return new HarbourError(500, 'internal', 'Harbour failed to answer. Try again.')
  return new HarbourError(status, status === 413 ? 'too_large' : 'bad_request', error.message)
}
