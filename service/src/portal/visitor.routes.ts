import type { FastifyInstance } from 'fastify'
import { actingVisitor } from '../audit.ts'
import { findVisitorName, forgetVisitor, nameVisitor } from '../visitors.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalVisitor } from './contract.ts'
import { readVisitorCookie, serializeVisitorCookie } from './portal-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { readTexts } from './read-body.ts'

type WithId = { Params: { id: string } }

/** The person at this browser, if given: colleagues then see who did what. */
export function registerVisitorRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db } = parts
  const options = { schema: { hide: true }, bodyLimit: 4096 }

  app.addHook<WithId>('preHandler', (request, _reply, done) => {
    const visitor = request.params?.id && readVisitorCookie(request, request.params.id, parts.isSecure(request))
    if (visitor) actingVisitor.run(visitor, done)
    else done()
  })

  app.get<WithId>('/portal/imports/:id/visitor', options, async (request): Promise<PortalVisitor> => {
    const imp = await admitByCookie(parts, request)
    return { name: await findVisitorName(db, imp.id, actingVisitor.getStore()) }
  })

  app.put<WithId>('/portal/imports/:id/visitor', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { name } = readTexts(request.body, ['name'])
    const known = actingVisitor.getStore()
    if (name === null) {
      await forgetVisitor(db, importId, known)
      return reply.code(204).send()
    }
    const visitor = await nameVisitor(db, importId, name, known)
    return reply
      .header('Set-Cookie', serializeVisitorCookie(importId, visitor, parts.isSecure(request)))
      .code(204)
      .send()
  })
}
