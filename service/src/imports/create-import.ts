import { sql } from 'kysely'
import { countChecked } from '../accounts/account-budget.ts'
import { nameAccount } from '../accounts/name-account.ts'
import { storeAccess } from '../accounts/sealed-access.ts'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { KeyRing } from '../key-ring.ts'
import { initialStatus } from '../lifecycle.ts'
import { currentTrace } from '../signals/trace.ts'
import { recordEvent } from '../webhooks/record-event.ts'
import type { CheckedDestination } from './check-destination.ts'
import type { NewImport } from './new-import.ts'

export interface Idempotency {
  key: string
  bodyHash: Buffer
}

export interface ImportingPartner {
  id: string
  destinationTool: string
}

/** An import, and the answer of its destination to the check. */
export type CheckedImport = NewImport & { checked: CheckedDestination | null }

export interface CreatedImport {
  id: string
  link_version: number
}

/** Older keys no longer count. */
export const oldestValidKey = sql<Date>`now() - interval '24 hours'`

/** Inserts the import with its first event. If another request used the same key meanwhile, answers that one's import. */
export async function createImport(
  db: Db,
  keyRing: KeyRing,
  partner: ImportingPartner,
  input: CheckedImport,
  idempotency: Idempotency | null,
): Promise<CreatedImport> {
  const { checked } = input
  const account = checked && (await nameAccount({ db, keyRing }, partner.destinationTool, input, checked.info.id))
  if (checked && account) await countChecked(db, account, checked.limits, checked.exchanges)
  const insert = db
    .transaction()
    .execute((tx) => insertImport(tx, keyRing, partner, { ...input, account }, idempotency))
  return insert.catch(async (error: unknown) => {
    const earlier =
      error instanceof KeyTakenError && idempotency && (await findEarlierImport(db, partner.id, idempotency))
    if (!earlier) throw error
    return earlier
  })
}

async function insertImport(
  tx: Tx,
  keyRing: KeyRing,
  partner: ImportingPartner,
  input: CheckedImport & { account: string | null },
  idempotency: Idempotency | null,
): Promise<CreatedImport> {
  const imp = await tx
    .insertInto('imports')
    .values({
      id: newId('imp'),
      partner_id: partner.id,
      source_tool: input.sourceTool,
      destination_tool: partner.destinationTool,
      family: input.family,
      destination_instance_url: input.instanceUrl,
      destination_username: input.username,
      start_full: input.startFull,
      sponsorship: input.startFull ? 'accepted' : 'undecided',
      sponsorship_by: input.startFull ? 'partner' : null,
      status: initialStatus,
      sequence: 1,
      trace_parent: currentTrace(),
    })
    .returning(['id', 'partner_id', 'sequence', 'status', 'items', 'users', 'link_version'])
    .executeTakeFirstOrThrow()
  if (idempotency) await claimKey(tx, partner.id, idempotency, imp.id)
  await recordEvent(tx, imp)
  if (input.token !== null) {
    const { instanceUrl, username, token } = input
    await storeAccess(tx, keyRing, {
      importId: imp.id,
      role: 'destination',
      access: { instanceUrl, username, token },
      isChecked: input.checked !== null,
      account: input.account,
    })
  }
  await audit(tx, { actor: `partner ${partner.id}`, act: 'import created', subject: imp.id })
  return { id: imp.id, link_version: imp.link_version }
}

/** Rolls the transaction back, so that the new import does not stay. */
class KeyTakenError extends Error {}

/** Waits for a request under way with the same key, and throws if that one created its import. */
async function claimKey(tx: Tx, partnerId: string, { key, bodyHash }: Idempotency, importId: string): Promise<void> {
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ partner_id: partnerId, key, body_hash: bodyHash, import_id: importId })
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'key'])
        .doUpdateSet({ body_hash: bodyHash, import_id: importId, created_at: sql`now()` })
        .where('idempotency_keys.created_at', '<', oldestValidKey),
    )
    .returning('import_id')
    .executeTakeFirst()
  if (!claimed) throw new KeyTakenError()
}

/** The import that an earlier request with this key created, within the key's lifetime. */
export async function findEarlierImport(
  db: Db,
  partnerId: string,
  { key, bodyHash }: Idempotency,
): Promise<CreatedImport | null> {
  const earlier = await db
    .selectFrom('idempotency_keys')
    .innerJoin('imports', 'imports.id', 'idempotency_keys.import_id')
    .select(['imports.id', 'imports.link_version', 'idempotency_keys.body_hash'])
    .where('idempotency_keys.partner_id', '=', partnerId)
    .where('idempotency_keys.key', '=', key)
    .where('idempotency_keys.created_at', '>=', oldestValidKey)
    .executeTakeFirst()
  if (!earlier) return null
  if (!earlier.body_hash.equals(bodyHash)) {
    throw new ValidationError({ idempotency_key: ['was used before with another body: use a new key'] })
  }
  return { id: earlier.id, link_version: earlier.link_version }
}
