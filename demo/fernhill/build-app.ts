import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { type ApiOptions, addApiRoutes } from './api-routes.ts'
import { DeskError, invalid } from './errors.ts'
import type { SignIn } from './sign-in.ts'
import { addPageRoutes } from './ui/page-routes.ts'

export async function buildApp(options: ApiOptions, signIn: SignIn | null): Promise<FastifyInstance> {
  const app = fastify({
    requestTimeout: 30_000,
    bodyLimit: 2 * 1024 * 1024,
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, allowUnionTypes: true } },
    frameworkErrors: (error, _request, reply) => {
      // Fastify types this reply too narrowly. At run time it is a full FastifyReply.
      answerWith(reply as unknown as FastifyReply, error)
    },
  })
  app.setErrorHandler((error: FastifyError | DeskError, _request, reply) => {
    answerWith(reply, error)
  })
  await app.register(async (api) => addApiRoutes(api, options), { prefix: '/api/v1' })
  if (signIn) await app.register(async (rest) => signIn.addRoutes(rest))
  await app.register(async (pages) => addPageRoutes(pages, options.records, options.publicUrl))
  return app
}

function answerWith(reply: FastifyReply, error: FastifyError | DeskError): void {
  const { status, code, message, fields } = error instanceof DeskError ? error : fromFramework(error)
  if (status >= 500) console.error(error)
  reply.code(status).send({ error: { code, message, ...(fields && { fields }) } })
}

function fromFramework(error: FastifyError): DeskError {
  if (error.validation) {
    const fields = error.validation.map(({ instancePath, params, message }) => {
      const extra = params.missingProperty ?? params.additionalProperty
      const path = [...instancePath.split('/').slice(1), ...(typeof extra === 'string' ? [extra] : [])].join('.')
      return [path || 'body', message ?? 'is not acceptable'] as const
    })
    return invalid(Object.fromEntries(fields))
  }
  const status = error.statusCode ?? 500
  if (status >= 500) return new DeskError(500, 'internal', 'The desk failed to answer. Try again.')
  return new DeskError(status, status === 413 ? 'too_large' : 'bad_request', error.message)
}
