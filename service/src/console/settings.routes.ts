import type { FastifyInstance } from 'fastify'
import { listOAuthClients } from '../authorizations/oauth-clients.ts'
import { listMails } from '../mail/list-mails.ts'
import { listInvoices, listPayments } from '../payments/operator-view.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { readChoice, readQuery, readRows } from './read-query.ts'

/** Tools, payments, mails, and how this installation is set up; never a secret. */
export function registerSettingsRoutes(app: FastifyInstance, { db, connectors, config, origin }: ConsoleParts): void {
  addRoute(app, 'GET', '/tools', 'read', async () => ({
    tools: connectors.map(({ tool, label, families, source, destination }) => ({
      ...{ tool, label, families },
      ...{ is_source: source !== undefined, is_destination: destination !== undefined },
    })),
    oauth_clients: await listOAuthClients(db),
  }))

  addRoute(app, 'GET', '/payments', 'own', async ({ query }) => {
    const { attention, limit } = readQuery(query, ['attention', 'limit'])
    const rows = readRows(limit)
    return {
      payments: await listPayments(db, { importId: null, onlyAttention: attention === 'true', limit: rows }),
      invoices: await listInvoices(db, { onlyOpen: true, limit: rows }),
    }
  })

  addRoute(app, 'GET', '/mails', 'read', async ({ query }) => {
    const { state, limit } = readQuery(query, ['state', 'limit'])
    const chosen = readChoice('state', state, ['waiting', 'sent', 'given_up'])
    return { mails: await listMails(db, connectors, { importId: undefined, state: chosen, limit: readRows(limit) }) }
  })

  addRoute(app, 'GET', '/settings', 'read', async () => ({
    origin: origin(),
    database: config.databaseUrl === null ? 'embedded' : 'external',
    rate_limit: config.rateLimit,
    upload_limit_mb: Math.floor(config.uploadLimitBytes / 1024 ** 2),
    sends_mail: config.smtpUrl !== null,
    takes_cards: config.stripe !== null,
    takes_invoices: config.invoices,
    connectors_from_outside: config.connectors.length,
    allowed_networks: config.allowedNetworks.length,
    node: process.version,
  }))
}
