import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { isImportId } from './imports/import-rows.ts'
import { tell } from './signals/signals.ts'

/** One JSON object per line. Routes are logged by their pattern: addresses and queries can hold tokens and names. */
export function logOptions(level: string, stream: NodeJS.WritableStream): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    stream,
    redact: ['req.headers', 'res.headers', '*.authorization', '*.token', '*.destination_token', '*.password'],
    serializers: {
      req: (request) => ({ id: request.id, method: request.method, route: request.routeOptions?.url }),
      // A database error's detail quotes the values of the row.
      err: (error) => ({
        type: error.name,
        message: error.message,
        code: 'code' in error ? String(error.code) : undefined,
        stack: error.stack ?? '',
      }),
    },
  }
}

export function logAnswers(app: FastifyInstance): void {
  // These lines hold no secrets, and a search for secrets would cost more than writing them.
  const answers = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions
    tell('answered', { route, method: request.method, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    const { id = '' } = (request.params ?? {}) as { id?: string }
    answers.info(
      {
        reqId: request.id,
        method: request.method,
        route: route ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        partner: request.authenticatedAs?.id,
        // Only if it has the form of an import's id: a path may hold anything.
        import: isImportId(id) ? id : undefined,
      },
      'answered',
    )
    done()
  })
}
