import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { EventWarning, ItemCounts, UserCounts } from '../db/schema.ts'
import type { Family } from '../families/index.ts'
import type { ImportStatus } from '../lifecycle.ts'
import type { Clock } from './clock.ts'
import { failuresBeforePause } from './retry-schedule.ts'
import { loadSecrets, type SealedSecret } from './signing-secrets.ts'

/** Attempts that one target has under way at the same time, over all workers. */
const attemptsPerTarget = 8
/** Longer than an attempt can take. A claim that has run out belongs to a lost worker. */
export const claimSeconds = 40

/** The values of a message; null for a test message. */
export interface EventContent {
  importId: string
  linkVersion: number
  family: Family
  status: ImportStatus
  items: ItemCounts
  users: UserCounts
  warnings: EventWarning[]
  sequence: number
  request: 'sponsorship' | null
}

export interface ClaimedDelivery {
  id: string
  partnerId: string
  url: string
  /** The number of this attempt. */
  attempt: number
  /** Failed attempts on the present schedule. */
  failures: number
  firstTriedAt: Date
  /** Seconds since the change was committed, or the message replayed. */
  waitedSeconds: number
  triedAt: Date
  /** The step of the trace that caused the message; null without a trace. */
  traceParent: string | null
  content: EventContent | null
  /** Newest first. */
  secrets: SealedSecret[]
  /** Whether the claim took the target's last place: others may be due that wait for this one's end. */
  isLast: boolean
}

export interface Claim {
  claimed: ClaimedDelivery[]
  /** Whether the limit left out deliveries for which their targets have a place. */
  hasMore: boolean
}

/**
 * Claims deliveries that are due, at most `limit`, at these targets or at all. Every target gets its first turn before
 * any gets its second, so a long backlog delays no other target. A failing target gets one attempt at a time.
 */
export async function claimDeliveries(
  db: Db,
  clock: Clock,
  limit: number,
  targets: string[] | null = null,
): Promise<Claim> {
  return db.transaction().execute(async (tx) => {
    const partnerIds = await lockTargets(tx, clock, targets)
    if (partnerIds.length === 0) return { claimed: [], hasMore: false }
    const claimed = await claimFrom(tx, clock, partnerIds, limit)
    const secrets = await loadSecrets(tx, clock, partnerIds)
    return {
      claimed: claimed.map(({ candidates: _, ...delivery }) => ({
        ...delivery,
        secrets: secrets.get(delivery.partnerId) ?? [],
      })),
      hasMore: claimed.some(({ candidates }) => candidates > claimed.length),
    }
  })
}

/** Targets with deliveries that are due, among them claims of lost workers. */
export async function findDueTargets(db: Db, clock: Clock): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from due_targets(${clock()}) id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks the targets, so that two workers cannot both count the same free places. Nobody waits for a target that another
 * holds: the other claims there, or `findDueTargets` finds it again.
 */
async function lockTargets(tx: Tx, clock: Clock, targets: string[] | null): Promise<string[]> {
  const now = clock()
  const { rows } = await sql<{ partner_id: string }>`
    select partner_id from webhook_targets t
    where ${targets ? sql`partner_id = any(${targets})` : sql`true`} and disabled_at is null and (paused_until is null or paused_until <= ${now})
      and (select d.due_at <= ${now} from deliveries d
        where d.partner_id = t.partner_id and state = 'waiting' order by d.due_at limit 1)
    for update skip locked`.execute(tx)
  return rows.map((row) => row.partner_id)
}

/** A separate statement: only one that begins once the rows are locked sees the claims of the last holder. */
async function claimFrom(tx: Tx, clock: Clock, partnerIds: string[], limit: number) {
  const now = clock()
  const { rows } = await sql<Omit<ClaimedDelivery, 'secrets'> & { candidates: number }>`
    with targets as materialized (
      select partner_id, url,
        case when failures >= ${failuresBeforePause} then 1 else ${attemptsPerTarget}::int end
          - (select count(*) from deliveries c
              where c.partner_id = t.partner_id and is_claimed and due_at > ${now}) as places
      from webhook_targets t where partner_id = any(${partnerIds})
    ),
    candidates as (
      select due.id, due.due_at,
        row_number() over (partition by targets.partner_id order by due.due_at, due.id) as turn
      from targets cross join lateral (
        select id, due_at from deliveries d
        where d.partner_id = targets.partner_id and state = 'waiting' and due_at <= ${now}
        order by due_at, id limit greatest(targets.places, 0)
      ) due
    ),
    claimed as (
      update deliveries d set
        is_claimed = true,
        attempts = attempts + 1,
        due_at = ${now} + make_interval(secs => ${claimSeconds}),
        first_tried_at = coalesce(first_tried_at, ${now})
      -- As an array, so that the index is used however small the statistics say the table is.
      where d.id = any(array(select id from candidates order by turn, due_at limit ${limit}))
      returning d.*
    ),
    logged as (
      insert into attempts (delivery_id, number, url, started_at)
      select id, attempts, url, ${now} from claimed join targets using (partner_id)
    )
    select (select count(*)::int from candidates) as candidates, c.id, c.partner_id as "partnerId", t.url, c.attempts as attempt, c.failures,
      count(*) over (partition by c.partner_id) = t.places as "isLast",
      extract(epoch from ${now} - c.waiting_since)::float8 as "waitedSeconds", c.first_tried_at as "firstTriedAt", ${now} as "triedAt",
      e.trace_parent as "traceParent", case when e.id is not null then json_build_object(
        'importId', i.id, 'linkVersion', i.link_version, 'family', i.family, 'status', e.status, 'items', e.items,
        'users', e.users, 'warnings', e.warnings, 'sequence', e.sequence, 'request', e.request) end as content
    from claimed c join targets t using (partner_id) left join events e on e.id = c.event_id left join imports i on i.id = e.import_id`.execute(
    tx,
  )
  return rows
}
