import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { startProxy } from '../engine/tampering-proxy.ts'
import { deskKey, harbourToken, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

/** Every command starts a process. */
const slow = { timeout: 900_000 }

let whole: WholeService
let proxy: Awaited<ReturnType<typeof startProxy>>
let isBroken = true
/** The cursor of the third page of tickets. */
const brokenCursor = Buffer.from('id:200').toString('base64url')

beforeAll(async () => {
  whole = await startWholeService({ tickets: 330 })
  proxy = await startProxy(whole.fernhill.url, async ({ path, query }, pass) => {
    const isThirdPage = path === '/api/v1/tickets' && query.get('after') === brokenCursor && !query.has('ids')
    // The plan, which comes first, reads this page too and must not fail.
    const isHit = isBroken && isThirdPage && (await isFullUnderWay())
    return isHit ? { status: 500, headers: {}, body: 'no' } : pass()
  })
}, 900_000)
const isFullUnderWay = async () => {
  const run = await whole.db
    .selectFrom('runs')
    .select('id')
    .where('kind', '=', 'full')
    .where('state', '=', 'working')
    .executeTakeFirst()
  return run !== undefined
}
afterAll(async () => {
  await whole?.close()
  await proxy?.close()
})

const wherry = (...args: string[]) =>
  run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: whole.config.databaseUrl ?? '', WHERRY_KEYS: testKeys },
  })
const wherryJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await wherry(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const refusal = async (...args: string[]) => {
  const { code, stderr } = await wherry(...args)
  expect(code).toBe(1)
  return stderr.trim()
}

/** A full migration whose third page of tickets always fails, just before the run reports it. */
async function startStuck() {
  const portal = await whole.openPortal({ start_full: true })
  await portal.act('PUT', '/accounts/source', { instance_url: proxy.url, token: deskKey })
  await portal.act('PUT', '/accounts/destination', { instance_url: whole.harbour.baseUrl, token: harbourToken })
  const runOf = () =>
    whole.db
      .selectFrom('runs')
      .select(['id', 'failures', 'obstacle'])
      .where('import_id', '=', portal.id)
      .where('kind', '=', 'full')
      .executeTakeFirst()
  const { id } = await vi.waitFor(
    async () => {
      const failing = await runOf()
      expect(failing?.failures).toBeGreaterThan(0)
      return failing as NonNullable<typeof failing>
    },
    { timeout: 300_000, interval: 50 },
  )
  // Saves four minutes of failures, and moves the next attempt beyond the end of the test.
  await whole.db.updateTable('runs').set({ failures: 29 }).where('id', '=', id).execute()
  await vi.waitFor(async () => expect((await runOf())?.obstacle?.code).toBe('source_page_failing'), {
    timeout: 300_000,
    interval: 50,
  })
  return { portal, id }
}

test('the operator finds a stuck run, and it skips its page at once', slow, async () => {
  const { portal, id } = await startStuck()
  const listed = await wherryJson('run', 'list', '--obstacle', 'source_page_failing', '--state', 'working')
  expect(listed).toMatchObject([{ id, import_id: portal.id, kind: 'full', state: 'working', failures: 30 }])
  expect(await wherryJson('run', 'list', '--import', portal.id, '--state', 'paused')).toEqual([])
  expect((await wherryJson('run', 'list', '--partner', listed[0].partner_id)).length).toBeGreaterThan(0)

  const shown = await wherryJson('run', 'show', id)
  expect(shown).toMatchObject({
    id,
    import_id: portal.id,
    status: 'migration_in_progress',
    kind: 'full',
    state: 'working',
    failures: 30,
    obstacle: { code: 'source_page_failing', must_act: 'customer', role: 'source' },
    skip_asked_at: null,
    is_worked_on: false,
    progress: { done: expect.any(Number), total: expect.any(Number) },
    warnings: expect.arrayContaining([
      expect.objectContaining({ code: 'source_page_failing', entity: 'run', count: 1 }),
    ]),
  })
  // The run itself would continue only minutes later.
  expect(Date.parse(shown.next_try_at) - Date.parse(shown.created_at)).toBeGreaterThan(200_000)
  const stage = shown.stages.find((one: { is_done: boolean }) => !one.is_done)
  expect(stage).toMatchObject({ stage: 'write', entity: 'tickets', checkpoint: brokenCursor, skipped: 0 })
  const shownImport = await wherryJson('import', 'show', portal.id)
  expect(shownImport).toMatchObject({
    run: { id, kind: 'full', state: 'working', failures: 30 },
    obstacle: { code: 'source_page_failing' },
    warnings: expect.arrayContaining([expect.objectContaining({ code: 'source_page_failing' })]),
  })

  expect(await wherryJson('run', 'skip', id)).toMatchObject({ id, skip_asked_at: expect.any(String) })
  const done = await portal.until('migration_completed')
  expect(done.warnings).toContainEqual(
    expect.objectContaining({ code: 'source_page_skipped', entity: 'tickets', count: 100 }),
  )
  const after = await wherryJson('run', 'show', id)
  expect(after).toMatchObject({ state: 'finished', obstacle: null, failures: 0, skip_asked_at: null, progress: null })
  const isWritten = ({ stage, entity }: Record<string, string>) => stage === 'write' && entity === 'tickets'
  expect(after.stages.find(isWritten)).toMatchObject({ skipped: 1 })
  const log = await whole.db.selectFrom('audit_log').select(['actor', 'act']).where('subject', '=', portal.id).execute()
  expect(log).toContainEqual({ actor: 'operator', act: 'skip asked for' })
  expect(await refusal('run', 'skip', id)).toBe(
    `Run ${id} is not stuck at anything that can be skipped. "wherry run show ${id}" tells what holds it up.`,
  )
  expect(await refusal('run', 'resume', id)).toBe(
    `Run ${id} is finished and waits for nothing: there is nothing to resume.`,
  )
})

test('a run that waits for its next attempt is retried now, paused and resumed', slow, async () => {
  const { portal, id } = await startStuck()
  expect(await wherryJson('run', 'pause', id)).toMatchObject({
    state: 'paused',
    obstacle: { code: 'paused_by_operator', must_act: 'operator' },
    next_try_at: null,
  })
  expect(await wherryJson('run', 'list', '--obstacle', 'paused_by_operator')).toMatchObject([{ id }])
  expect(await refusal('run', 'pause', id)).toContain('is paused')
  // The customer cannot resume this run.
  expect(await portal.act('POST', '/resume', {})).toEqual({
    status: 422,
    json: { status: ['does not allow this now: nothing is paused, or support has paused it'] },
  })
  isBroken = false
  try {
    expect(await wherryJson('run', 'resume', '--import', portal.id)).toMatchObject({ id, state: 'working' })
    const done = await portal.until('migration_completed')
    expect(done.warnings.map(({ code }: { code: string }) => code)).not.toContain('source_page_skipped')
  } finally {
    isBroken = true
  }
  const log = await whole.db.selectFrom('audit_log').select('act').where('subject', '=', portal.id).execute()
  expect(log).toEqual(expect.arrayContaining([{ act: 'run paused' }, { act: 'run resumed' }]))
})

test('a wrong command is refused, and the error names the right one', slow, async () => {
  expect(await refusal('run', 'show', 'run_none')).toBe('There is no run run_none. "wherry run list" shows the newest.')
  expect(await refusal('run', 'resume')).toBe('Name a run, or --import, not both.')
  expect(await refusal('run', 'skip', 'run_none', '--import', 'imp_none')).toBe('Name a run, or --import, not both.')
  expect(await refusal('run', 'resume', '--import', 'imp_none')).toBe(
    'Import imp_none has no run under way. "wherry run list --import imp_none" shows its runs.',
  )
  expect(await refusal('run', 'list', '--state', 'asleep')).toBe(
    '--state must be one of working, paused, finished, stopped.',
  )
  expect(await refusal('run', 'list', '--obstacle', 'mountain')).toContain('--obstacle must be one of address_wrong, ')
  const { stdout } = await wherry('run', '--help')
  for (const command of ['list', 'show', 'resume', 'skip', 'pause']) expect(stdout).toContain(command)
})
