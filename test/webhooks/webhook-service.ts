import { sql } from 'kysely'
import { readConfig } from '../../service/src/config.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { openJobs } from '../../service/src/jobs.ts'
import type { MoveEvent } from '../../service/src/lifecycle.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { createPulse } from '../../service/src/pulse.ts'
import { type DeliveryParts, deliverDue, startDelivering } from '../../service/src/webhooks/deliver-webhooks.ts'
import { startTestService } from '../support/service.ts'

/** The service with deliveries under the test's control: it sends and moves time only when the test says so. */
export async function startWebhookService() {
  await using cleanup = new AsyncDisposableStack()
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  const service = await startTestService({ config: { rateLimit: 0, allowedNetworks } })
  cleanup.defer(service.close)
  const outbound = createOutbound(allowedNetworks)
  cleanup.defer(() => outbound.close())
  const { db, keyRing, links } = service
  const told: { level: string; message: string; details: object }[] = []
  const tell = (level: string) => (details: object, message: string) => void told.push({ level, message, details })
  let aheadMs = 0
  /** While set, the clock is stopped at this time. */
  let stillAt: string | null = null
  const now = () => (stillAt === null ? sql<Date>`now()` : sql<Date>`${stillAt}::timestamptz`)
  const parts: DeliveryParts = {
    db,
    keyRing,
    links,
    outbound,
    log: { info: tell('info'), warn: tell('warn') } as unknown as DeliveryParts['log'],
    clock: () => sql<Date>`${now()} + make_interval(secs => ${aheadMs / 1000})`,
    // Receivers here are fast, but the machine may be slow.
    limitMs: 120_000,
  }
  /** Delivers in rounds until nothing is due at this moment. Returns the number of attempts. */
  const deliverAll = async (): Promise<number> => {
    const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db)
    stillAt = String(rows[0]?.now)
    try {
      let tries = 0
      for (;;) {
        const round = await deliverDue(parts)
        if (round === 0) return tries
        tries += round
      }
    } finally {
      stillAt = null
    }
  }
  /** The time until the next delivery is due; null if none waits. */
  const findNext = async (): Promise<number | null> => {
    const { rows } = await sql<{ ms: number | null }>`
      select extract(epoch from min(greatest(due_at, paused_until)) - now())::float8 * 1000 as ms
      from deliveries join webhook_targets using (partner_id)
      where state = 'waiting' and disabled_at is null`.execute(db)
    return rows[0]?.ms ?? null
  }
  const running = cleanup.move()
  return {
    ...service,
    parts,
    /** The warnings in the log for the operator. */
    told,
    /** Returns to real time and ends waiting deliveries, so that one test does not affect the next. */
    async startAnew() {
      aheadMs = 0
      told.length = 0
      await db.updateTable('deliveries').set({ state: 'delivered' }).where('state', '=', 'waiting').execute()
    },
    pass(ms: number) {
      aheadMs += ms
    },
    async createPartnerWith(webhookUrl: string) {
      const partner = await service.createPartner({ webhookUrl })
      const createImport = async (body: object = {}): Promise<{ id: string; token: string }> => {
        const answer = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill', ...body })
        if (answer.status !== 201) throw new Error(`no import was made: ${answer.status} ${answer.text}`)
        return answer.json
      }
      /** Creates a few imports at a time, because more would only wait for each other. */
      const createImports = async (count: number) => {
        for (let left = count; left > 0; left -= 10) {
          await Promise.all(Array.from({ length: Math.min(left, 10) }, () => createImport()))
        }
      }
      return { ...partner, createImport, createImports }
    },
    move: (importId: string, event: MoveEvent) =>
      db.transaction().execute(async (tx) => {
        const status = await moveImport(tx, importId, event)
        if (!status) throw new Error(`${event} did not move ${importId}`)
        return status
      }),
    deliverAll,
    /** A worker as in production, with its own connections to the queue. */
    async startWorker(changed: Partial<DeliveryParts> = {}) {
      const pulse = createPulse()
      const boss = await openJobs(service.databaseUrl, parts.log, true, { pulse })
      const until = (ended: AbortSignal) => pulse.until('webhooks', ended)
      const worker = await startDelivering(boss, { ...parts, until, ...changed })
      return {
        async stop() {
          await worker.stop()
          await boss.stop({ graceful: false })
        },
      }
    },
    /** Lets this time pass, and delivers each message when it is due. */
    async live(ms: number): Promise<void> {
      const end = aheadMs + ms
      for (;;) {
        await deliverAll()
        const next = await findNext()
        if (next === null || next > end) break
        aheadMs = Math.max(aheadMs, next) + 1
      }
      aheadMs = Math.max(aheadMs, end)
    },
    delivery: (id: string) => db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    deliveriesOf: (partnerId: string) =>
      db.selectFrom('deliveries').selectAll().where('partner_id', '=', partnerId).orderBy('id').execute(),
    attemptsOf: (id: string) =>
      db.selectFrom('attempts').selectAll().where('delivery_id', '=', id).orderBy('number').execute(),
    targetOf: (partnerId: string) =>
      db.selectFrom('webhook_targets').selectAll().where('partner_id', '=', partnerId).executeTakeFirstOrThrow(),
    close: () => running.disposeAsync(),
  }
}

export type WebhookService = Awaited<ReturnType<typeof startWebhookService>>
