import type { FastifyInstance } from 'fastify'
import { ValidationError } from '../errors.ts'
import { showPartner } from '../partners/find-partners.ts'
import { readObject, readTexts } from '../portal/read-body.ts'
import { listDeliveries, listTargets, showDelivery } from '../webhooks/operator-view.ts'
import { replayDeliveries } from '../webhooks/replay-deliveries.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { sendTest } from '../webhooks/send-test.ts'
import { setTarget } from '../webhooks/set-target.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { readQuery, readRows } from './read-query.ts'

/** Webhook targets, and the log of messages to them. */
export function registerWebhookRoutes(app: FastifyInstance, { db, keyRing, links, outbound }: ConsoleParts): void {
  addRoute(app, 'GET', '/webhooks', 'read', async () => ({ targets: await listTargets(db) }))

  addRoute(app, 'GET', '/deliveries', 'read', async ({ query }) => {
    const { partner, import: importId, failed, limit } = readQuery(query, ['partner', 'import', 'failed', 'limit'])
    const filter = { partnerId: partner, importId, onlyFailed: failed === 'true', since: null, limit: readRows(limit) }
    return { deliveries: await listDeliveries(db, filter) }
  })

  addRoute(app, 'GET', '/deliveries/:id', 'read', ({ params: { id = '' } }) => showDelivery(db, id))

  addRoute(app, 'POST', '/deliveries/:id/replay', 'act', ({ params: { id = '' } }) => replayDeliveries(db, { id }))

  addRoute(app, 'POST', '/partners/:id/webhook/replay', 'act', async ({ params: { id = '' } }) => {
    await showPartner(db, id)
    return replayDeliveries(db, { partnerId: id })
  })

  addRoute(app, 'PUT', '/partners/:id/webhook', 'own', async ({ params: { id = '' }, body }) => {
    const { url } = readTexts(body, ['url'])
    if (url === null) throw new ValidationError({ url: ['must be given'] })
    await showPartner(db, id)
    return setTarget(db, outbound.guard, { partnerId: id, url })
  })

  addRoute(app, 'POST', '/partners/:id/webhook/test', 'act', async ({ params: { id = '' }, log }) => {
    await showPartner(db, id)
    return sendTest({ db, keyRing, links, outbound, log }, id)
  })

  addRoute(app, 'POST', '/partners/:id/webhook/rotate', 'own', async ({ params: { id = '' }, body }) => {
    const { overlap_hours: hours = 24 } = readObject(body)
    if (typeof hours !== 'number') throw new ValidationError({ overlap_hours: ['must be a number'] })
    await showPartner(db, id)
    return rotateSecret(db, keyRing, { partnerId: id, overlapHours: hours })
  })
}
