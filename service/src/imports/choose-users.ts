import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { type FieldMessages, ValidationError } from '../errors.ts'
import { lockRuns } from './lock-runs.ts'

/** Updates the import's numbers of people. */
export async function countUsers(
  tx: Tx,
  importId: string,
  counts: { source_tool: number; destination_tool: number } | null = null,
): Promise<void> {
  const sizes = counts === null ? sql`users` : sql`${JSON.stringify(counts)}::jsonb`
  await sql`
    update imports set users = ${sizes} || jsonb_build_object('matched',
      (select count(*) from user_map where import_id = ${importId} and is_listed and destination_user_id is not null))
    where id = ${importId}`.execute(tx)
}

/** A person of the destination; null for nobody; or a person who is invited later. Until then records show the name. */
export type UserChoice = string | null | { invite_later: true }

/** Stores the customer's choices: a person of the destination, or nobody, for each person of the source. */
export async function chooseUsers(db: Db, importId: string, choices: Record<string, UserChoice>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // First, the order of everyone who changes both. Two customers who choose at once take turns.
    await lockRuns(tx, importId)
    const messages: FieldMessages = {}
    for (const [source, choice] of Object.entries(choices)) {
      const destination = typeof choice === 'string' ? choice : null
      const keepsName = choice !== null && destination === null
      const isThere =
        destination === null ||
        (await tx
          .selectFrom('destination_users')
          .select('user_id')
          .where('import_id', '=', importId)
          .where('user_id', '=', destination)
          .executeTakeFirst())
      const changed = await tx
        .updateTable('user_map')
        .set({ destination_user_id: destination, is_chosen: true, keeps_name: keepsName })
        .where('import_id', '=', importId)
        .where('source_user_id', '=', source)
        .returning('is_listed')
        .executeTakeFirst()
      if (!isThere) messages[source] = ['there is no such person in the destination']
      else if (!changed) messages[source] = ['there is no such person in the source']
      else if (keepsName && !changed.is_listed) messages[source] = ['has no name in the source that could be kept']
    }
    if (Object.keys(messages).length > 0) throw new ValidationError(messages)
    await countUsers(tx, importId)
    await tx.updateTable('plans').set({ people_changed_at: sql`now()` }).where('import_id', '=', importId).execute()
    await audit(tx, { actor: `customer ${importId}`, act: 'people matched', subject: importId })
  })
}
