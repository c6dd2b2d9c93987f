import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { prepareQuery, type ReadDatabase } from '../db/prepare-query.ts'
import type { Obstacle, RunKind, RunState } from '../db/schema.ts'
import { type ReadOnlyKind, readOnlyKinds } from './read-only-kinds.ts'

/** A run that moves records, and its progress. */
export interface NewestRun {
  kind: Exclude<RunKind, ReadOnlyKind>
  state: RunState
  obstacle: Obstacle | null
  started_at: string
  finished_at: string | null
  /** The stage and entity under way; null when the run has ended. */
  now: { stage: string; entity: string | null } | null
  /** The entities that it writes or removes, in its order; `done` counts their finished records. */
  entities: { entity: string; total: number | null; done: number; state: 'waiting' | 'working' | 'done' }[]
}

const selectNewestRun = prepareQuery('newest-run', (db, importId: string) =>
  db
    .selectFrom('runs')
    .select(['kind', 'state', 'obstacle', 'created_at', 'finished_at'])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('run_stages')
          .select(['stage', 'entity', 'is_done', 'done'])
          .whereRef('run_id', '=', 'runs.id')
          .orderBy('position'),
      ).as('stages'),
      jsonArrayFrom(
        eb.selectFrom('plan_entities').select(['entity', 'total']).whereRef('import_id', '=', 'runs.import_id'),
      ).as('plans'),
    ])
    .where('import_id', '=', importId)
    .where('kind', 'not in', readOnlyKinds)
    .orderBy('id', 'desc')
    .limit(1)
    .compile(),
)

/** The newest run of an import that moves records; null before the first. */
export async function findNewestRun(database: ReadDatabase, importId: string): Promise<NewestRun | null> {
  const [run] = await selectNewestRun(database, importId)
  if (!run) return null
  const { stages, plans } = run
  const isOver = run.state === 'finished' || run.state === 'stopped'
  const under = isOver ? undefined : stages.find(({ is_done }) => !is_done)
  const totals = new Map(plans.map(({ entity, total }) => [entity, total]))
  const isRemoving = run.kind === 'undo' || run.kind === 'removal'
  const moving = stages.filter(({ stage }) => stage === (isRemoving ? 'remove' : 'write'))
  return {
    kind: run.kind as NewestRun['kind'],
    state: run.state,
    obstacle: run.obstacle,
    started_at: run.created_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
    now: under ? { stage: under.stage, entity: under.entity } : null,
    entities: moving.map((stage) => ({
      entity: String(stage.entity),
      total: totals.get(String(stage.entity)) ?? null,
      done: stage.done,
      state: stage.is_done ? 'done' : stage === under ? 'working' : 'waiting',
    })),
  }
}
