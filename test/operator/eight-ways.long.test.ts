import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RunningService } from '../../service/src/main.ts'
import { startProxy, type Tamper } from '../engine/tampering-proxy.ts'
import { deskKey, harbourToken, type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { byCommands, byConsole, type Hands } from './operators.ts'

const patient = { timeout: 300_000, interval: 200 }
const slow = { timeout: 900_000 }
const passes: Tamper = (_request, pass) => pass()

let whole: WholeService
let worker: RunningService
let partnerId: string
let cleanup = new AsyncDisposableStack()
beforeAll(async () => {
  whole = await startWholeService({ workers: 0 })
  cleanup.defer(() => whole.close())
  worker = await whole.start('worker')
  cleanup.defer(() => worker.stop())
  const partner = await whole.db.selectFrom('partners').select('id').executeTakeFirstOrThrow()
  partnerId = partner.id
})
afterAll(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** A full migration whose two tools can be broken. Each has its own address, so that tests share nothing. */
async function begin(stack: AsyncDisposableStack, between: { source?: Tamper; destination?: Tamper }) {
  const source = await startProxy(whole.fernhill.url, between.source ?? passes)
  stack.defer(() => source.close())
  const destination = await startProxy(whole.harbour.baseUrl, between.destination ?? passes)
  stack.defer(() => destination.close())
  const portal = await whole.openPortal({ start_full: true })
  const accounts = {
    source: { instance_url: source.url, token: deskKey },
    destination: { instance_url: destination.url, token: harbourToken },
  }
  for (const role of ['source', 'destination'] as const) {
    expect(await portal.act('PUT', `/accounts/${role}`, accounts[role])).toMatchObject({ status: 200 })
  }
  return { portal, accounts }
}

/** The full run. The plan before it did not meet the fault. */
const fullRun = (importId: string) =>
  whole.db
    .selectFrom('runs')
    .select(['id', 'failures'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'full')
    .executeTakeFirst()

/** Faults start with the full run, which comes after the plan. */
function breakLater(fault: Tamper) {
  const state = { isBroken: true, importId: null as string | null }
  const tamper: Tamper = async (request, pass) => {
    const isHit = state.isBroken && state.importId !== null && (await fullRun(state.importId)) !== undefined
    return isHit ? fault(request, pass) : pass()
  }
  return { state, tamper }
}

/** Sets the failure count, to save the hour in which a tool fails twenty times. */
async function hastenFailures(importId: string, failures: number): Promise<void> {
  await vi.waitFor(async () => expect((await fullRun(importId))?.failures).toBeGreaterThan(0), patient)
  const query = whole.db.updateTable('runs').set({ failures }).where('import_id', '=', importId)
  await query.where('kind', '=', 'full').execute()
}

const answer = (status: number, headers = {}) => ({ status, headers, body: '{}' })

describe.each([
  ['the console', byConsole],
  ['the command line', byCommands],
] as const)('an operator with only %s', (_name, open) => {
  let hands: Hands
  beforeAll(async () => {
    hands = await open(whole)
  })

  /** The operator finds the import by its obstacle, and reads what to do. */
  async function diagnose(portal: Portal, code: string) {
    await vi.waitFor(async () => expect(await hands.findStuck(code)).toContain(portal.id), patient)
    const found = await hands.look(portal.id)
    expect(found).toMatchObject({ obstacle: { code, message: expect.any(String) }, next_step: expect.any(String) })
    expect(found.warnings.map((warning) => warning.code)).toContain(code)
    return found
  }
  /** Expects that the import completes and nothing is left of the fault. */
  async function expectMended(portal: Portal) {
    await portal.until('migration_completed')
    const { obstacle, state } = await hands.look(portal.id)
    expect({ obstacle, state }).toEqual({ obstacle: null, state: 'finished' })
  }

  test('sends a new link to the customer of a lost source account', slow, async () => {
    await using stack = new AsyncDisposableStack()
    const { state, tamper } = breakLater(async () => answer(401))
    const { portal, accounts } = await begin(stack, { source: tamper })
    state.importId = portal.id
    const found = await diagnose(portal, 'authorization_lost')
    expect(found).toMatchObject({ obstacle: { must_act: 'customer', role: 'source' }, state: 'paused' })
    expect(found.next_step).toContain('Connects the account again')

    const [id, token] = new URL(await hands.issueLink(portal.id)).pathname.split('/').slice(-2)
    const session = await fetch(`${whole.origin}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, token }),
    })
    expect(session.status).toBe(204)
    state.isBroken = false
    const connected = await fetch(`${whole.origin}/portal/imports/${id}/accounts/source`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: String(session.headers.get('set-cookie')) },
      body: JSON.stringify(accounts.source),
    })
    expect(connected.status).toBe(200)
    await expectMended(portal)
  })

  test('resumes the run when its destination accepts us again', slow, async () => {
    await using stack = new AsyncDisposableStack()
    const { state, tamper } = breakLater(async () => answer(401))
    const { portal } = await begin(stack, { destination: tamper })
    state.importId = portal.id
    const found = await diagnose(portal, 'authorization_lost')
    expect(found.obstacle).toMatchObject({ role: 'destination' })
    state.isBroken = false
    await hands.resume(found.id)
    await expectMended(portal)
  })

  test('finds the one record that the destination refused, and sends it again once it is repaired', slow, async () => {
    await using stack = new AsyncDisposableStack()
    let isMended = false
    const source: Tamper = async (request, pass) => {
      const answered = await pass()
      if (!isMended || !request.path.startsWith('/api/v1/tickets')) return answered
      const body = String(answered.body).replaceAll('"subject":""', '"subject":"Given later"')
      return { ...answered, body: body.replaceAll('"subject":null', '"subject":"Given later"') }
    }
    const { portal } = await begin(stack, { source })
    await portal.until('migration_completed')
    const refused = (await hands.refused(portal.id)).filter(({ entity }) => entity === 'tickets')
    expect(refused).toMatchObject([{ source_id: expect.any(String), message: expect.stringMatching(/subject/i) }])
    isMended = true
    await hands.retry(portal.id)
    await vi.waitFor(async () => {
      expect((await hands.look(portal.id)).state).toBe('finished')
      const left = (await hands.refused(portal.id)).filter(({ entity }) => entity === 'tickets')
      expect(left).toEqual([])
    }, patient)
    await expectMended(portal)
  })

  test('retries at once when a source that was gone is back', slow, async () => {
    await using stack = new AsyncDisposableStack()
    const { state, tamper } = breakLater(async () => 'drop')
    const { portal } = await begin(stack, { source: tamper })
    state.importId = portal.id
    await hastenFailures(portal.id, 30)
    const found = await diagnose(portal, 'tool_unreachable')
    state.isBroken = false
    await hands.resume(found.id)
    await expectMended(portal)
  })

  test('gives a partner whose webhook address is gone a new one, and sends every message again', slow, async () => {
    await using stack = new AsyncDisposableStack()
    const [gone, back] = [await startReceiver(() => 410), await startReceiver()]
    stack.defer(() => gone.close())
    stack.defer(() => back.close())
    await hands.setTarget(partnerId, gone.url)
    const { portal } = await begin(stack, {})
    await portal.until('migration_completed')
    await vi.waitFor(async () => expect(await hands.target(partnerId)).toMatchObject({ health: 'disabled' }), patient)
    expect((await hands.target(partnerId)).given_up).toBeGreaterThan(0)
    await hands.setTarget(partnerId, back.url)
    await hands.replay(partnerId)
    const events = await whole.db.selectFrom('events').select('id').where('import_id', '=', portal.id).execute()
    const arrived = () => new Set(back.received.map(({ headers }) => headers['webhook-id']))
    await vi.waitFor(() => expect(events.filter(({ id }) => !arrived().has(id))).toEqual([]), patient)
    expect(await hands.target(partnerId)).toMatchObject({ health: 'ok', given_up: 0 })
  })

  test('does not wait a day for a tool that is ready earlier than it said', slow, async () => {
    await using stack = new AsyncDisposableStack()
    const { state, tamper } = breakLater(async () => answer(429, { 'retry-after': '86400' }))
    const { portal } = await begin(stack, { source: tamper })
    state.importId = portal.id
    const found = await diagnose(portal, 'asked_to_wait')
    state.isBroken = false
    await hands.resume(found.id)
    await expectMended(portal)
  })

  test('sees that no worker is alive, and that the run continues with a new one', slow, async () => {
    await using stack = new AsyncDisposableStack()
    await worker.stop()
    await vi.waitFor(async () => expect(await hands.workers()).toBe(0), patient)
    const { portal } = await begin(stack, {})
    worker = await whole.start('worker')
    cleanup.defer(worker.stop)
    expect(await hands.workers()).toBe(1)
    await expectMended(portal)
  })

  test('skips a page that the source cannot deliver', slow, async () => {
    await using stack = new AsyncDisposableStack()
    const { state, tamper } = breakLater(async ({ path, query }, pass) =>
      path === '/api/v1/tickets' && !query.has('ids') && !query.has('after') ? answer(500) : pass(),
    )
    const { portal } = await begin(stack, { source: tamper })
    state.importId = portal.id
    await hastenFailures(portal.id, 29)
    const found = await diagnose(portal, 'source_page_failing')
    await hands.skip(found.id)
    await expectMended(portal)
    const codes = (await hands.look(portal.id)).warnings.map(({ code }) => code)
    expect(codes.some((code) => /^source_(page|rest)_skipped$/.test(code))).toBe(true)
  })
})
