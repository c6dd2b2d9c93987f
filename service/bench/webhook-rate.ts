import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/db/open-database.ts'
import { newId } from '../src/ids.ts'
import type { KeyRing } from '../src/key-ring.ts'
import { secretPlace } from '../src/webhooks/signing-secrets.ts'
import { readServerCpuMs } from './database-sizes.ts'
import { type Child, startChild } from './run-child.ts'
import type { SendRaw } from './send-raw.ts'
import type { Counted, ServeEndpoints } from './serve-endpoints.ts'

/** The result of one way to send all messages. */
export interface Rate {
  perSecond: number
  /** Processor time of the sending process per message. */
  processCpuUs: number
  /** Processor time of all Postgres processes per message. Null if the system does not report it. */
  postgresCpuUs: number | null
}

const endpoints = 10
const eventsAtOnce = 50
const recorders = 2
const longestMs = 300_000

interface RateParts {
  databaseUrl: string
  db: Db
  keyRing: KeyRing
  worker: Child
}

/**
 * Prepares two measurements with healthy targets. `measure` measures our worker, from the first commit to the last
 * arrival, including the recording of events. `measureRaw` measures the baseline, which records no events.
 */
export async function prepareRate(
  { databaseUrl, db, keyRing, worker }: RateParts,
  { targets, messages }: { targets: number; messages: number },
  cleanup: AsyncDisposableStack,
) {
  const serving = startChild(cleanup, 'serve-endpoints.ts')
  const origins = await serving.ask<string[]>({ start: endpoints } satisfies ServeEndpoints)
  const senders = await insertTargets(db, keyRing, origins, targets)
  const raw = startChild(cleanup, 'send-raw.ts')
  const urls = origins.map((origin) => `${origin}/hooks/raw`)
  await raw.ask({ prepare: { databaseUrl, urls, messages } } satisfies SendRaw)
  const count = () => serving.ask<Counted>({ count: true } satisfies ServeEndpoints)
  const watch = async (child: Child, send: () => Promise<number>): Promise<Rate> => {
    const usedBefore = await child.usedCpuMs()
    const serverBefore = await readServerCpuMs(databaseUrl)
    const seconds = await send()
    const serverAfter = await readServerCpuMs(databaseUrl)
    const perMessage = (ms: number) => (ms * 1000) / messages
    return {
      perSecond: messages / seconds,
      processCpuUs: perMessage((await child.usedCpuMs()) - usedBefore),
      postgresCpuUs: serverBefore === null || serverAfter === null ? null : perMessage(serverAfter - serverBefore),
    }
  }
  let rounds = 0
  return {
    measureRaw: () => {
      rounds += 1
      return watch(raw, () => raw.ask<number>({ send: `raw_${rounds}` } satisfies SendRaw))
    },
    measure: () =>
      watch(worker, async () => {
        const before = await count()
        const startedAt = performance.timeOrigin + performance.now()
        await recordAll(db, senders, messages)
        for (const limit = performance.now() + longestMs; ; await sleep(100)) {
          const now = await count()
          const arrived = now.messages - before.messages
          // Waits until the last outcomes are stored, because their cost belongs to the messages.
          if (arrived >= messages && !(await hasWaiting(db))) return (now.lastAt - startedAt) / 1000
          if (performance.now() > limit) throw new Error(`${arrived} of ${messages} messages arrived in five minutes`)
        }
      }),
  }
}

async function hasWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`select from deliveries where state = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Records events with several connections and several events per statement, so that recording does not limit the rate.
 */
async function recordAll(db: Db, senders: Sender[], messages: number): Promise<void> {
  let next = 0
  const users = JSON.stringify({ source_tool: 0, destination_tool: 0, matched: 0 })
  const record = async () => {
    while (next < messages) {
      const from = next
      next = Math.min(messages, next + eventsAtOnce)
      const some = Array.from({ length: next - from }, (_, index) => senders[(from + index) % senders.length]).filter(
        (sender) => sender !== undefined,
      )
      for (const sender of some) sender.sequence += 1
      await sql`select record_change(id, partner_id, import_id, sequence, 'collecting_credentials', '{}', ${users}, null, null, 100)
        from unnest(${some.map(() => newId('evt'))}::text[], ${some.map(({ partnerId }) => partnerId)}::text[],
          ${some.map(({ importId }) => importId)}::text[], ${some.map(({ sequence }) => sequence)}::int[])
          e (id, partner_id, import_id, sequence)`.execute(db)
    }
  }
  await Promise.all(Array.from({ length: recorders }, record))
}

interface Sender {
  partnerId: string
  importId: string
  sequence: number
}

/** Inserts partners, each with a target, a secret and an import. */
async function insertTargets(db: Db, keyRing: KeyRing, origins: string[], targets: number): Promise<Sender[]> {
  const senders: Sender[] = []
  for (let from = 0; from < targets; from += 1_000) {
    const some = Array.from({ length: Math.min(1_000, targets - from) }, (_, index) => {
      const secretId = newId('whs')
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      return {
        partnerId: newId('prt'),
        importId: newId('imp'),
        url: `${origins[index % origins.length]}/hooks/${from + index}`,
        secretId,
        sealed: keyRing.seal(secret, secretPlace(secretId)),
      }
    })
    const ids = some.map(({ partnerId }) => partnerId)
    await sql`insert into partners (id, name, destination_tool, families)
      select id, 'Partner ' || id, 'open', '{helpdesk}' from unnest(${ids}::text[]) id`.execute(db)
    await sql`insert into webhook_targets (partner_id, url)
      select * from unnest(${ids}::text[], ${some.map(({ url }) => url)}::text[])`.execute(db)
    await sql`insert into webhook_secrets (id, partner_id, sealed_secret)
      select * from unnest(${some.map(({ secretId }) => secretId)}::text[], ${ids}::text[],
        ${some.map(({ sealed }) => sealed)}::bytea[])`.execute(db)
    await sql`insert into imports (id, partner_id, source_tool, destination_tool, family, sponsorship, status, sequence)
      select id, partner_id, 'fernhill', 'open', 'helpdesk', 'undecided', 'collecting_credentials', 1
      from unnest(${some.map(({ importId }) => importId)}::text[], ${ids}::text[]) i (id, partner_id)`.execute(db)
    senders.push(...some.map(({ partnerId, importId }) => ({ partnerId, importId, sequence: 1 })))
  }
  await sql`analyze partners, imports, webhook_targets, webhook_secrets`.execute(db)
  return senders
}
