import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'

/** Every target with its health; never a secret. */
export async function listTargets(db: Db) {
  const { rows } = await sql<{
    partner_id: string
    name: string
    url: string
    health: 'ok' | 'failing' | 'paused' | 'disabled'
    failing_since: Date | null
    paused_until: Date | null
    waiting: number
    given_up: number
    secrets: number
  }>`
    select t.partner_id, p.name, t.url,
      case when t.disabled_at is not null then 'disabled' when t.paused_until > now() then 'paused'
        when t.failures > 0 then 'failing' else 'ok' end as health,
      t.failing_since, t.paused_until,
      (select count(*)::int from deliveries d where d.partner_id = p.id and d.state = 'waiting') as waiting,
      (select count(*)::int from deliveries d
        where d.partner_id = p.id and d.state = 'given_up' and d.event_id is not null) as given_up,
      (select count(*)::int from webhook_secrets s
        where s.partner_id = p.id and (s.expires_at is null or s.expires_at > now())) as secrets
    from webhook_targets t join partners p on p.id = t.partner_id
    order by t.partner_id`.execute(db)
  return rows
}

export interface LogFilter {
  partnerId: string | null
  importId: string | null
  /** Only deliveries that failed at least once and have not arrived. */
  onlyFailed: boolean
  since: Date | null
  limit: number
}

/** Deliveries, newest first, each with its last attempt. */
export async function listDeliveries(db: Db, filter: LogFilter) {
  return db
    .selectFrom('deliveries as d')
    .leftJoin('events as e', 'e.id', 'd.event_id')
    .leftJoin('attempts as a', (join) => join.onRef('a.delivery_id', '=', 'd.id').onRef('a.number', '=', 'd.attempts'))
    .select([
      'd.id',
      'd.partner_id',
      'e.import_id',
      'e.sequence',
      'e.status as import_status',
      'd.state',
      'd.attempts',
      'a.started_at as last_try_at',
      'a.status as answer',
      'a.error',
      'd.given_up_because',
    ])
    .select((eb) =>
      eb.case().when('d.state', '=', 'waiting').then(eb.ref('d.due_at')).else(null).end().as('next_try_at'),
    )
    .$if(filter.partnerId !== null, (query) => query.where('d.partner_id', '=', String(filter.partnerId)))
    .$if(filter.importId !== null, (query) => query.where('e.import_id', '=', String(filter.importId)))
    .$if(filter.since !== null, (query) => query.where('d.created_at', '>=', filter.since as Date))
    .$if(filter.onlyFailed, (query) =>
      query.where((eb) =>
        eb.or([eb('d.state', '=', 'given_up'), eb.and([eb('d.state', '=', 'waiting'), eb('d.failures', '>', 0)])]),
      ),
    )
    .orderBy('d.id', 'desc')
    .limit(filter.limit)
    .execute()
}

/** One delivery with all its attempts and the target's answers. */
export async function showDelivery(db: Db, id: string) {
  const delivery = await db
    .selectFrom('deliveries as d')
    .leftJoin('events as e', 'e.id', 'd.event_id')
    .select([
      'd.id',
      'd.partner_id',
      'e.import_id',
      'e.sequence',
      'e.status as import_status',
      'd.state',
      'd.created_at',
      'd.due_at',
      'd.settled_at',
      'd.given_up_because',
    ])
    .where('d.id', '=', id)
    .executeTakeFirst()
  if (!delivery) throw new OperatorError(`There is no message ${id}. "wherry webhook log" lists them.`)
  const tries = await db
    .selectFrom('attempts')
    .select(['number', 'url', 'started_at', 'ended_at', 'status', 'error', 'response'])
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute()
  return { ...delivery, tries }
}
