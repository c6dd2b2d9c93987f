import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { ImportStatus } from '../lifecycle.ts'

export interface Activity {
  at: Date
  actor: string
  act: string
  status: ImportStatus | null
  /** The name of the person who acted. */
  name: string | null
  /** The version, for a changed mapping. */
  version: number | null
}

/** The acts of people on an import, and the statuses that it reached; newest first. */
export async function listActivity(db: Db, importId: string, limit: number): Promise<Activity[]> {
  const { rows } = await sql<Activity>`
    select at, actor, act, status, visitors.name, version from (
      select at, actor, act, null as status, 0 as kind, id::text as place, details->>'visitor' as visitor,
        (details->>'version')::int as version
      from audit_log where subject = ${importId}
      union all
      select occurred_at, 'service', 'status', status, 1, id, null, null
      from events where import_id = ${importId} and request is null
    ) as happened
    left join visitors on visitors.id = happened.visitor and visitors.import_id = ${importId}
    order by at desc, kind desc, place desc limit ${limit}`.execute(db)
  return rows
}
