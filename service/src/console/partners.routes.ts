import type { FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { brandPartner } from '../partners/brand-partner.ts'
import { createPartner } from '../partners/create-partner.ts'
import { disablePartner } from '../partners/disable-partner.ts'
import { listPartners, showPartner } from '../partners/find-partners.ts'
import { issueToken } from '../partners/issue-token.ts'
import { requirePlainText } from '../partners/plain-text.ts'
import { revokeToken } from '../partners/revoke-token.ts'
import { setBudget, showBudget } from '../partners/set-budget.ts'
import { setPolicy, showPolicy } from '../partners/set-policy.ts'
import { readExpiry } from '../partners/token-expiry.ts'
import { readScopeList, tokenScopes } from '../partners/token-scopes.ts'
import { readFlag, readObject, readTexts } from '../portal/read-body.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'

/** Partners with their tokens, colours and policies. Secrets are shown once, by the answer that makes them. */
export function registerPartnerRoutes(app: FastifyInstance, { db, connectors, keyRing, outbound }: ConsoleParts): void {
  addRoute(app, 'GET', '/partners', 'read', async () => ({ partners: await listPartners(db) }))

  addRoute(app, 'GET', '/partners/:id', 'read', async ({ params: { id = '' } }) => ({
    ...(await showPartner(db, id)),
    scopes: tokenScopes,
    policy: await showPolicy(db, id),
  }))

  addRoute(app, 'POST', '/partners', 'own', async ({ body }) => {
    const { name, destination, webhook_url } = readTexts(body, ['name', 'destination', 'webhook_url'])
    return createPartner(
      db,
      { connectors, keyRing, guard: outbound.guard },
      {
        name: name ?? '',
        destination: destination ?? '',
        ...(webhook_url !== null && { webhookUrl: webhook_url }),
      },
    )
  })

  addRoute(app, 'POST', '/partners/:id/disable', 'own', ({ params: { id = '' }, body }) =>
    disablePartner(db, id, { stopsRuns: readFlag(body, 'stop_runs') }),
  )

  addRoute(app, 'PUT', '/partners/:id/brand', 'own', ({ params: { id = '' }, body }) => {
    const { accent } = readTexts(body, ['accent'])
    return brandPartner(db, id, { accent })
  })

  addRoute(app, 'PUT', '/partners/:id/policy', 'own', ({ params: { id = '' }, body }) => {
    const texts = readTexts(body, ['policy', 'limit', 'beyond', 'page', 'sample_records'])
    const given = (value: string | null) => value ?? undefined
    return setPolicy(db, id, {
      policy: given(texts.policy),
      limit: given(texts.limit),
      beyond: given(texts.beyond),
      page: given(texts.page),
      sampleRecords: given(texts.sample_records),
    })
  })

  addRoute(app, 'GET', '/partners/:id/budget', 'own', ({ params: { id = '' } }) => showBudget(db, id))

  addRoute(app, 'PUT', '/partners/:id/budget', 'own', ({ params: { id = '' }, body }) => {
    const { amount } = readTexts(body, ['amount'])
    return setBudget(db, id, amount ?? 'none')
  })

  addRoute(app, 'POST', '/partners/:id/tokens', 'own', async ({ params: { id = '' }, body }) => {
    const { label, expires } = readTexts(body, ['label', 'expires'])
    const limits = { expiresAt: readExpiry(expires), scopes: readScopeList(readObject(body).scopes) }
    const { disabled_at } = await showPartner(db, id)
    if (disabled_at !== null) throw new RequestError('bad_request', 'This partner is disabled: its tokens are refused.')
    if (label !== null) requirePlainText('The label', label, 200)
    return issueToken(db, { partnerId: id, label, ...limits })
  })

  addRoute(app, 'POST', '/tokens/:id/revoke', 'own', ({ params: { id = '' } }) => revokeToken(db, id))
}
