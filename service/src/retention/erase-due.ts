import { sql } from 'kysely'
import { withdrawAccess } from '../accounts/withdraw-access.ts'
import type { RenewParts } from '../authorizations/renew-grant.ts'
import { eraseWithdrawn } from '../authorizations/revoke-access.ts'
import type { Db } from '../db/open-database.ts'
import { eraseTexts } from './erase-texts.ts'
import { type DueColumn, lockDue } from './lock-due.ts'

const atOnce = 100

/** Erases everything whose time has come. Its cost grows with the imports that are due, not with all imports. */
export async function eraseDue(parts: RenewParts): Promise<{ accounts: number; texts: number }> {
  const { db } = parts
  for (const importId of await listDue(db, 'credentials_due_at')) await withdrawDue(db, importId)
  const accounts = await eraseWithdrawn(parts)
  const due = await listDue(db, 'texts_due_at')
  for (const importId of due) await eraseTexts(db, importId)
  return { accounts, texts: due.length }
}

/** A run under way keeps what it needs; it sets a new date when it is done. */
async function listDue(db: Db, column: DueColumn): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from imports i where ${sql.ref(column)} <= now()
      and not exists (select from runs r where r.import_id = i.id and r.state = 'working')
    order by ${sql.ref(column)} limit ${atOnce}`.execute(db)
  return rows.map(({ id }) => id)
}

async function withdrawDue(db: Db, importId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockDue(tx, importId, 'credentials_due_at'))) return
    await tx.updateTable('imports').set({ credentials_due_at: null }).where('id', '=', importId).execute()
    await withdrawAccess(tx, importId)
  })
}
