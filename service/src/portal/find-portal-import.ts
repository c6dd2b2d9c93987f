import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { OperatorRole } from '../db/operator-tables.ts'
import { prepareQuery, type ReadDatabase } from '../db/prepare-query.ts'
import { isImportId } from '../imports/import-rows.ts'
import { startsByItself } from '../imports/start-full.ts'
import { isCurrent } from '../portal-sessions.ts'
import { warningOrder } from '../warnings/order.ts'

const maxWarnings = 100

/** The role of the operator who looks; null for the customer's own sessions. */
const roleOfLooker = sql<OperatorRole | null>`(
  select o.role from operator_sessions s join operators o on o.id = s.operator_id
  where s.id = portal_sessions.operator_session_id)`

const selectImport = prepareQuery('portal-import', (db, importId: string, secretHash: Buffer | null) =>
  db
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select([
      'imports.id',
      'imports.link_version',
      'imports.link_revoked_at',
      'imports.status',
      'imports.source_tool',
      'imports.destination_tool',
      'imports.destination_username',
      'imports.destination_instance_url',
      'imports.family',
      'imports.start_full',
      'imports.sponsorship',
      'imports.sponsorship_requested_at',
      'imports.sponsorship_by',
      'imports.sponsorship_reason',
      'imports.paid_at',
      'imports.items',
      'imports.users',
      'imports.progress',
      'imports.created_at',
      'imports.ended_as',
      'imports.undo_until',
      'partners.name as partner_name',
      'partners.accent as partner_accent',
      'partners.full_page_url',
    ])
    .select((eb) => [
      sql<Date>`statement_timestamp()`.as('read_at'),
      eb('partners.logo', 'is not', null).as('has_logo'),
      startsByItself.as('starts_by_itself'),
      jsonObjectFrom(
        eb
          .selectFrom('portal_sessions')
          .select(['portal_sessions.id', sql<boolean>`last_seen_at > now() - interval '1 minute'`.as('is_seen_lately')])
          .select([roleOfLooker.as('operator_role'), 'portal_sessions.expires_at'])
          .where('secret_hash', '=', secretHash)
          .whereRef('portal_sessions.import_id', '=', 'imports.id')
          .where(isCurrent),
      ).as('session'),
      eb
        .selectFrom('runs')
        .select('runs.created_at')
        .whereRef('import_id', '=', 'imports.id')
        .where('kind', 'in', ['full', 'delta'])
        .where('state', '=', 'finished')
        .orderBy('id', 'desc')
        .limit(1)
        .as('changes_since'),
      jsonArrayFrom(
        eb
          .selectFrom('warnings')
          .select(['code', 'message', 'entity', 'count'])
          .whereRef('import_id', '=', 'imports.id')
          .orderBy(sql.raw(warningOrder))
          .limit(maxWarnings),
      ).as('warnings'),
      jsonArrayFrom(
        eb
          .selectFrom('authorizations')
          .select((authorization) => [
            'role',
            'account_name',
            authorization('checked_at', 'is not', null).as('is_checked'),
          ])
          .whereRef('import_id', '=', 'imports.id'),
      ).as('authorizations'),
      jsonObjectFrom(
        eb
          .selectFrom('payments')
          .leftJoin('invoices', 'invoices.payment_id', 'payments.id')
          .leftJoin('credit_notes', 'credit_notes.payment_id', 'payments.id')
          .select([
            'payments.id',
            'provider',
            'state',
            'amount',
            'currency',
            'reason',
            'created_at',
            'payments.paid_at',
          ])
          .select(['checkout_url', 'expires_at', 'invoices.number as invoice_number'])
          .select('credit_notes.number as credit_number')
          .select(['invoices.issuer as invoice_issuer', 'due_at as invoice_due_at'])
          .whereRef('payments.import_id', '=', 'imports.id')
          .orderBy('payments.id', 'desc')
          .limit(1),
      ).as('payment'),
      jsonArrayFrom(
        eb
          .selectFrom('oauth_clients')
          .select(['tool', 'instance'])
          .where((client) =>
            client.or([
              client('tool', '=', client.ref('imports.source_tool')),
              client('tool', '=', client.ref('imports.destination_tool')),
            ]),
          )
          .orderBy('instance'),
      ).as('oauth_clients'),
    ])
    .where('imports.id', '=', importId)
    .compile(),
)

export type PortalImportRow = Awaited<ReturnType<typeof selectImport>>[number]

/**
 * Everything the customer may see of an import, ended ones among them; null when there is none. `session` is the one
 * that the secret with this hash opens, read in the same statement.
 */
export async function findPortalImport(
  database: ReadDatabase,
  importId: string,
  secretHash: Buffer | null = null,
): Promise<PortalImportRow | null> {
  if (!isImportId(importId)) return null
  const [imp] = await selectImport(database, importId, secretHash)
  return imp ?? null
}
