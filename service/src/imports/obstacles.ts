import type { Tx } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'

/** Means the whole run, in the place of an entity. */
const wholeRun = 'run'

/** Shows an obstacle as a warning that says who must do what; the status does not change. */
export async function showObstacle(tx: Tx, importId: string, { code, message }: Obstacle): Promise<void> {
  await clearObstacle(tx, importId)
  await tx.insertInto('warnings').values({ import_id: importId, code, entity: wholeRun, message, count: 1 }).execute()
}

export async function clearObstacle(tx: Tx, importId: string): Promise<void> {
  await tx.deleteFrom('warnings').where('import_id', '=', importId).where('entity', '=', wholeRun).execute()
}
