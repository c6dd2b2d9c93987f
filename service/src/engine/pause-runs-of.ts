import type { Db } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'
import { lockRuns } from '../imports/lock-runs.ts'
import { showObstacle } from '../imports/obstacles.ts'
import { showsObstacles } from './finish-run.ts'

/** Pauses every run that reads from the tool or writes to it. */
export async function pauseRunsOf(db: Db, tool: string, obstacle: Obstacle): Promise<void> {
  const found = await db
    .selectFrom('runs as r')
    .innerJoin('imports as i', 'i.id', 'r.import_id')
    .select(['r.id', 'r.import_id as importId'])
    .where('r.state', '=', 'working')
    .where((eb) => eb.or([eb('i.source_tool', '=', tool), eb('i.destination_tool', '=', tool)]))
    .execute()
  for (const { id, importId } of found) {
    await db.transaction().execute(async (tx) => {
      const { runs = [] } = (await lockRuns(tx, importId)) ?? {}
      const run = runs.find((one) => one.id === id && one.state === 'working')
      if (!run) return
      await tx
        .updateTable('runs')
        .set({ state: 'paused', obstacle: JSON.stringify(obstacle) })
        .where('id', '=', id)
        .execute()
      if (await showsObstacles(tx, { kind: run.kind, importId })) await showObstacle(tx, importId, obstacle)
    })
  }
}
