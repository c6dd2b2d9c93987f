import type { FastifyInstance } from 'fastify'
import { listMails, showMail } from '../mail/list-mails.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { readChoice, readQuery, readRows } from './read-query.ts'

/** Mails and the settings of this installation, without secrets. */
export function registerSettingsRoutes(app: FastifyInstance, { db, connectors, config, origin }: ConsoleParts): void {
  addRoute(app, 'GET', '/mails', 'read', async ({ query }) => {
    const { state, limit } = readQuery(query, ['state', 'limit'])
    const chosen = readChoice('state', state, ['waiting', 'sent', 'given_up'])
    return { mails: await listMails(db, connectors, { importId: undefined, state: chosen, limit: readRows(limit) }) }
  })

  // Only owners read a mail, because mails about payments contain amounts.
  addRoute(app, 'GET', '/mails/:id', 'own', ({ params: { id = '' } }) => showMail(db, connectors, id))

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
