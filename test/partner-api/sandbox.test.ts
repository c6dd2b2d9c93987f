import { afterAll, beforeAll, expect, test } from 'vitest'
import { families } from '../../service/src/families/index.ts'
import { importStatuses, statusTexts } from '../../service/src/lifecycle.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { origin: 'https://import.example.com' } })
  partner = await service.createPartner({ families: [...families] })
})
afterAll(() => service.close())

const sandbox = (method: string, path: string, body?: unknown, headers = {}) =>
  partner.call(method, `/api/sandbox${path}`, body, headers)

async function rowCounts(): Promise<Record<string, number>> {
  const tables = ['imports', 'events', 'idempotency_keys', 'authorizations', 'audit_log', 'rate_windows']
  const counts = tables.map(async (table) => {
    const { rows } = await service.pool.query<{ count: string }>(`select count(*) from ${table}`)
    return [table, Number(rows[0]?.count)]
  })
  return Object.fromEntries(await Promise.all(counts))
}

test('there is one predefined import for each status, the same every time', async () => {
  for (const status of importStatuses) {
    const path = `/imports/imp_sandbox_${status}`
    const answer = await sandbox('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ id: `imp_sandbox_${status}`, status_code: status, status: statusTexts[status] })
    expect((await sandbox('GET', path)).text).toBe(answer.text)
  }
  expect((await sandbox('GET', '/imports/imp_sandbox_nothing')).status).toBe(404)
  expect((await sandbox('GET', '/imports/imp_01jd3k0000000000000000000a')).status).toBe(404)
})

test('the list has all nine imports for any username except nobody@example.com', async () => {
  const { json } = await sandbox('GET', '/imports?destination_username=anyone')
  expect(json.map(({ status_code }: { status_code: string }) => status_code).sort()).toEqual([...importStatuses].sort())
  expect((await sandbox('GET', '/imports?destination_username=nobody@example.com')).json).toEqual([])
  expect((await sandbox('GET', '/imports')).status).toBe(422)
})

test('the list has pages like the live one', async () => {
  const seen: string[] = []
  let path: string | undefined = '/imports?destination_username=a&limit=4'
  while (path) {
    const page = await sandbox('GET', path)
    seen.push(...page.json.map(({ id }: { id: string }) => id))
    path = /api\/sandbox([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
  }
  expect(seen).toHaveLength(9)
  expect(new Set(seen).size).toBe(9)
})

test('the catalog has a tool of each family', async () => {
  const { json } = await sandbox('GET', '/tools')
  expect(new Set(json.flatMap((tool: { families: string[] }) => tool.families))).toEqual(new Set(families))
  for (const family of families) {
    const { json: some } = await sandbox('GET', `/tools?family=${family}`)
    expect(some.length).toBeGreaterThan(0)
  }
  expect((await sandbox('GET', '/tools?family=cars')).status).toBe(422)
})

test('creating has the live checks and returns a fixed example, which can be read', async () => {
  expect((await sandbox('POST', '/imports', {})).json).toEqual({ source_tool: ["can't be blank"] })
  const first = await sandbox('POST', '/imports', { source_tool: 'fernhill' })
  expect(first.status).toBe(201)
  expect(first.headers.location).toBe(`https://import.example.com/api/sandbox/imports/${first.json.id}`)
  expect((await sandbox('GET', `/imports/${first.json.id}`)).json.token).toBe(first.json.token)
  for (const { name } of (await sandbox('GET', '/tools')).json) {
    expect((await sandbox('POST', '/imports', { source_tool: name })).text).toBe(first.text)
  }
})

test('creating accepts every tool of the list, for any families of the partner', async () => {
  const other = await service.createPartner({ families: ['crm'] })
  const create = (body: object) => other.call('POST', '/api/sandbox/imports', body)
  const { json: listed } = await other.call('GET', '/api/sandbox/tools')
  for (const { name } of listed) expect((await create({ source_tool: name })).status, name).toBe(201)
  expect((await create({ source_tool: 'nothing' })).json).toEqual({ source_tool: ['is not supported'] })
})

test('an answer with a token is never cached, and browsers stay with https', async () => {
  for (const path of ['/imports/imp_sandbox_in_preparation', '/imports?destination_username=a', '/tools', '/nothing']) {
    const { headers } = await sandbox('GET', path)
    expect(headers['cache-control'], path).toBe('no-store')
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000')
  }
})

test('sponsorship can be decided only for predefined imports', async () => {
  for (const word of ['accept', 'reject']) {
    const known = await sandbox('POST', `/imports/imp_sandbox_sample_migration_completed/payment/${word}`)
    expect([known.status, known.text]).toEqual([200, ''])
    expect((await sandbox('POST', `/imports/imp_sandbox_other/payment/${word}`)).status).toBe(404)
  }
})

test('PUT and DELETE have no endpoint', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    expect((await sandbox(method, '/imports/imp_sandbox_migration_completed')).status).toBe(404)
  }
})

test('nothing is stored', async () => {
  const before = await rowCounts()
  await sandbox('POST', '/imports', { source_tool: 'fernhill', destination_token: 't' }, { 'idempotency-key': 'k' })
  await sandbox('POST', '/imports', { source_tool: 'redmine', start_full: true })
  await sandbox('POST', '/imports/imp_sandbox_sample_migration_completed/payment/accept')
  expect(await rowCounts()).toEqual(before)
})
