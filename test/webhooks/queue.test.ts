import { join } from 'node:path'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { openJobs } from '../../service/src/jobs.ts'
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

test('the job of a delivery commits with the move, or not at all', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const { id } = await partner.createImport()
  expect((await findJobs()).map(({ data }) => data)).toEqual([{ partnerId: partner.id }])
  const undone = service.db.transaction().execute(async (tx) => {
    await moveImport(tx, id, 'both accounts authorized')
    throw new Error('something else failed')
  })
  await expect(undone).rejects.toThrow('something else failed')
  expect(await findJobs()).toHaveLength(1)
  await service.move(id, 'both accounts authorized')
  expect(await findJobs()).toHaveLength(2)
  const silent = await service.createPartner({})
  const answer = await silent.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
  expect(answer.status).toBe(201)
  // Without a target no delivery is made.
  expect(await findJobs()).toHaveLength(2)
})

test('a failed attempt and a pause each have a job for the next attempt', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => 500)
  const worker = await service.startWorker()
  try {
    await partner.createImport()
    for (let tries = 1; tries <= 6; tries += 1) {
      await vi.waitFor(() => expect(receiver.received).toHaveLength(tries), { timeout: 300_000 })
      await vi.waitFor(
        async () => expect(await service.deliveriesOf(partner.id)).toMatchObject([{ failures: tries }]),
        { timeout: 300_000 },
      )
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
