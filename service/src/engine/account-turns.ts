import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SideRecords } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { RetryableError } from '../errors.ts'
import { type SendTrack, trackSends } from '../outbound/track-sends.ts'

/** Two requests, each with its longest time, and some time between. */
const turnMs = 150_000
/** A request whose connection broke may still be carried out for this long. */
const lateMs = 60_000
/** A worker waits no longer than this. After that it leaves the run, and a worker takes the run up later. */
const longestWaitMs = 5_000
const lookMs = 100

/**
 * Changes of an account, one at a time over all imports and processes. After a request without an answer, nobody has
 * the turn until that request cannot take effect any more.
 */
export function openTurns(db: Db, account: string): NonNullable<SideRecords['inTurn']> {
  return async (name, act) => {
    const holder = randomUUID()
    await takeTurn(db, account, name, holder)
    const end = (ms: number) =>
      sql`update account_turns set expires_at = clock_timestamp() + ${ms} * interval '1 ms'
        where account = ${account} and name = ${name} and holder = ${holder}`.execute(db)
    const track: SendTrack = { mayBeSent: false }
    try {
      const done = await trackSends(track, act)
      await end(0)
      return done
    } catch (error) {
      await end(track.mayBeSent ? lateMs : 0)
      throw error
    }
  }
}

async function takeTurn(db: Db, account: string, name: string, holder: string): Promise<void> {
  const until = performance.now() + longestWaitMs
  for (;;) {
    const taken = await sql`
      insert into account_turns as t (account, name, holder, expires_at)
      values (${account}, ${name}, ${holder}, clock_timestamp() + ${turnMs} * interval '1 ms')
      on conflict (account, name) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where t.expires_at <= clock_timestamp()
      returning holder`.execute(db)
    if (taken.rows.length > 0) break
    if (performance.now() > until) {
      const { rows } = await sql<{ left_ms: number }>`
        select extract(epoch from expires_at - clock_timestamp())::float * 1000 as left_ms
        from account_turns where account = ${account} and name = ${name}`.execute(db)
      const retryAfterMs = Math.max(lookMs, Math.min(rows[0]?.left_ms ?? 0, lateMs))
      throw new RetryableError('an earlier change of choices may still take effect', { retryAfterMs, isForAll: true })
    }
    await sleep(lookMs)
  }
  await sql`delete from account_turns where expires_at < clock_timestamp() - interval '1 hour'`.execute(db)
}
