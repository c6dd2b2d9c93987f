import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/db/open-database.ts'
import { newId } from '../src/ids.ts'
import type { KeyRing } from '../src/key-ring.ts'
import { recordEvent } from '../src/webhooks/record-event.ts'
import { secretPlace } from '../src/webhooks/signing-secrets.ts'
import { type Child, startChild } from './run-child.ts'
import type { Counted, ServeEndpoints } from './serve-endpoints.ts'

export interface Rate {
  targets: number
  messages: number
  perSecond: number
  /** Of the worker's process alone, for each message. */
  workerCpuUs: number
}

const endpoints = 10
const eventsAtOnce = 50
const recorders = 2
const longestMs = 300_000

/**
 * Answers a measurement: how many messages a second reach healthy targets, from the first commit to the last arrival.
 */
export async function prepareRate(
  { db, keyRing, worker }: { db: Db; keyRing: KeyRing; worker: Child },
  { targets, messages }: { targets: number; messages: number },
  cleanup: AsyncDisposableStack,
): Promise<() => Promise<Rate>> {
  const serving = startChild(cleanup, 'serve-endpoints.ts')
  const origins = await serving.ask<string[]>({ start: endpoints } satisfies ServeEndpoints)
  const senders = await insertTargets(db, keyRing, origins, targets)
  const count = () => serving.ask<Counted>({ count: true } satisfies ServeEndpoints)
  return async () => {
    const before = await count()
    const usedBefore = await worker.usedCpuMs()
    const startedAt = performance.timeOrigin + performance.now()
    await recordAll(db, senders, messages)
    for (const limit = performance.now() + longestMs; ; await sleep(100)) {
      const now = await count()
      const arrived = now.messages - before.messages
      if (arrived >= messages) {
        const workerCpuUs = ((await worker.usedCpuMs()) - usedBefore) * (1000 / messages)
        return { targets, messages, perSecond: messages / ((now.lastAt - startedAt) / 1000), workerCpuUs }
      }
      if (performance.now() > limit) throw new Error(`${arrived} of ${messages} messages arrived in five minutes`)
    }
  }
}

/** Several connections and several events per transaction, so that recording does not limit the rate. */
async function recordAll(db: Db, senders: Sender[], messages: number): Promise<void> {
  let next = 0
  const record = async () => {
    while (next < messages) {
      const from = next
      next = Math.min(messages, next + eventsAtOnce)
      const until = next
      await db.transaction().execute(async (tx) => {
        for (let index = from; index < until; index += 1) {
          const sender = senders[index % senders.length]
          if (!sender) continue
          sender.sequence += 1
          await recordEvent(tx, {
            id: sender.importId,
            partner_id: sender.partnerId,
            sequence: sender.sequence,
            status: 'collecting_credentials',
            items: {},
            users: { source_tool: 0, destination_tool: 0, matched: 0 },
          })
        }
      })
    }
  }
  await Promise.all(Array.from({ length: recorders }, record))
}

interface Sender {
  partnerId: string
  importId: string
  sequence: number
}

/** Partners with a target, a secret and an import each. */
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
