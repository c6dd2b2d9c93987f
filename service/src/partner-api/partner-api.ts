import type { FastifyError, FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { answerError } from '../http-errors.ts'
import { refuseMalformedUrl } from '../http-guards.ts'
import type { TokenScope } from '../partners/token-scopes.ts'
import type { Authenticator } from './authenticate.ts'
import type { PartnerApiBackend } from './backend.ts'
import { requireScope, wantedRows } from './caller.ts'
import { fieldMessages } from './field-messages.ts'
import { type ImportRoutesParts, registerImportRoutes } from './imports.routes.ts'
import { acceptJsonBodies } from './json-body.ts'
import { registerMappingRoutes } from './mappings.routes.ts'
import { registerToolRoutes } from './tools.routes.ts'
import { compileValidator } from './validator.ts'

export interface PartnerApiParts extends ImportRoutesParts {
  authenticate: Authenticator
  backend: PartnerApiBackend
}

/** Every route with its scope; a test calls each with tokens of every scope. */
export const partnerRoutes: { method: string; path: string; scope: TokenScope }[] = []

/**
 * The endpoints, once for the live API and once for the sandbox. A request fails at the first check that applies:
 * token, rate, path, scope, import, syntax, rules.
 */
export async function partnerApi(app: FastifyInstance, parts: PartnerApiParts): Promise<void> {
  app.decorateRequest('authenticatedAs', null)
  app.decorateRequest('foundImport', null)
  app.decorateRequest('foundList', null)
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    error.validation ? reply.code(422).send(fieldMessages(error.validation)) : answerError(error, request, reply),
  )
  acceptJsonBodies(app)
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.scope) throw new Error(`the route ${url} of the partner API does not say which scope it needs`)
    partnerRoutes.push({ method: String(method), path: url, scope: config.scope })
  })
  app.addHook('onRequest', async (request, reply) => {
    // Answers carry tokens of imports.
    reply.header('Cache-Control', 'no-store')
    const { partner, imp, list } = await parts.authenticate(request, reply, wantedRows(request))
    request.authenticatedAs = partner
    request.foundImport = imp
    request.foundList = list
    if (request.is404) throw new RequestError('not_found', 'There is no such path in this API.')
    if (request.malformedUrl === 'path') refuseMalformedUrl()
    const { scope } = request.routeOptions.config
    if (scope) requireScope(partner, scope, parts.backend.isSandbox)
  })
  // Runs after the routes' own first hooks, which look up the import.
  app.addHook('preParsing', async (request) => {
    if (request.malformedUrl === 'query') refuseMalformedUrl()
  })
  // An unknown path below this prefix runs the hook above only if the prefix has its own handler.
  app.setNotFoundHandler(() => {
    throw new RequestError('not_found', 'There is no such path in this API.')
  })
  registerToolRoutes(app, parts)
  registerImportRoutes(app, parts)
  registerMappingRoutes(app, parts)
}
