import type { FastifyInstance } from 'fastify'
import { ValidationError } from '../errors.ts'
import { showPrices } from '../imports/find-prices.ts'
import { setIssuer, showIssuer } from '../invoices/set-issuer.ts'
import { findInvoice, listInvoices, listPayments, showPayment } from '../payments/operator-view.ts'
import { setPrices } from '../payments/set-prices.ts'
import { cancelInvoice, markInvoicePaid, refundPayment } from '../payments/settle-by-hand.ts'
import { readObject } from '../portal/read-body.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { readQuery, readRows } from './read-query.ts'

/** Prices, payments and invoices, for owners only. */
export function registerMoneyRoutes(app: FastifyInstance, { db, providers }: ConsoleParts): void {
  addRoute(app, 'GET', '/payments', 'own', async ({ query }) => {
    const { attention, limit } = readQuery(query, ['attention', 'limit'])
    const rows = readRows(limit)
    return {
      payments: await listPayments(db, { importId: null, onlyAttention: attention === 'true', limit: rows }),
      invoices: await listInvoices(db, { onlyOpen: true, limit: rows }),
    }
  })
  addRoute(app, 'GET', '/payments/:id', 'own', ({ params: { id = '' } }) => showPayment(db, id))
  addRoute(app, 'POST', '/payments/:id/refund', 'own', ({ params: { id = '' } }) => refundPayment(db, providers, id))

  addRoute(app, 'POST', '/invoices/:number/paid', 'own', async ({ params: { number = '' } }) => {
    await markInvoicePaid(db, await findInvoice(db, number))
    return findInvoice(db, number)
  })
  addRoute(app, 'POST', '/invoices/:number/cancel', 'own', async ({ params: { number = '' } }) => {
    await cancelInvoice(db, await findInvoice(db, number))
    return findInvoice(db, number)
  })

  addRoute(app, 'GET', '/prices', 'own', async () => ({ ...(await showPrices(db)), issuer: await showIssuer(db) }))
  addRoute(app, 'PUT', '/prices', 'own', async ({ body }) => {
    const { document, version } = readObject(body)
    if (document === undefined) throw new ValidationError({ document: ['must be given'] })
    return setPrices(db, document, version)
  })
  addRoute(app, 'PUT', '/issuer', 'own', ({ body }) => setIssuer(db, readObject(body).document))
}
