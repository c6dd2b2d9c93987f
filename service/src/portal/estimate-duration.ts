import { sql } from 'kysely'
import type { DestinationDescription } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import type { Db } from '../db/open-database.ts'
import type { PortalPlan } from './mapping-contract.ts'

/** Duration of a request to a tool, at best and at worst. */
const requestSeconds = { best: 0.05, worst: 1 }
/** A record is read, written, perhaps linked, and one in ten is read back. */
const requestsPerBatch = { best: 1.1, worst: 3 }
/** A sample reads back everything and has little to send at once, so the full migration is quicker for each record. */
const quickerThanSample = 4
/** Fewer records say more about how long it takes to begin than about the pace. */
const enoughMeasured = 20

/** Duration per written record in this import's newest finished run; null when none wrote enough. */
export async function measurePace(db: Db, importId: string): Promise<number | null> {
  const { rows } = await sql<{ seconds: number; records: number }>`
    select extract(epoch from r.finished_at - r.created_at)::float as seconds,
      (select coalesce(sum(s.done), 0)::int from run_stages s where s.run_id = r.id and s.stage = 'write') as records
    from runs r
    where r.import_id = ${importId} and r.kind in ('sample', 'full') and r.state = 'finished'
      -- Pauses do not count for the pace.
      and not exists (select from audit_log a where a.subject = ${importId} and a.act = 'run paused'
        and a.at between r.created_at and r.finished_at)
    order by r.id desc limit 1`.execute(db)
  const [run] = rows
  return run && run.records >= enoughMeasured ? run.seconds / run.records : null
}

/**
 * Estimates from the counts, the parallel requests that the destination accepts, and the pace measured in this import.
 * A tool that declares no limits gets one request at a time.
 */
export function estimateDuration(
  destination: DestinationDescription,
  counts: readonly { entity: string; records: number }[],
  secondsPerRecord: number | null,
): PortalPlan['duration'] {
  const { requestsPerSecond = Number.POSITIVE_INFINITY } = destination.capabilities
  const taken = counts
    .filter(({ entity }) => destination.entities[entity] !== undefined)
    .map(({ entity, records }) => {
      const { batchSize, concurrency } = capabilitiesOf(destination, entity)
      return { records, concurrency, batches: Math.ceil(records / (isFile(entity) ? 1 : batchSize)) }
    })
  const records = taken.reduce((sum, one) => sum + one.records, 0)
  const batches = taken.reduce((sum, one) => sum + one.batches, 0)
  if (batches === 0) return null
  // One entity after the other.
  const secondsAt = (kind: 'best' | 'worst') =>
    taken.reduce((sum, one) => {
      const perSecond = Math.min(one.concurrency / requestSeconds[kind], requestsPerSecond)
      return sum + (one.batches * requestsPerBatch[kind]) / perSecond
    }, 0)
  if (secondsPerRecord === null) {
    const range = { from_seconds: Math.ceil(secondsAt('best')), to_seconds: Math.ceil(secondsAt('worst')) }
    return { ...range, is_measured: false }
  }
  const measured = records * secondsPerRecord
  // However quick the sample was, the tool's own limit holds.
  const least = Math.max(measured / quickerThanSample, (batches * requestsPerBatch.best) / requestsPerSecond)
  return { from_seconds: Math.ceil(least), to_seconds: Math.ceil(Math.max(least, measured)), is_measured: true }
}

const isFile = (entity: string) => entity === 'attachments' || entity === 'media'
