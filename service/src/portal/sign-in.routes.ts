import type { FastifyInstance } from 'fastify'
import { beginSignIn } from '../authorizations/begin-sign-in.ts'
import { findSignIn, finishSignIn } from '../authorizations/finish-sign-in.ts'
import { admitAction, findBySession } from './admit-by-cookie.ts'
import type { PortalSignIn } from './contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { readTexts } from './read-body.ts'
import { readRole } from './read-role.ts'

const longestState = 200
/** An address whose page says that the link opens no import, and what to do. */
const unknownImport = '/imports/unknown'

/** Signing in at the tool itself: the way there, and the way back. */
export function registerSignInRoutes(app: FastifyInstance, parts: PortalParts): void {
  const options = { schema: { hide: true }, bodyLimit: 4096 }

  app.post<{ Params: { id: string; role: string } }>(
    '/portal/imports/:id/accounts/:role/sign-in',
    options,
    async (request, reply) => {
      const imp = await admitAction(parts, request)
      const role = readRole(request.params.role)
      const { instance } = readTexts(request.body, ['instance'])
      const tool = role === 'source' ? imp.source_tool : imp.destination_tool
      const redirect_to = await beginSignIn(parts, { importId: imp.id, role, tool, instance: instance ?? '' })
      return reply.code(201).send({ redirect_to } satisfies PortalSignIn)
    },
  )

  // Another site's page leads here, so the state must belong to an import that this browser has opened.
  app.get('/portal/oauth/callback', options, async (request, reply) => {
    const parameters = new URL(request.raw.url ?? '', 'http://unused').searchParams
    const state = parameters.get('state') ?? ''
    const found = state.length > longestState ? null : await findSignIn(parts.db, state)
    const imp = found && (await findBySession(parts, request, found.importId))
    // The answer would connect an account, although it comes by a GET.
    if (!found || !imp || imp.session.operator_role !== null) return reply.redirect(unknownImport, 303)
    if (imp.ended_as) return reply.redirect(`/imports/${imp.id}`, 303)
    const end = await finishSignIn(parts, { state, parameters })
    return reply.redirect(`/imports/${imp.id}${end === 'connected' ? '' : `#connect/${found.role}/${end}`}`, 303)
  })
}
