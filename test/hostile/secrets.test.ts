import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../service/src/config.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { basic, type RawAnswer, rawRequest, sendRaw } from './raw-http.ts'

const username = 'ann+secret@customer.example'
const destinationTokens = ['dst-token-that-is-welcome', 'dst-token-that-is-refused', 'dst-token-that-meets-an-outage']

let service: TestService
let partner: TestPartner
let other: TestPartner
let closeDestination: () => Promise<void>
let portalToken: string
/** All answers, except those that are meant to contain a portal token. */
const answers: RawAnswer[] = []

beforeAll(async () => {
  const destination = await startDestination()
  closeDestination = destination.close
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: `127.0.0.1:${destination.port}` })
  service = await startTestService({
    config: { rateLimit: 0, failedAuthLimit: 1_000_000, logLevel: 'trace', allowedNetworks },
  })
  partner = await service.createPartner({ webhookUrl: 'https://partner.example/hook' })
  other = await service.createPartner()
  await exercise(`http://127.0.0.1:${destination.port}`)
})
afterAll(async () => {
  await service.close()
  await closeDestination()
})

/** A destination that answers according to the token, and repeats everything it was sent in its answer. */
async function startDestination() {
  const server = createServer((request, response) => {
    const given = String(request.headers.authorization)
    const status = given.includes('refused') ? 401 : given.includes('outage') ? 503 : 200
    response.writeHead(status, given.replace(/[^ -~]/g, ''), { 'x-echo': given }).end(JSON.stringify(request.headers))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

async function send(line: string, request: Parameters<typeof rawRequest>[1] = {}) {
  const [answer] = await sendRaw(service.port, rawRequest(line, request))
  if (!answer) throw new Error(`${line} got no answer`)
  return answer
}

/** Sends each secret wherever a careless or hostile client might put it. */
async function exercise(destinationUrl: string): Promise<void> {
  const token = partner.api_token
  const imports: { id: string; token: string }[] = []
  for (const prefix of ['/api/v2.1', '/api/sandbox']) {
    for (const destinationToken of destinationTokens) {
      const answer = await send(`POST ${prefix}/imports`, {
        token,
        headers: [`Idempotency-Key: key of ${prefix} ${destinationToken.slice(-6)}`],
        body: JSON.stringify({
          source_tool: 'fernhill',
          destination_instance_url: destinationUrl,
          destination_username: username,
          destination_token: destinationToken,
        }),
      })
      if (answer.status === 201 && prefix === '/api/v2.1') imports.push(JSON.parse(answer.body))
      else answers.push(answer)
    }
  }
  expect(imports).toHaveLength(2)
  const [{ id, token: portal } = { id: '', token: '' }] = imports
  portalToken = portal
  await send(`GET /api/v2.1/imports/${id}`, { token })
  await send(`GET /api/v2.1/imports?destination_username=${encodeURIComponent(username)}`, { token })

  const secrets = [token, partner.webhook_secret, portal, username, ...destinationTokens]
  for (const secret of secrets) {
    const encoded = encodeURIComponent(secret)
    const json = JSON.stringify(secret)
    answers.push(
      await send('GET /api/v2.1/tools', { token: secret }),
      await send('GET /api/v2.1/tools', { headers: [`Authorization: Bearer ${secret}`] }),
      await send('GET /api/v2.1/tools', { token, headers: [`Authorization: ${secret}`] }),
      await send(`GET /api/v2.1/tools?family=${encoded}`, { token }),
      await send(`GET /api/v2.1/tools?${encoded}=%zz`, { token }),
      await send(`GET /api/v2.1/imports/${encoded}`, { token }),
      await send(`POST /api/v2.1/imports/${encoded}/payment/accept`, { token }),
      await send(`GET /api/v2.1/${encoded}`, { token }),
      await send(`GET /api/v1/${encoded}`, { token }),
      await send(`GET /imports/${id}/${encoded}`),
      await send(`GET /${encoded}?token=${encoded}`),
      await send(`GET /api/v2.1/imports?destination_username=${encoded}%00`, { token }),
      await send(`GET /api/v2.1/imports?destination_username=x&limit=1&after=${encoded}`, { token }),
      await send(`GET /api/v2.1/imports?limit=${encoded}`, { token }),
      await send('POST /api/v2.1/imports', { token, body: `{"destination_token":${json}` }),
      await send('POST /api/v2.1/imports', {
        token,
        body: `{"source_tool":${json},"family":${json},"start_full":${json}}`,
      }),
      await send('POST /api/v2.1/imports', { token, body: `{"destination_token":{"a":${json}},${json}:1}` }),
      await send('POST /api/v2.1/imports', {
        token,
        body: `{"source_tool":"fernhill","destination_instance_url":${json}}`,
      }),
      await send('POST /api/v2.1/imports', { token, headers: [`Content-Type: ${secret}`], body: '{}' }),
      await send('POST /api/v2.1/imports', {
        token,
        headers: [`X-Forwarded-For: ${secret}`, `X-Request-Id: ${secret}`],
        body: '{}',
      }),
    )
    answers.push(...(await sendRaw(service.port, `GET /${encoded} HTTP/9.9\r\nX: ${secret}\r\n\r\n`)))
  }
}

const allSecrets = () => ({
  'API token': partner.api_token,
  'Authorization header': basic(partner.api_token).slice('Basic '.length),
  'webhook secret': partner.webhook_secret,
  'webhook key': partner.webhook_secret.slice('whsec_'.length),
  'portal token': portalToken,
  ...Object.fromEntries(destinationTokens.map((token) => [token, token])),
})

function findIn(text: string, secrets: Record<string, string>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) =>
      [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret).toString('hex'),
      ].some((form) => text.includes(form)),
    )
    .map(([name]) => name)
}

test('no line of the log contains a secret or a username', () => {
  expect(service.log.length).toBeGreaterThan(100)
  const leaks = service.log
    .map((line) => ({ line, found: findIn(line, { ...allSecrets(), username }) }))
    .filter(({ found }) => found.length > 0)
    .map(({ line, found }) => `${found.join(', ')} in ${line.slice(0, 300)}`)
  expect(leaks).toEqual([])
})

test('no answer repeats a secret or a username that was sent', () => {
  expect(answers.length).toBeGreaterThan(100)
  const leaks = answers.flatMap((answer) => findIn(JSON.stringify(answer), { ...allSecrets(), username }))
  expect(leaks).toEqual([])
})

test('answers about an import contain its portal token and no other secret', async () => {
  const list = await partner.call('GET', `/api/v2.1/imports?destination_username=${encodeURIComponent(username)}`)
  const detail = await partner.call('GET', `/api/v2.1/imports/${list.json[1].id}`)
  expect(detail.json.token).toBe(portalToken)
  for (const answer of [list, detail]) {
    expect(findIn(JSON.stringify([answer.text, answer.headers]), { ...allSecrets(), username })).toEqual([
      'portal token',
    ])
  }
})

test('no column of any table contains a secret in plain text, in base64 or in hexadecimal', async () => {
  const { rows: columns } = await service.pool.query<{ schema: string; table: string; column: string; type: string }>(
    `select c.table_schema as schema, c.table_name as "table", c.column_name as "column", c.data_type as type
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
       and c.data_type not in ('boolean', 'integer', 'bigint', 'timestamp with time zone')`,
  )
  expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual(
    expect.arrayContaining(['api_tokens.token_hash', 'authorizations.sealed_credentials', 'audit_log.details']),
  )
  const leaks: string[] = []
  for (const { schema, table, column, type } of columns) {
    // Bytes are read as Latin-1, so that text inside of them can be found.
    const text = type === 'bytea' ? `encode("${column}", 'escape') || encode("${column}", 'hex')` : `"${column}"::text`
    const { rows } = await service.pool.query<{ value: string | null }>(
      `select ${text} as value from "${schema}"."${table}"`,
    )
    const found = findIn(rows.map(({ value }) => value).join('\n'), allSecrets())
    if (found.length > 0) leaks.push(`${table}.${column}: ${found.join(', ')}`)
    if (`${table}.${column}` !== 'imports.destination_username') {
      expect(findIn(rows.map(({ value }) => value).join('\n'), { username }), `${table}.${column}`).toEqual([])
    }
  }
  expect(leaks).toEqual([])
  expect((await service.pool.query('select from authorizations')).rowCount).toBe(2)
})

describe('another partner’s import is a 404 that looks exactly like a missing import', () => {
  const changing = ['date', 'x-request-id', 'ratelimit']
  const plain = ({ status, headers, body }: RawAnswer) =>
    JSON.stringify({ status, headers: Object.entries(headers).filter(([name]) => !changing.includes(name)), body })

  test.each([
    ['GET', ''],
    ['POST', '/payment/accept'],
    ['POST', '/payment/reject'],
  ])('%s /imports/:id%s', async (method, tail) => {
    const create = async (by: TestPartner) =>
      (await by.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json
    const foreign = await create(other)
    const cancelled = await create(partner)
    await endImport(service.db, cancelled.id, 'cancelled')
    const archived = await create(partner)
    await endImport(service.db, archived.id, 'archived')
    const rowBefore = (await service.pool.query('select * from imports where id = $1', [foreign.id])).rows
    const auditBefore = (await service.pool.query('select count(*) from audit_log')).rows
    const ask = async (id: string) =>
      plain(await send(`${method} /api/v2.1/imports/${id}${tail}`, { token: partner.api_token }))

    const missing = await ask('imp_01jd3k00000000000000000000')
    expect(JSON.parse(missing).status).toBe(404)
    for (const id of [foreign.id, cancelled.id, archived.id, 'nonsense', foreign.id.toUpperCase(), foreign.token]) {
      expect(await ask(id), id).toBe(missing)
    }
    expect((await service.pool.query('select * from imports where id = $1', [foreign.id])).rows).toEqual(rowBefore)
    expect((await service.pool.query('select count(*) from audit_log')).rows).toEqual(auditBefore)
  })

  test('a list by username contains no import of another partner', async () => {
    expect(
      (await other.call('GET', `/api/v2.1/imports?destination_username=${encodeURIComponent(username)}`)).json,
    ).toEqual([])
  })

  test('a portal token does not open the partner API', async () => {
    for (const token of [portalToken, `wht_${portalToken}`]) {
      expect((await send('GET /api/v2.1/tools', { token })).status).toBe(401)
    }
  })
})
