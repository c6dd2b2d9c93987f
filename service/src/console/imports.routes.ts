import type { FastifyInstance } from 'fastify'
import { eraseWithdrawn } from '../authorizations/revoke-access.ts'
import type { OperatorRole } from '../db/operator-tables.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { endImport } from '../imports/end-import.ts'
import { issueLink } from '../imports/issue-link.ts'
import { listActivity } from '../imports/list-activity.ts'
import { listRecords } from '../imports/list-records.ts'
import { showImportForOperator } from '../imports/operator-view.ts'
import { listRuns } from '../imports/view-runs.ts'
import { importStatuses } from '../lifecycle.ts'
import { serializePortalCookie } from '../portal/portal-cookie.ts'
import { readFlag, readObject, readTexts } from '../portal/read-body.ts'
import { portalAddress } from '../portal-link.ts'
import { eraseImport, previewErasure } from '../retention/erase-import.ts'
import { addRoute, type ConsoleParts, operatorOf } from './console-parts.ts'
import { lookAtPortal } from './look-at-portal.ts'
import { readChoice, readQuery, readRows } from './read-query.ts'
import { searchImports } from './search-imports.ts'

const recordStates = ['intended', 'written', 'matched', 'refused', 'filtered', 'held', 'deleted', 'removed'] as const

/** Routes that find, show and end imports of all partners. */
export function registerConsoleImportRoutes(app: FastifyInstance, parts: ConsoleParts): void {
  const { db, links, origin, isSecure, keyRing, connectors, outbound } = parts
  addRoute(app, 'GET', '/imports', 'read', async ({ query }) => {
    const { text, partner, tool, status, before, limit } = readQuery(query, [
      ...(['text', 'partner', 'tool', 'status', 'before', 'limit'] as const),
    ])
    return {
      imports: await searchImports(db, {
        ...{ text, partner, tool, before, limit: readRows(limit) },
        status: readChoice('status', status, importStatuses),
      }),
    }
  })

  addRoute(app, 'GET', '/imports/:id', 'read', async ({ params: { id = '' }, operator }) => ({
    ...hideMoney(await showImportForOperator(db, id), operator?.role),
    runs: await listRuns(db, { importId: id, limit: 50 }),
    activity: await listActivity(db, id, 100),
  }))

  addRoute(app, 'GET', '/imports/:id/records', 'read', async ({ params: { id: importId = '' }, query }) => {
    await showImportForOperator(db, importId)
    const { id, entity, state, code, limit } = readQuery(query, ['id', 'entity', 'state', 'code', 'limit'])
    const filter = {
      ...(id !== null && { id }),
      ...(entity !== null && { entity }),
      ...(code !== null && { code }),
      state: readChoice('state', state, recordStates),
    }
    return { records: await listRecords(db, importId, filter, { after: null, limit: readRows(limit) }) }
  })

  for (const [verb, endedAs] of [
    ['cancel', 'cancelled'],
    ['archive', 'archived'],
  ] as const) {
    addRoute(app, 'POST', `/imports/:id/${verb}`, 'act', ({ params: { id = '' } }) => endImport(db, id, endedAs))
  }

  addRoute(app, 'GET', '/imports/:id/erasure', 'own', ({ params: { id = '' } }) => previewErasure(db, id))
  addRoute(app, 'POST', '/imports/:id/erase', 'own', async ({ params: { id = '' } }) => {
    const erased = await eraseImport(db, id)
    // Erases at once and does not wait for a worker, because there may be none.
    await eraseWithdrawn({ db, keyRing, connectors, outbound }, id)
    return erased
  })

  // Opens the portal read-only, in this browser only.
  app.post<{ Params: { id: string } }>(
    '/console/api/imports/:id/look',
    { schema: { hide: true }, bodyLimit: 4096, config: { right: 'act' } },
    async (request, reply) => {
      const { id } = request.params
      const { reason } = readTexts(request.body, ['reason'])
      const { sessionId: operatorSessionId } = operatorOf(request)
      const { secret, until } = await lookAtPortal(db, id, { reason, operatorSessionId })
      const seconds = Math.max(1, Math.round((until.getTime() - Date.now()) / 1_000))
      return reply
        .header('Set-Cookie', serializePortalCookie(id, secret, isSecure(request), seconds))
        .send({ path: `/imports/${id}`, until })
    },
  )

  // Only owners issue a link. It opens the customer's portal, so it is a secret.
  addRoute(app, 'POST', '/imports/:id/link', 'own', async ({ params: { id = '' }, body }) => {
    const revokes = readFlag(body, 'revoke')
    const { link_version: seenVersion } = readObject(body)
    if (seenVersion !== undefined && typeof seenVersion !== 'number') {
      throw new ValidationError({ link_version: ['must be the number that the import shows'] })
    }
    const issued = await issueLink(db, id, { actor: 'operator', revokes, seenVersion })
    if (!issued) throw new RequestError('not_found', 'There is no such import, or it has ended.')
    return {
      redirect_url: revokes ? null : portalAddress(links, issued, origin()),
      ended_sessions: issued.ended_sessions,
    }
  })
}

/** Only owners see payments. */
function hideMoney<I extends { payments: unknown }>(imp: I, role: OperatorRole | undefined): Omit<I, 'payments'> {
  const { payments, ...rest } = imp
  return role === 'owner' ? { ...rest, payments } : rest
}
