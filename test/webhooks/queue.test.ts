import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { openJobs, workWoken } from '../../service/src/jobs.ts'
import { warningOrder } from '../../service/src/warnings/order.ts'
import { claimDeliveries, findDueTargets } from '../../service/src/webhooks/claim-deliveries.ts'
import { databaseClock } from '../../service/src/webhooks/clock.ts'
import { settleSuccesses } from '../../service/src/webhooks/settle-successes.ts'
import { deliveryChannel } from '../../service/src/webhooks/wake-target.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'

const queue = 'webhook-deliveries'
let service: WebhookService
let boss: PgBoss
let receiver: Receiver
beforeAll(async () => {
  service = await startWebhookService()
  boss = await openJobs(service.databaseUrl, service.parts.log, false)
})
afterAll(async () => {
  await boss.stop({ graceful: false })
  await service.close()
})
beforeEach(async () => {
  await service.startAnew()
  await boss.deleteAllJobs(queue)
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const findJobs = async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select * from pgboss.job where name = ${queue} order by created_on`.execute(service.db)
  return rows
}

/** Makes all later deliveries and their jobs due now. */
async function hurry(): Promise<void> {
  await sql`update webhook_targets set paused_until = now() where paused_until is not null`.execute(service.db)
  await sql`update deliveries set due_at = now() where state = 'waiting'`.execute(service.db)
  await sql`update pgboss.job set start_after = now() where name = ${queue} and state = 'created'`.execute(service.db)
}

test('send_job inserts the same job as pg-boss', async () => {
  await sql`select send_job(${queue}, '{"partnerId": "prt_1"}')`.execute(service.db)
  await boss.send(queue, { partnerId: 'prt_1' })
  const [ours, theirs] = (await findJobs()).map(({ id, created_on, start_after, keep_until, ...rest }) => ({
    ...rest,
    keptForMs: Number(keep_until) - Number(start_after),
  }))
  expect(ours).toEqual(theirs)
  expect(ours).toMatchObject({ state: 'created', data: { partnerId: 'prt_1' } })
  await expect(sql`select send_job('nowhere', '{}')`.execute(service.db)).rejects.toThrow('there is no queue nowhere')
})

test('the commit of a move names the target to the workers, without a job; a failed move names none', async () => {
  const listener = new pg.Client({ connectionString: service.databaseUrl })
  await listener.connect()
  try {
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await listener.query(`listen ${deliveryChannel}`)
    const partner = await service.createPartnerWith(receiver.url)
    const { id } = await partner.createImport()
    const undone = service.db.transaction().execute(async (tx) => {
      await moveImport(tx, id, 'both accounts authorized')
      throw new Error('something else failed')
    })
    await expect(undone).rejects.toThrow('something else failed')
    const silent = await service.createPartner({})
    // Without a target, no delivery is created.
    const answer = await silent.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    expect(answer.status).toBe(201)
    await service.move(id, 'both accounts authorized')
    await sql`select pg_notify(${deliveryChannel}, 'the end')`.execute(service.db)
    await vi.waitFor(() => expect(heard).toContain('the end'), { timeout: 300_000 })
    expect(heard).toEqual([partner.id, partner.id, 'the end'])
    expect(await findJobs()).toEqual([])
  } finally {
    await listener.end()
  }
})

test('a worker sends a message although its notification was lost', async () => {
  const worker = await service.startWorker()
  try {
    const partner = await service.createPartnerWith(receiver.url)
    await partner.createImport()
    await vi.waitFor(
      async () => expect(await service.deliveriesOf(partner.id)).toMatchObject([{ state: 'delivered' }]),
      { timeout: 300_000 },
    )
    await sql`update deliveries set state = 'waiting', due_at = now() where partner_id = ${partner.id}`.execute(
      service.db,
    )
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), { timeout: 300_000 })
  } finally {
    await worker.stop()
  }
})

test('due targets are those with a due delivery that are neither paused nor disabled', async () => {
  const due = await service.createPartnerWith(receiver.url)
  const later = await service.createPartnerWith(receiver.url)
  const paused = await service.createPartnerWith(receiver.url)
  const disabled = await service.createPartnerWith(receiver.url)
  const idle = await service.createPartnerWith(receiver.url)
  for (const partner of [due, later, paused, disabled]) await partner.createImports(2)
  await sql`update deliveries set due_at = now() + interval '1 hour' where partner_id = ${later.id}`.execute(service.db)
  await sql`update webhook_targets set paused_until = now() + interval '1 hour' where partner_id = ${paused.id}`.execute(
    service.db,
  )
  await sql`update webhook_targets set disabled_at = now() where partner_id = ${disabled.id}`.execute(service.db)
  expect(await findDueTargets(service.db, databaseClock)).toEqual([due.id])
  const inTwoHours = () => sql<Date>`now() + interval '2 hours'`
  expect((await findDueTargets(service.db, inTwoHours)).sort()).toEqual([due.id, later.id, paused.id].sort())
  expect(await findDueTargets(service.db, inTwoHours)).not.toContain(idle.id)
})

test('a target that another worker holds is left to that worker, and delays no other target', async () => {
  const held = await service.createPartnerWith(receiver.url)
  const free = await service.createPartnerWith(receiver.url)
  for (const partner of [held, free]) await partner.createImport()
  await service.db.transaction().execute(async (tx) => {
    await sql`select from webhook_targets where partner_id = ${held.id} for update`.execute(tx)
    const { claimed } = await claimDeliveries(service.db, databaseClock, 10, [held.id, free.id])
    expect(claimed.map(({ partnerId }) => partnerId)).toEqual([free.id])
  })
  const { claimed } = await claimDeliveries(service.db, databaseClock, 10, [held.id, free.id])
  expect(claimed.map(({ partnerId }) => partnerId)).toEqual([held.id])
})

test('only a claim of the last place makes a worker look again when an attempt ends', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImports(10)
  const claim = async (limit: number) => (await claimDeliveries(service.db, databaseClock, limit, [partner.id])).claimed
  expect((await claim(5)).map(({ isLast }) => isLast)).toEqual(Array.from({ length: 5 }, () => false))
  expect((await claim(5)).map(({ isLast }) => isLast)).toEqual(Array.from({ length: 3 }, () => true))
  expect(await claim(5)).toEqual([])
})

test('a failed attempt and a pause each have a job for the next attempt', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  // However slow the machine is, no attempt is due before the test says so.
  receiver.answerWith((_message, response) => {
    response.writeHead(500, { 'retry-after': '3600' }).end()
    return undefined
  })
  const worker = await service.startWorker()
  try {
    let known = new Set<unknown>()
    await partner.createImport()
    for (let tries = 1; tries <= 6; tries += 1) {
      await vi.waitFor(() => expect(receiver.received).toHaveLength(tries), { timeout: 300_000 })
      await vi.waitFor(
        async () => expect(await service.deliveriesOf(partner.id)).toMatchObject([{ failures: tries }]),
        { timeout: 300_000 },
      )
      const jobs = await findJobs()
      const isLater = ({ start_after, created_on }: Record<string, unknown>) => Number(start_after) > Number(created_on)
      const added = jobs.filter((job) => !known.has(job.id) && isLater(job))
      expect(added).toHaveLength(tries < 5 ? 1 : 2)
      known = new Set(jobs.map(({ id }) => id))
      if (tries === 6) receiver.answerWith(() => 200)
      await hurry()
    }
    await vi.waitFor(
      async () => expect(await service.deliveriesOf(partner.id)).toMatchObject([{ state: 'delivered' }]),
      { timeout: 300_000 },
    )
    expect(service.told.map(({ message }) => message)).toContain('a webhook target is back')
  } finally {
    await worker.stop()
  }
})

test('another worker sends the deliveries of a killed worker when their claim has ended', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => undefined)
  await partner.createImport()
  const program = [join(import.meta.dirname, 'crash-worker.ts'), 'deliver', service.databaseUrl, testKeys, '']
  const doomed = startProgram(process.execPath, program, { env: { PATH: process.env.PATH } })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 300_000 })
  const worker = await service.startWorker()
  try {
    doomed.child.kill('SIGKILL')
    await doomed.finished
    receiver.answerWith(() => 200)
    await hurry()
    await vi.waitFor(
      async () => expect(await service.deliveriesOf(partner.id)).toMatchObject([{ state: 'delivered', attempts: 2 }]),
      { timeout: 300_000 },
    )
  } finally {
    await worker.stop()
  }
})

test('the job of a killed worker goes to another worker', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImport()
  await sql`select send_job(${queue}, ${JSON.stringify({ partnerId: partner.id })})`.execute(service.db)
  // A worker took the job and died.
  expect(await boss.fetch(queue, { batchSize: 10 })).toHaveLength(1)
  const worker = await service.startWorker()
  try {
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 300_000 })
    await vi.waitFor(
      async () => expect((await findJobs()).filter(({ state }) => state === 'active' || state === 'retry')).toEqual([]),
      { timeout: 300_000 },
    )
  } finally {
    await worker.stop()
  }
  expect(receiver.received).toHaveLength(1)
})

test('a job for now wakes the workers if pg-boss listens, and a job for later does not', async () => {
  const listener = new pg.Client({ connectionString: service.databaseUrl })
  await listener.connect()
  try {
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    const channel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`
    await listener.query(`listen ${channel}`)
    await sql`select send_job(${queue}, '{}', now() + interval '1 hour')`.execute(service.db)
    await sql`select send_job(${queue}, '{}')`.execute(service.db)
    // pg-boss' own notifications use the same channel.
    await boss.createQueue('told', { notify: true })
    await boss.send('told', {})
    await vi.waitFor(() => expect(heard).toEqual([queue, 'told']), { timeout: 300_000 })
  } finally {
    await listener.end()
    await boss.deleteQueue('told')
  }
})

test('one look names the queues with due jobs, and no queue with only later jobs', async () => {
  const look = async () => {
    const { rows } = await sql<{ work: string }>`select work from waiting_work() work`.execute(service.db)
    return rows.map(({ work }) => work)
  }
  await sql`select send_job(${queue}, '{}', now() + interval '1 hour')`.execute(service.db)
  expect(await look()).not.toContain(`queue ${queue}`)
  await hurry()
  expect(await look()).toContain(`queue ${queue}`)
  await boss.deleteAllJobs(queue)
  expect(await look()).not.toContain(`queue ${queue}`)
})

test('the look wakes a worker for a job without a notification', async () => {
  const watched = await openJobs(service.databaseUrl, service.parts.log, true)
  const wakes = vi.spyOn(watched, 'notifyWorker')
  const wakesBefore: number[] = []
  await watched.createQueue('untold')
  try {
    await workWoken(watched, 'untold', {}, async () => void wakesBefore.push(wakes.mock.calls.length))
    // The queue does not notify. Without the look, the worker would fetch the job only after a minute.
    await boss.send('untold', {}, { startAfter: 1 })
    await vi.waitFor(() => expect(wakesBefore).toHaveLength(1), { timeout: 300_000 })
    expect(wakesBefore[0]).toBeGreaterThan(0)
  } finally {
    await watched.stop({ graceful: false })
    await boss.deleteQueue('untold')
  }
})

test('an event lists its warnings in the order of the API', async () => {
  const { rows } = await sql<{ source: string }>`
    select prosrc as source from pg_proc where proname = 'record_change'`.execute(service.db)
  expect(rows[0]?.source).toContain(`order by ${warningOrder}`)
})

test('successes are recorded together, except at a target that was failing', async () => {
  const healthy = await service.createPartnerWith(receiver.url)
  const failing = await service.createPartnerWith(receiver.url)
  await healthy.createImports(3)
  await failing.createImport()
  await sql`update webhook_targets set failures = 2 where partner_id = ${failing.id}`.execute(service.db)
  const { claimed } = await claimDeliveries(service.db, databaseClock, 10, [healthy.id, failing.id])
  expect(claimed).toHaveLength(4)
  const successes = claimed.map((delivery) => ({ delivery, status: 200, response: 'thanks' }))
  const settled = await settleSuccesses(service.db, databaseClock, successes)
  const ids = (partnerId: string) => claimed.filter((one) => one.partnerId === partnerId).map(({ id }) => id)
  expect([...settled].sort()).toEqual(ids(healthy.id).sort())
  for (const delivery of await service.deliveriesOf(healthy.id)) expect(delivery).toMatchObject({ state: 'delivered' })
  expect(await service.deliveriesOf(failing.id)).toMatchObject([{ state: 'waiting' }])
  const { rows } = await sql`
    select status, response from attempts where delivery_id = any(${ids(healthy.id)}) and ended_at is not null`.execute(
    service.db,
  )
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ status: 200, response: 'thanks' })))
})
