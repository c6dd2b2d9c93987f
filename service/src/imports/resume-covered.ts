import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { resumeRun } from './resume-run.ts'
import type { RunStarter } from './start-run.ts'

const isCovered = sql<boolean>`state = 'paused' and obstacle @> '{"is_covered": true}'`

/** Resumes the runs whose records somebody now pays for. */
export async function resumeCovered(db: Db, starter: RunStarter): Promise<void> {
  const runs = await db.selectFrom('runs').select(['id', 'import_id']).where(isCovered).limit(20).execute()
  for (const { id, import_id } of runs) await resumeRun(db, starter, import_id, { runId: id })
}
