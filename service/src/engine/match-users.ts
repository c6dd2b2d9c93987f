import { sql } from 'kysely'
import type { Page } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import type { ToolUser } from '../families/record.ts'
import { countUsers } from '../imports/choose-users.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'

/**
 * Reads the people of both sides and matches them by e-mail; a like name is only a suggestion. A choice made by the
 * customer stays as it is.
 */
export async function matchUsers(context: RunContext, stage: Stage): Promise<void> {
  const { run, reader, writer } = context
  const [source, destination] = await Promise.all([
    readAll((cursor) => reader.users(cursor)),
    readAll((cursor) => writer.users(cursor)),
  ])
  const byEmail = new Map(destination.flatMap((user) => (user.email ? [[plain(user.email), user.id]] : [])))
  const byName = new Map(destination.map((user) => [plain(user.name), user.id]))
  const rows = source.map(({ id, name, email }) => ({
    source_user_id: id,
    name,
    email,
    destination_user_id: (email && byEmail.get(plain(email))) || null,
    suggested_user_id: byName.get(plain(name)) ?? null,
  }))
  const people = destination.map(({ id, name, email, isActive }) => ({ user_id: id, name, email, is_active: isActive }))
  await run.lease.commit(async (tx) => {
    await sql`
      insert into user_map as u (import_id, source_user_id, name, email, destination_user_id, suggested_user_id)
      select distinct on (r.source_user_id) ${run.importId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(source_user_id text, name text, email text, destination_user_id text, suggested_user_id text)
      order by r.source_user_id
      on conflict (import_id, source_user_id) do update set name = excluded.name, email = excluded.email,
        suggested_user_id = excluded.suggested_user_id,
        destination_user_id = case when u.is_chosen then u.destination_user_id else excluded.destination_user_id end`.execute(
      tx,
    )
    await sql`
      insert into destination_users (import_id, user_id, name, email, is_active)
      select distinct on (r.user_id) ${run.importId}, r.* from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as r(user_id text, name text, email text, is_active boolean)
      order by r.user_id
      on conflict (import_id, user_id) do update set name = excluded.name, email = excluded.email,
        is_active = excluded.is_active`.execute(tx)
    await countUsers(tx, run.importId, { source_tool: source.length, destination_tool: destination.length })
    await moveStage(tx, context, stage, { cursor: null, isDone: true })
  })
}

const plain = (text: string) => text.trim().toLowerCase()

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
