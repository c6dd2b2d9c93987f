import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { deskKey, harbourToken, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { testKeys } from '../support/service.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { startCollector } from './collector.ts'

const cleanup = new AsyncDisposableStack()
let collector: Awaited<ReturnType<typeof startCollector>>
let receiver: Receiver
let service: WholeService
let token = ''
const waiting = { timeout: 300_000, interval: 200 }

beforeAll(async () => {
  collector = await startCollector()
  cleanup.defer(() => collector.close())
  receiver = await startReceiver()
  cleanup.defer(() => receiver.close())
  service = await startWholeService({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  cleanup.defer(() => service.close())
  const partner = await createPartner(
    service.db,
    { connectors, keyRing: parseKeyRing(testKeys) },
    { name: 'Acme', destination: 'open', families: ['helpdesk'], webhookUrl: receiver.url },
  )
  token = partner.api_token
})
afterAll(() => cleanup.disposeAsync())

async function createImport(traceparent?: string): Promise<{ id: string; token: string }> {
  const answer = await fetch(`${service.origin}/api/v2.1/imports`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${token}:`)}`,
      'content-type': 'application/json',
      ...(traceparent !== undefined && { traceparent }),
    },
    body: JSON.stringify({ source_tool: 'fernhill' }),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: string; token: string }
}

test('one trace connects the partner’s request, the runs and the webhook', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const created = await createImport(`00-${traceId}-b7ad6b7169203331-01`)
  const session = await fetch(`${service.origin}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: created.id, token: created.token }),
  })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const act = (method: string, path: string, body: object) =>
    fetch(`${service.origin}/portal/imports/${created.id}${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  await act('PUT', '/accounts/source', { instance_url: service.fernhill.url, token: deskKey })
  await act('PUT', '/accounts/destination', { instance_url: service.harbour.baseUrl, token: harbourToken })
  await vi.waitFor(async () => expect((await act('POST', '/runs', { kind: 'sample' })).status).toBe(201), waiting)
  const completed = await vi.waitFor(() => {
    const found = receiver.received.find(({ json }) => json.status_code === 'sample_migration_completed')
    if (!found) throw new Error('the sample has not ended yet')
    return found
  }, waiting)
  const sent = String(completed.headers.traceparent).split('-')
  expect(sent[1]).toBe(traceId)

  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId)
  const delivery = await vi.waitFor(() => {
    const found = ofTrace().find(({ spanId }) => spanId === sent[2])
    if (!found) throw new Error('the delivery has not been exported yet')
    return found
  }, waiting)
  // The slice that caused the message may end, and be exported, after the message has arrived.
  await vi.waitFor(() => expect(ofTrace().map(({ spanId }) => spanId)).toContain(delivery.parentSpanId), waiting)
  const named = (name: string) => ofTrace().filter((span) => span.name === name)
  const [request] = named('POST /api/v2.1/imports')
  expect(request?.parentSpanId).toBe('b7ad6b7169203331')
  const runs = named('run sample')
  expect(runs.length).toBeGreaterThan(0)
  for (const run of runs) expect(run.parentSpanId).toBe(request?.spanId)
  expect(delivery.name).toBe('webhook delivery')
  // The run caused the message about the end of the sample.
  expect(runs.map(({ spanId }) => spanId)).toContain(delivery.parentSpanId)
  // Every message of the import belongs to the trace, also messages that the customer's requests caused.
  const traces = receiver.received.map(({ headers }) => String(headers.traceparent).split('-')[1])
  expect(new Set(traces)).toEqual(new Set([traceId]))
})

test('an invalid traceparent header starts a new trace, and is not passed on', async () => {
  const before = receiver.received.length
  const evil = `00-${'0'.repeat(32)}-b7ad6b7169203331-01`
  await createImport(evil)
  await createImport('evil header')
  await vi.waitFor(() => expect(receiver.received.length).toBe(before + 2), waiting)
  const traces = receiver.received.slice(before).map(({ headers }) => String(headers.traceparent))
  for (const one of traces) expect(one).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(new Set(traces).size).toBe(2)
  expect(collector.bodies.join('')).not.toContain('evil')
})

test('traces contain no tokens and no names', async () => {
  const text = collector.bodies.join('')
  expect(text).toContain('wherry')
  for (const secret of [token, deskKey, harbourToken, 'Fernhill Garden', 'Acme']) expect(text).not.toContain(secret)
})
