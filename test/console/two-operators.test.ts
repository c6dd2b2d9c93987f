import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../service/src/ids.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { type Browser, setUpOperator } from './console-client.ts'

const patient = { timeout: 300_000, interval: 50 }
const stuck = { code: 'source_page_failing', must_act: 'customer', message: 'x', role: 'source', can_skip: true }
const held = { code: 'authorization_lost', must_act: 'customer', message: 'x' }

let service: TestService
let partner: TestPartner
let ana: Browser
let ben: Browser
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
  ana = (await setUpOperator(service, 'Ana', 'owner')).browser
  ben = (await setUpOperator(service, 'Ben', 'support')).browser
})
afterAll(() => service.close())

/** An import with a run that moves records, or only reads. */
async function createRun(values: { state?: string; obstacle?: object; kind?: string; failures?: number } = {}) {
  const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
  const { kind = 'sample', state = 'working', obstacle = null, failures = 0 } = values
  await service.db.transaction().execute(async (tx) => {
    await moveImport(tx, json.id, 'both accounts authorized')
    await moveImport(tx, json.id, 'customer starts the sample')
    if (kind === 'undo') await moveImport(tx, json.id, 'customer stops and undoes')
  })
  const runId = newId('run')
  await service.db
    .insertInto('runs')
    .values({
      ...{ id: runId, import_id: json.id, kind, state, failures },
      obstacle: obstacle === null ? null : JSON.stringify(obstacle),
    } as never)
    .execute()
  return { importId: json.id as string, runId }
}

/** Sends both requests while the import is locked, so that both have passed every check that takes no lock. */
async function atOnce(importId: string, one: () => Promise<Answer>, two: () => Promise<Answer>): Promise<Answer[]> {
  const begun = await service.db.transaction().execute(async (tx) => {
    await tx.selectFrom('imports').select('id').where('id', '=', importId).forUpdate().execute()
    const answers = [one(), two()]
    await vi.waitUntil(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
      return rows.length >= 2
    }, patient)
    return { answers }
  })
  return Promise.all(begun.answers)
}

type Answer = Awaited<ReturnType<Browser['ask']>>
const countActs = async (importId: string, act: string) =>
  (
    await service.db
      .selectFrom('audit_log')
      .select('id')
      .where('subject', '=', importId)
      .where('act', '=', act)
      .execute()
  ).length

describe('two operators at once', () => {
  test.each([
    ['pause', 'run paused', {}],
    ['resume', 'run resumed', { state: 'paused', obstacle: held }],
    ['skip', 'skip asked for', { obstacle: stuck, failures: 9 }],
    ['stop', 'run stopped', {}],
  ])('when two operators %s a run, one succeeds and the other gets a conflict', async (verb, act, values) => {
    const { importId, runId } = await createRun(values)
    const path = `/runs/${runId}/${verb}`
    const answers = await atOnce(
      importId,
      () => ana.ask('POST', path, {}),
      () => ben.ask('POST', path, {}),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.body).toEqual({ error: 'conflict', message: expect.stringContaining(runId) })
    expect(await countActs(importId, act)).toBe(1)
  })

  test('when one operator cancels and another archives an import, the second is told how it ended', async () => {
    const { importId } = await createRun()
    const answers = await atOnce(
      importId,
      () => ana.ask('POST', `/imports/${importId}/cancel`, {}),
      () => ben.ask('POST', `/imports/${importId}/archive`, {}),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const endedAs = answers.find(({ status }) => status === 200)?.body.ended_as
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.body.message).toBe(`Import ${importId} was ${endedAs} already. Nothing was changed.`)
    expect((await countActs(importId, 'import cancelled')) + (await countActs(importId, 'import archived'))).toBe(1)
  })

  test('when two operators issue a new link, one link works and the other operator gets none', async () => {
    const { importId } = await createRun()
    const { body } = await ana.ask('GET', `/imports/${importId}`)
    const cleo = (await setUpOperator(service, 'Cleo', 'owner')).browser
    const given = { link_version: body.link_version }
    const answers = await atOnce(
      importId,
      () => ana.ask('POST', `/imports/${importId}/link`, given),
      () => cleo.ask('POST', `/imports/${importId}/link`, given),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = answers.find(({ status }) => status === 200)
    const token = won?.body.redirect_url.split('/').at(-1)
    const opened = await fetch(`${service.origin}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: importId, token }),
    })
    expect(opened.status).toBe(204)
  })
})

describe('two operators who erase an import at once', () => {
  test('get the same tombstone, and the audit log has one erasure', async () => {
    const { importId } = await createRun({ state: 'finished' })
    const cleo = (await setUpOperator(service, 'Dora', 'owner')).browser
    const path = `/imports/${importId}/erase`
    const answers = await atOnce(
      importId,
      () => ana.ask('POST', path, {}),
      () => cleo.ask('POST', path, {}),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect(await countActs(importId, 'import erased')).toBe(1)
  })
})

describe('stopping a run', () => {
  test('that moves records begins the undo of the copied records', async () => {
    const { importId, runId } = await createRun()
    const { status, body } = await ben.ask('POST', `/runs/${runId}/stop`, {})
    expect([status, body.state]).toEqual([200, 'stopped'])
    const runs = await service.db
      .selectFrom('runs')
      .select(['id', 'kind', 'state'])
      .where('import_id', '=', importId)
      .orderBy('id')
      .execute()
    expect(runs).toEqual([
      { id: runId, kind: 'sample', state: 'stopped' },
      { id: body.undo_run, kind: 'undo', state: 'working' },
    ])
    const imp = await service.db.selectFrom('imports').select('status').where('id', '=', importId).executeTakeFirst()
    expect(imp?.status).toBe('undo_in_progress')
    const line = await service.db
      .selectFrom('audit_log')
      .select('actor')
      .where('subject', '=', importId)
      .where('act', '=', 'undo started')
      .executeTakeFirst()
    expect(line?.actor).toBe('operator')
  })

  test('that only reads ends it and leaves the status', async () => {
    const { importId, runId } = await createRun({ kind: 'check' })
    const { status, body } = await ben.ask('POST', `/runs/${runId}/stop`, {})
    expect([status, body.state, body.undo_run]).toEqual([200, 'stopped', null])
    expect(await countActs(importId, 'undo started')).toBe(0)
  })

  test('is refused for an undo, with the way to pause it', async () => {
    const { runId } = await createRun({ kind: 'undo' })
    const { status, body } = await ben.ask('POST', `/runs/${runId}/stop`, {})
    expect([status, body.message]).toEqual([422, expect.stringContaining(`wherry run pause ${runId}`)])
  })
})

describe('trying a run again', () => {
  test('starts the next attempt of a waiting run, and leaves a paused one paused', async () => {
    const waiting = await createRun({ failures: 3 })
    expect((await ben.ask('POST', `/runs/${waiting.runId}/retry`, {})).status).toBe(200)
    expect(await countActs(waiting.importId, 'run tried again')).toBe(1)
    const paused = await createRun({ state: 'paused', obstacle: held })
    const { status, body } = await ben.ask('POST', `/runs/${paused.runId}/retry`, {})
    expect([status, body.message]).toEqual([409, expect.stringContaining('wherry run resume')])
    expect((await ben.ask('GET', `/runs/${paused.runId}`)).body.state).toBe('paused')
  })

  test('ends the waits that a tool has asked for only if a run is retried', async () => {
    const wait = async ({ importId }: { importId: string }) => {
      await service.pool.query(`update imports set source_account = $1 where id = $1`, [importId])
      await service.pool.query(
        `insert into account_paces (account, allowed, blocked_until, asked_until)
         values ($1, 1, now() + interval '1 hour', now() + interval '1 hour')`,
        [importId],
      )
    }
    const isWaiting = async ({ importId }: { importId: string }) =>
      (await service.pool.query(`select from account_paces where account = $1 and asked_until > now()`, [importId]))
        .rowCount === 1
    for (const state of ['finished', 'stopped']) {
      const ended = await createRun({ state })
      await wait(ended)
      for (const verb of ['retry', 'resume']) {
        expect((await ben.ask('POST', `/runs/${ended.runId}/${verb}`, {})).status).toBe(409)
        expect(await isWaiting(ended), `${verb} ${state}`).toBe(true)
      }
    }
    const waiting = await createRun({ failures: 3 })
    await wait(waiting)
    expect((await ben.ask('POST', `/runs/${waiting.runId}/retry`, {})).status).toBe(200)
    expect(await isWaiting(waiting)).toBe(false)
  })
})
