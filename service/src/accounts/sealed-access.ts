import { sql } from 'kysely'
import type { AccountAccess } from '../connectors/contract/contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { KeyRing } from '../key-ring.ts'

export type Role = 'source' | 'destination'

/** Stores credentials, sealed and bound to their import and role. No other code stores them. */
export async function storeAccess(
  tx: Tx,
  keyRing: KeyRing,
  input: {
    importId: string
    role: Role
    access: AccountAccess
    isChecked: boolean
    accountName?: string
    /** See nameAccount; null until the account was opened once. */
    account?: string | null
  },
): Promise<void> {
  const sealed_credentials = keyRing.seal(JSON.stringify(input.access), placeOf(input.importId, input.role))
  const checked_at = input.isChecked ? new Date() : null
  const account_name = input.accountName ?? null
  await tx
    .insertInto('authorizations')
    .values({ import_id: input.importId, role: input.role, sealed_credentials, checked_at, account_name })
    .onConflict((conflict) =>
      conflict.columns(['import_id', 'role']).doUpdateSet({ sealed_credentials, checked_at, account_name }),
    )
    .execute()
  await tx
    .updateTable('imports')
    .set({
      [`${input.role}_account`]: input.account ?? null,
      // An account that is connected again after a completion gets an expiry, in case no run follows.
      credentials_due_at: sql<Date | null>`greatest(undo_until, case when undo_until is not null
        then now() + interval '1 day' end)`,
    })
    .where('id', '=', input.importId)
    .execute()
}

/** Null if the account was never given. */
export async function findAccess(
  db: Db,
  keyRing: KeyRing,
  importId: string,
  role: Role,
): Promise<AccountAccess | null> {
  const row = await db
    .selectFrom('authorizations')
    .select('sealed_credentials')
    .where('import_id', '=', importId)
    .where('role', '=', role)
    .executeTakeFirst()
  return row ? openAccess(keyRing, row.sealed_credentials, importId, role) : null
}

export function openAccess(keyRing: KeyRing, sealed: Buffer, importId: string, role: Role): AccountAccess {
  return JSON.parse(keyRing.open(sealed, placeOf(importId, role)))
}

/** Replaces the credentials of the same account by newer ones. */
export async function replaceAccess(
  tx: Tx,
  keyRing: KeyRing,
  { importId, role, access }: { importId: string; role: Role; access: AccountAccess },
): Promise<void> {
  await tx
    .updateTable('authorizations')
    .set({ sealed_credentials: keyRing.seal(JSON.stringify(access), placeOf(importId, role)) })
    .where('import_id', '=', importId)
    .where('role', '=', role)
    .execute()
}

function placeOf(importId: string, role: Role): string {
  return `authorizations.sealed_credentials/${importId}/${role}`
}
