import type { FastifyInstance } from 'fastify'
import { OperatorError, RequestError, ValidationError } from '../errors.ts'
import { listPartnerMappings, removePartnerMapping } from '../mapping/saved-mappings.ts'
import { type Branding, brandPartner, showBrand } from '../partners/brand-partner.ts'
import { createPartner } from '../partners/create-partner.ts'
import { disablePartner } from '../partners/disable-partner.ts'
import { listPartners, showPartner } from '../partners/find-partners.ts'
import { issueToken } from '../partners/issue-token.ts'
import { requirePlainText } from '../partners/plain-text.ts'
import { revokeToken } from '../partners/revoke-token.ts'
import { setBudget, showBudget } from '../partners/set-budget.ts'
import { setPolicy, showPolicy } from '../partners/set-policy.ts'
import { setRetention, showRetention } from '../partners/set-retention.ts'
import { readExpiry } from '../partners/token-expiry.ts'
import { readScopeList, tokenScopes } from '../partners/token-scopes.ts'
import { readFlag, readObject, readTexts } from '../portal/read-body.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'

/** Partners with their tokens, colours and policies. A secret is shown once, in the answer that creates it. */
export function registerPartnerRoutes(app: FastifyInstance, { db, connectors, keyRing, outbound }: ConsoleParts): void {
  addRoute(app, 'GET', '/partners', 'read', async () => ({ partners: await listPartners(db) }))

  addRoute(app, 'GET', '/partners/:id', 'read', async ({ params: { id = '' } }) => ({
    ...(await showPartner(db, id)),
    scopes: tokenScopes,
    policy: await showPolicy(db, id),
    retention: await showRetention(db, id),
    brand: await showBrand(db, id),
    mappings: (await listPartnerMappings(db, id)).map(({ changes: _, ...mapping }) => mapping),
  }))

  addRoute(app, 'POST', '/partners', 'own', async ({ body }) => {
    const { name, destination, webhook_url } = readTexts(body, ['name', 'destination', 'webhook_url'])
    const families = readFamilies(body)
    return createPartner(
      db,
      { connectors, keyRing, guard: outbound.guard },
      {
        name: name ?? '',
        destination: destination ?? '',
        ...(families.length > 0 && { families }),
        ...(webhook_url !== null && { webhookUrl: webhook_url }),
      },
    )
  })

  addRoute(app, 'POST', '/partners/:id/disable', 'own', ({ params: { id = '' }, body }) =>
    disablePartner(db, id, { stopsRuns: readFlag(body, 'stop_runs') }),
  )

  addRoute(app, 'PUT', '/partners/:id/brand', 'own', ({ params: { id = '' }, body }) =>
    brandPartner(db, id, readBranding(body)),
  )

  addRoute(app, 'PUT', '/partners/:id/retention', 'own', ({ params: { id = '' }, body }) => {
    const { undo_days, ledger_days } = readTexts(body, ['undo_days', 'ledger_days'])
    return setRetention(db, id, { undoDays: undo_days ?? undefined, ledgerDays: ledger_days ?? undefined })
  })

  addRoute(app, 'DELETE', '/mappings/:id', 'own', async ({ params: { id = '' } }) => {
    const removed = await removePartnerMapping(db, id, 'operator')
    if (!removed) throw new OperatorError(`There is no mapping ${id}.`)
    return { removed: id }
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

/** A missing value stays unchanged; null removes it. */
function readBranding(body: unknown): Branding {
  const given = readObject(body)
  const { accent } = readTexts({ accent: given.accent }, ['accent'])
  const { logo } = given
  if (logo !== undefined && logo !== null && (typeof logo !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(logo))) {
    throw new ValidationError({ logo: ['must be a PNG or SVG file, in base64'] })
  }
  return {
    ...('accent' in given && { accent }),
    ...(logo !== undefined && { logo: logo === null ? null : Buffer.from(logo as string, 'base64') }),
  }
}

function readFamilies(body: unknown): string[] {
  const { families = [] } = readObject(body)
  if (Array.isArray(families) && families.every((one): one is string => typeof one === 'string')) return families
  throw new ValidationError({ families: ['must be a list of texts'] })
}
