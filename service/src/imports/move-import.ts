import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { type ImportStatus, type Move, type MoveCondition, type MoveEvent, moves } from '../lifecycle.ts'
import { recordEvent } from '../webhooks/record-event.ts'

const isPaid = sql<boolean>`(paid_at is not null or (start_full and sponsorship = 'accepted'))`
/** A sample that was undone does not count. Old events may be deleted; runs stay. */
const hasSample = sql<boolean>`coalesce(
  (select status from events e where e.import_id = imports.id
    and e.status in ('sample_migration_completed', 'migration_cleaned') order by sequence desc limit 1)
    = 'sample_migration_completed',
  (select kind from runs r where r.import_id = imports.id
    and kind in ('sample', 'undo') and state = 'finished' order by id desc limit 1) = 'sample',
  false)`

const conditions: Record<MoveCondition, RawBuilder<boolean>> = {
  // If the partner withdraws before the start, the import is like any other.
  'sample first': sql`not (start_full and sponsorship = 'accepted')`,
  start_full: sql`(start_full and sponsorship = 'accepted')`,
  'sponsorship accepted': sql`sponsorship = 'accepted'`,
  'sponsorship accepted or paid': sql`(sponsorship = 'accepted' or paid_at is not null)`,
  paid: isPaid,
  'not paid': sql`not ${isPaid}`,
  'not paid, with a sample': sql`(not ${isPaid} and ${hasSample})`,
  'not paid, without a sample': sql`(not ${isPaid} and not ${hasSample})`,
}

/** The moment of a completion plus the partner's days; null in every other status, whose run needs the data. */
const dueAfter = (status: RawBuilder<unknown>, days: 'undo_days' | 'ledger_days') => sql`case
  when ${status} in ('migration_completed', 'migration_cleaned')
  then now() + make_interval(days => (select ${sql.ref(days)} from partners where partners.id = imports.partner_id))
  else null end`

/**
 * Makes the move that `event` causes, and records it, in the caller's transaction. Answers the new status, or null if
 * the table has no such move from the present status: another transaction moved first, or the import has ended.
 */
export async function moveImport(tx: Tx, importId: string, event: MoveEvent): Promise<ImportStatus | null> {
  const candidates: Move[] = moves.filter((move) => move.event === event)
  const holds = ({ from, when }: Move) =>
    when ? sql`(status = ${from} and ${conditions[when]})` : sql`(status = ${from})`
  const newStatus = sql`case ${sql.join(
    candidates.map((move) => sql`when ${holds(move)} then ${move.to}`),
    sql` `,
  )} end`
  const { rows } = await sql<Parameters<typeof recordEvent>[1]>`
    update imports set
      status = ${newStatus},
      sequence = sequence + 1,
      full_started_at = case when ${newStatus} = 'migration_in_progress'
        then coalesce(full_started_at, now()) else full_started_at end,
      undo_until = ${dueAfter(newStatus, 'undo_days')},
      credentials_due_at = ${dueAfter(newStatus, 'undo_days')},
      texts_due_at = ${dueAfter(newStatus, 'ledger_days')}
    where id = ${importId} and ended_at is null and (${sql.join(candidates.map(holds), sql` or `)})
    returning id, partner_id, sequence, status, items, users`.execute(tx)
  const moved = rows[0]
  if (!moved) return null
  await recordEvent(tx, moved)
  return moved.status
}
