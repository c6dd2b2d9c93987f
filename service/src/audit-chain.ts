import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db/open-database.ts'
import { sortedJson } from './sorted-json.ts'

/** A line of the audit log with its place in the chain; the form in which it is exported. */
export interface AuditLine {
  seq: number
  /** In UTC, with microseconds: as exact as Postgres keeps it. */
  at: string
  actor: string
  act: string
  subject: string
  details: Record<string, unknown>
  previous_hash: string
  hash: string
}

/** The first line has no line before it. */
export const firstPreviousHash = '0'.repeat(64)
const linesAtOnce = 500
const lookEveryMs = 500

/** The time of a line as its hash has it. JavaScript's own dates would cut the microseconds. */
export const exactTime = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export function hashLine({ seq, at, actor, act, subject, details, previous_hash }: Omit<AuditLine, 'hash'>): string {
  const text = sortedJson({ seq, at, actor, act, subject, details, previous_hash })
  return createHash('sha256').update(text).digest('hex')
}

/** Gives committed lines their place in the chain; answers how many. 0 means none is left, or another process seals. */
export async function sealSome(db: Db, { waits = false }: { waits?: boolean } = {}): Promise<number> {
  // Most looks find nothing, and then take no lock.
  const isOpen = await db.selectFrom('audit_log').select('id').where('seq', 'is', null).limit(1).executeTakeFirst()
  if (!isOpen) return 0
  return db.transaction().execute(async (tx) => {
    const head = await tx
      .selectFrom('audit_head')
      .select(['seq', 'hash'])
      .forUpdate()
      .$if(!waits, (query) => query.skipLocked())
      .executeTakeFirst()
    if (!head) return 0
    // The planner expects few open lines, and would sort all of them for each lot of a long backlog.
    await sql`select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(
      tx,
    )
    const lines = await tx
      .selectFrom('audit_log')
      .select(['id', exactTime.as('at'), 'actor', 'act', 'subject', 'details'])
      .where('seq', 'is', null)
      .orderBy('id')
      .limit(linesAtOnce)
      .execute()
    if (lines.length === 0) return 0
    let seq = Number(head.seq)
    let previous_hash = head.hash
    const sealed = lines.map(({ id, ...line }) => {
      seq += 1
      const place = { id, seq, previous_hash, hash: hashLine({ ...line, seq, previous_hash }) }
      previous_hash = place.hash
      return place
    })
    await sql`
      update audit_log l set seq = s.seq, previous_hash = s.previous_hash, hash = s.hash
      from unnest(${columnOf(sealed, 'id')}::bigint[], ${columnOf(sealed, 'seq')}::bigint[],
        ${columnOf(sealed, 'previous_hash')}::text[], ${columnOf(sealed, 'hash')}::text[])
        as s (id, seq, previous_hash, hash)
      where l.id = s.id`.execute(tx)
    await tx
      .updateTable('audit_head')
      .set({ seq: String(seq), hash: previous_hash })
      .execute()
    return sealed.length
  })
}

const columnOf = <T, K extends keyof T>(rows: T[], name: K): RawBuilder<T[K][]> => sql`${rows.map((row) => row[name])}`

/** Seals every line that is committed by now. */
export async function sealAll(db: Db): Promise<void> {
  while ((await sealSome(db, { waits: true })) > 0);
}

const aWhile = (signal: AbortSignal) => sleep(lookEveryMs, undefined, { signal }).catch(() => {})

/** Seals lines soon after their acts. Every process does so; one at a time finds work. */
export function startSealing(
  db: Db,
  log: { warn(details: object, message: string): void },
  /** Resolves when there may be work. */
  until: (signal: AbortSignal) => Promise<void> = aWhile,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const work = async () => {
    let isTold = false
    while (!signal.aborted) {
      try {
        if ((await sealSome(db)) > 0) continue
        isTold = false
      } catch (error) {
        // Once per outage: the lines wait in the table, and the next look seals them.
        if (!isTold) log.warn({ err: error }, 'the audit log could not be sealed')
        isTold = true
      }
      await until(signal)
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
