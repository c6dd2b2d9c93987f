import { type Selectable, sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Database } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { currentTrace } from '../signals/trace.ts'
import { warningOrder } from '../warnings/order.ts'
import { wakeCall } from './wake-target.ts'

type ChangedImport = Pick<
  Selectable<Database['imports']>,
  'id' | 'partner_id' | 'sequence' | 'status' | 'items' | 'users'
>

const maxWarnings = 100

/**
 * Records a change of an import and queues its delivery, in the transaction of the change, so that change, event and
 * delivery exist together or not at all. For a disabled target the delivery is kept for a replay.
 */
export async function recordEvent(tx: Tx, imp: ChangedImport, request: 'sponsorship' | null = null): Promise<void> {
  const step = sql`${currentTrace()}::text`
  await sql`
    with event as (
      insert into events (id, partner_id, import_id, sequence, status, items, users, warnings, request, trace_parent)
      values (
        ${newId('evt')}, ${imp.partner_id}, ${imp.id}, ${imp.sequence}, ${imp.status},
        ${JSON.stringify(imp.items)}, ${JSON.stringify(imp.users)},
        (select coalesce(jsonb_agg(jsonb_build_object(
            'code', w.code, 'message', w.message, 'entity', w.entity, 'count', w.count)), '[]')
          from (select * from warnings where import_id = ${imp.id} order by ${sql.raw(warningOrder)} limit ${maxWarnings}) w),
        ${request},
        -- The step at work, if it belongs to the import's own trace; the trace's id is in the first 35 characters.
        (select case when trace_parent is null or left(trace_parent, 35) = left(${step}, 35)
            then coalesce(${step}, trace_parent) else trace_parent end from imports where id = ${imp.id})
      )
      returning id, partner_id
    ),
    delivery as (
      insert into deliveries (id, event_id, partner_id, state, settled_at, given_up_because)
      select event.id, event.id, event.partner_id,
        case when disabled_at is null then 'waiting' else 'given_up' end,
        case when disabled_at is not null then now() end,
        case when disabled_at is not null then 'the target is disabled' end
      from event join webhook_targets using (partner_id)
      returning partner_id, state
    )
    select ${wakeCall(sql`partner_id`)} from delivery where state = 'waiting'`.execute(tx)
}
