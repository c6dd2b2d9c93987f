import { expect } from 'vitest'
import type { Connector, Destination } from '../../service/src/connectors/contract/contract.ts'
import { fernhill } from '../../service/src/connectors/helpdesk/fernhill/index.ts'
import { open } from '../../service/src/connectors/open/index.ts'
import { startTestService, type TestService } from '../support/service.ts'
import type { RawAnswer } from './raw-http.ts'

/** The connector with some functions of its destination replaced. */
export function withDestination(connector: Connector, changes: Partial<Destination>): Connector {
  if (!connector.destination) throw new Error(`${connector.tool} is no destination`)
  return { ...connector, destination: { ...connector.destination, ...changes } }
}

/** Starts a service without limits, and with a destination that accepts everyone, so that no request leaves this machine. */
export function startHostileTarget(): Promise<TestService> {
  const welcoming = withDestination(open, { checkAccount: async () => ({ name: 'Acme' }) })
  return startTestService({
    config: { rateLimit: 0, failedAuthLimit: 1_000_000 },
    connectors: [fernhill, welcoming],
  })
}

const innards = /\n\s+at |node_modules|node:internal|\/src\/|FST_ERR|ERR_[A-Z]|kysely|postgres|invalid byte/i
const documented = [200, 201, 400, 401, 404, 422, 429]
const errorCodes: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  404: 'not_found',
  429: 'rate_limited',
}

/** Expects a documented status with its documented shape, and no internal details. */
export function expectHarmless(answer: Pick<RawAnswer, 'status' | 'body'>, request = 'the request'): void {
  const { status, body } = answer
  expect(documented, `${request} was answered ${status} ${body}`).toContain(status)
  if (status < 400) return
  expect(body, request).not.toMatch(innards)
  const json = JSON.parse(body === '' ? '"an empty body"' : body)
  if (status === 422) {
    expect(Object.keys(json).length, body).toBeGreaterThan(0)
    for (const messages of Object.values(json)) expect(messages, body).toEqual([expect.any(String)])
  } else {
    expect(json, request).toEqual({ error: errorCodes[status], message: expect.any(String) })
  }
}

const counted = ['imports', 'events', 'idempotency_keys', 'authorizations', 'audit_log', 'warnings']

/** The number of rows that a request could have left behind, by table. */
export async function countRows({ pool }: TestService): Promise<Record<string, number>> {
  const columns = counted.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const { rows } = await pool.query<Record<string, number>>(`select ${columns.join(', ')}`)
  return rows[0] ?? {}
}

export function apiRoutes(prefix: string, importId: string): { method: string; path: string }[] {
  return [
    { method: 'GET', path: `${prefix}/tools` },
    { method: 'POST', path: `${prefix}/imports` },
    { method: 'GET', path: `${prefix}/imports?destination_username=ann` },
    { method: 'GET', path: `${prefix}/imports/${importId}` },
    { method: 'POST', path: `${prefix}/imports/${importId}/payment/accept` },
    { method: 'POST', path: `${prefix}/imports/${importId}/payment/reject` },
  ]
}

/** Routes without a token, and routes that do not exist. */
export const openPaths = [
  '/healthz',
  '/readyz',
  '/docs/',
  '/docs/js/scalar.js',
  '/api/openapi.json',
  '/imports/imp_01jd3k00000000000000000000/0123456789abcdef0123456789abcdef',
  '/nowhere',
  '/api',
  '/api/v1/tools',
  '/',
]
