import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { runCli } from '../../service/src/operator/cli.ts'
import { testKeys } from '../support/service.ts'
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'

let service: WebhookService
let receiver: Receiver
beforeAll(async () => {
  service = await startWebhookService()
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.startAnew()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

/**
 * Runs the command line in this process, because starting a process for each command would take most of the test's
 * time.
 */
async function wherry(...args: string[]) {
  const printed = { log: '', error: '' }
  const spies = (['log', 'error'] as const).map((stream) =>
    vi.spyOn(console, stream).mockImplementation((line: string) => {
      printed[stream] += `${line}\n`
    }),
  )
  try {
    const code = await runCli(['webhook', ...args], {
      DATABASE_URL: service.databaseUrl,
      WHERRY_KEYS: testKeys,
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    })
    return { code, stdout: printed.log, stderr: printed.error }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
const wherryJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await wherry(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

test('a target can be set and tested, and the test message reaches the partner', async () => {
  const partner = await service.createPartner()
  const set = await wherryJson('set', '--partner', partner.id, '--url', receiver.url)
  expect(set).toEqual({ partner_id: partner.id, url: receiver.url, waiting: 0 })
  receiver.answerWith((_message, response) => {
    response.writeHead(202).end('thank you')
    return undefined
  })
  const sent = await wherryJson('test', '--partner', partner.id)
  expect(sent).toEqual({
    id: expect.stringMatching(/^evt_/),
    url: receiver.url,
    arrived: true,
    status: 202,
    error: null,
    response: 'thank you',
  })
  const [message] = receiver.received as [Received]
  new Webhook(partner.webhook_secret).verify(message.raw, message.headers as Record<string, string>)
  const plain = createHmac('sha256', partner.webhook_secret).update(message.raw).digest('hex')
  expect(message.headers['x-authorization-content-sha256']).toBe(plain)
  expect(message.json).toMatchObject({ test: true, id: 'imp_sandbox_migration_completed', sequence: 1 })
  const log = await wherryJson('log', '--partner', partner.id)
  expect(log).toMatchObject([{ id: sent.id, state: 'delivered', answer: 202 }])
})

test('a failed test names its reason, is not repeated, and does not count against the target', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => 500)
  const failed = await wherry('test', '--partner', partner.id, '--json')
  expect([failed.code, failed.stderr.trim()]).toEqual([1, 'The test message did not arrive.'])
  expect(JSON.parse(failed.stdout)).toMatchObject({ arrived: false, status: 500 })
  service.pass(3_600_000)
  expect(await service.deliverAll()).toBe(0)
  expect(await service.targetOf(partner.id)).toMatchObject({ failures: 0, disabled_at: null })
})

test('the log has filters and every attempt with its answer, and a replay keeps the id', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const good = await partner.createImport()
  await service.deliverAll()
  receiver.answerWith((_message, response) => {
    response.writeHead(500).end('out of\norder')
    return undefined
  })
  const bad = await partner.createImport()
  await service.deliverAll()
  const all = await wherryJson('log', '--partner', partner.id)
  expect(all.map((row: { import_id: string }) => row.import_id)).toEqual([bad.id, good.id])
  expect(await wherryJson('log', '--partner', partner.id, '--limit', '1')).toEqual(all.slice(0, 1))
  const failed = await wherryJson('log', '--partner', partner.id, '--failed')
  expect(failed).toMatchObject([
    {
      import_id: bad.id,
      sequence: 1,
      import_status: 'collecting_credentials',
      state: 'waiting',
      attempts: 1,
      answer: 500,
      next_try_at: expect.any(String),
    },
  ])
  expect(await wherryJson('log', '--import', good.id)).toMatchObject([{ state: 'delivered', next_try_at: null }])
  expect(await wherryJson('log', '--since', '2100-01-01T00:00Z')).toEqual([])
  expect(await wherryJson('list')).toContainEqual(
    expect.objectContaining({ partner_id: partner.id, health: 'failing', waiting: 1, given_up: 0, secrets: 1 }),
  )
  const [{ id }] = failed
  expect(await wherryJson('log', id)).toMatchObject({
    id,
    tries: [{ number: 1, url: receiver.url, status: 500, error: null, response: 'out of\norder' }],
  })
  expect((await wherry('log', id)).stdout).toContain('out of order')
  receiver.answerWith(() => 200)
  expect(await wherryJson('replay', id)).toEqual({ partner_id: partner.id, replayed: 1 })
  await service.deliverAll()
  expect(await wherryJson('replay', '--import', good.id)).toEqual({ partner_id: partner.id, replayed: 1 })
  await service.deliverAll()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([4, 2])
  expect(await wherryJson('replay', '--failed', '--partner', partner.id)).toMatchObject({ replayed: 0 })
})

test('only the rotation itself shows the new secret', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const rotated = await wherryJson('rotate', '--partner', partner.id, '--overlap', '2')
  expect(rotated.webhook_secret).toMatch(/^whsec_/)
  const overlapMs = new Date(rotated.old_secret_signs_until).getTime() - Date.now()
  expect(Math.abs(overlapMs - 2 * 3_600_000)).toBeLessThan(600_000)
  for (const command of ['list', 'log']) {
    const { stdout } = await wherry(command, '--json')
    expect(stdout).not.toContain(rotated.webhook_secret)
    expect(stdout).not.toContain(partner.webhook_secret)
  }
})

test('mistakes get one helpful line and exit code 1', async () => {
  const { id } = await service.createPartner()
  const mistakes: [string[], RegExp][] = [
    [['set', '--partner', 'prt_x', '--url', receiver.url], /There is no partner prt_x/],
    [['set', '--partner', id, '--url', 'acme.example/hook'], /absolute http or https URL/],
    [['set', '--partner', id, '--url', 'http://10.0.0.1/'], /not a public address.*WHERRY_ALLOWED_NETWORKS/],
    [['test', '--partner', id], /has no webhook target/],
    [['rotate', '--partner', id, '--overlap', 'soon'], /--overlap must be 0 to 720 hours/],
    [['log', 'evt_x'], /There is no message evt_x/],
    [['log', '--since', 'yesterday'], /--since must be a time/],
    [['replay'], /Say what to send again/],
    [['replay', '--failed'], /Say what to send again/],
    [['replay', 'evt_x', '--import', 'imp_x'], /Say what to send again/],
    [['replay', 'evt_x'], /There is no message evt_x/],
    [['replay', '--import', 'imp_x'], /There is no import imp_x/],
  ]
  for (const [args, message] of mistakes) {
    const { code, stderr, stdout } = await wherry(...args)
    expect([args, code, stdout]).toEqual([args, 1, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
})
