import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { HarbourError } from '../errors.ts'
import { explain, type ImportFollower } from '../follow-imports.ts'
import type { MessageBox } from '../keep-messages.ts'
import { importPage, livePart, unconnectedPage } from './import-page.ts'
import type { SendPage } from './page-routes.ts'
import { requireOwnPage } from './require-own-page.ts'

export interface ImportOptions {
  follower: ImportFollower
  box: MessageBox
  messagesUrl: () => string
  signedInAs: string
  entities: readonly string[]
}

const SHOWN_MESSAGES = 20

/**
 * Adds the "Import from…" page, the partner's view of an import. `options` is null when Harbour has no account at
 * Wherry.
 */
export function addImportRoutes(app: FastifyInstance, options: ImportOptions | null, send: SendPage): void {
  if (options === null) {
    app.get('/imports', (_request, reply) => send(reply, unconnectedPage()))
    return
  }
  const { follower, box, signedInAs, entities } = options
  const script = readFileSync(join(import.meta.dirname, 'live.js'), 'utf8')
  // The form redirects the browser to the portal, so the policy must name the portal.
  const policy = { 'script-src': "'self'", 'connect-src': "'self'", 'form-action': `'self' ${follower.origin}` }
  const look = async (notice: string | null) => ({
    board: await follower.look(),
    messages: box.newest(SHOWN_MESSAGES),
    portalOrigin: follower.origin,
    messagesUrl: options.messagesUrl(),
    signedInAs,
    entities,
    key: randomUUID(),
    notice,
  })

  app.get('/live.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  app.get('/imports', async (_request, reply) => send(reply, importPage(await look(null)), policy))
  app.get('/imports/live', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(livePart(await look(null)).text),
  )

  app.post<{ Body: { source_tool?: unknown; key?: unknown } | null }>('/imports', async (request, reply) => {
    requireOwnPage(request)
    const { source_tool: tool, key } = request.body ?? {}
    if (typeof tool !== 'string' || typeof key !== 'string' || key.length > 100) {
      throw new HarbourError(422, 'invalid_request', 'No tool was chosen.')
    }
    try {
      const redirectUrl = await follower.create(tool, `${key} ${tool}`)
      return reply.redirect(redirectUrl, 303)
    } catch (error) {
      return send(reply.code(502), importPage(await look(`The import was not created. ${explain(error)}`)), policy)
    }
  })

  app.post<{ Params: { id: string }; Body: { decision?: unknown } | null }>(
    '/imports/:id/payment',
    async (request, reply) => {
      requireOwnPage(request)
      const decision = request.body?.decision
      if (decision !== 'accept' && decision !== 'reject') {
        throw new HarbourError(422, 'invalid_request', 'Say who pays: accept or reject.')
      }
      try {
        await follower.decide(request.params.id, decision)
      } catch (error) {
        return send(reply.code(502), importPage(await look(`Nothing was changed. ${explain(error)}`)), policy)
      }
      return reply.redirect(`/imports#${encodeURIComponent(request.params.id)}`, 303)
    },
  )
}
