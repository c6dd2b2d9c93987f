import { sql } from 'kysely'
import type { Page } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import type { ToolUser } from '../families/record.ts'
import type { RunContext } from './run-context.ts'

/** Reads the people of both sides and matches them by e-mail. A choice made by the customer stays as it is. */
export async function matchUsers(context: RunContext, stagePosition: number): Promise<void> {
  const { run, reader, writer } = context
  const [source, destination] = await Promise.all([
    readAll((cursor) => reader.users(cursor)),
    readAll((cursor) => writer.users(cursor)),
  ])
  const byEmail = new Map(destination.flatMap((user) => (user.email ? [[user.email.toLowerCase(), user.id]] : [])))
  const rows = source.map(({ id, name, email }) => ({
    source_user_id: id,
    name,
    email,
    destination_user_id: (email && byEmail.get(email.toLowerCase())) || null,
  }))
  await run.lease.commit(async (tx) => {
    await sql`
      insert into user_map as u (import_id, source_user_id, name, email, destination_user_id)
      select ${run.importId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(source_user_id text, name text, email text, destination_user_id text)
      on conflict (import_id, source_user_id) do update set name = excluded.name, email = excluded.email,
        destination_user_id = coalesce(u.destination_user_id, excluded.destination_user_id)`.execute(tx)
    const counts = {
      source_tool: source.length,
      destination_tool: destination.length,
      matched: rows.filter((row) => row.destination_user_id !== null).length,
    }
    await tx
      .updateTable('imports')
      .set({ users: JSON.stringify(counts) })
      .where('id', '=', run.importId)
      .execute()
    await tx
      .updateTable('run_stages')
      .set({ is_done: true })
      .where('run_id', '=', run.id)
      .where('position', '=', stagePosition)
      .execute()
  })
}

/** A person of the source, and who that is in the destination. */
export interface MatchedUser {
  name: string
  email: string | null
  userId: string | null
}

/** What we know of these people of the source. */
export async function findUsers(
  db: Db,
  importId: string,
  sourceUserIds: readonly string[],
): Promise<Map<string, MatchedUser>> {
  if (sourceUserIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_map')
    .select(['source_user_id', 'name', 'email', 'destination_user_id'])
    .where('import_id', '=', importId)
    .where('source_user_id', 'in', [...new Set(sourceUserIds)])
    .execute()
  return new Map(
    rows.map(({ source_user_id, name, email, destination_user_id: userId }) => [
      source_user_id,
      { name, email, userId },
    ]),
  )
}

async function readAll(readPage: (cursor: string | null) => Promise<Page<ToolUser>>): Promise<ToolUser[]> {
  const users: ToolUser[] = []
  let cursor: string | null = null
  do {
    const page: Page<ToolUser> = await readPage(cursor)
    users.push(...page.items)
    cursor = page.next
  } while (cursor !== null)
  return users
}
