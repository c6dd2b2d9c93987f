import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
})
afterAll(() => service.close())

const live = (method: string, path: string, body?: unknown, by = partner) => by.call(method, `/api/v2.1${path}`, body)
const changes = { entities: { tickets: { fields: { channel: { to: null } } } } }

test('a partner recommends a mapping, replaces it under its name, and removes it', async () => {
  expect((await live('GET', '/mappings')).json).toEqual([])
  const input = { name: ' Best practice ', source_tool: 'Fernhill Desk', changes: { ...changes, default_user: 'u1' } }
  const first = await live('POST', '/mappings', input)
  expect(first.status).toBe(201)
  expect(first.json).toEqual({
    id: expect.stringMatching(/^map_/),
    name: 'Best practice',
    source_tool: 'fernhill',
    family: 'helpdesk',
    saved_at: expect.any(String),
    changes,
  })
  const again = await live('POST', '/mappings', { ...input, family: null, unknown: 1, changes: {} })
  expect([again.status, again.json.id, again.json.changes]).toEqual([201, first.json.id, {}])
  expect((await live('GET', '/mappings')).json).toEqual([again.json])
  const log = await service.pool.query(`select actor, act from audit_log where subject = $1 and act like 'mapping %'`, [
    partner.id,
  ])
  expect(log.rows[0]).toEqual({ actor: `partner ${partner.id}`, act: 'mapping provided' })

  const other = await service.createPartner()
  expect((await live('GET', '/mappings', undefined, other)).json).toEqual([])
  expect((await live('DELETE', `/mappings/${first.json.id}`, undefined, other)).status).toBe(404)
  expect(await live('DELETE', `/mappings/${first.json.id}`)).toMatchObject({ status: 204, text: '' })
  expect((await live('DELETE', `/mappings/${first.json.id}`)).status).toBe(404)
  expect((await live('GET', '/mappings')).json).toEqual([])
})

test('each mistake in a mapping is reported under its path', async () => {
  const refused = async (body: unknown) => {
    const { status, json } = await live('POST', '/mappings', body)
    expect(status).toBe(422)
    return Object.keys(json).sort()
  }
  expect(await refused({})).toEqual(['changes', 'name', 'source_tool'])
  expect(await refused({ name: ' ', source_tool: 'nosuch', changes: [] })).toEqual(['changes', 'name', 'source_tool'])
  expect(await refused({ name: 'x'.repeat(101), source_tool: 'fernhill', family: 'crm', changes })).toEqual([
    'family',
    'name',
  ])
  expect(await refused({ name: 'a\u0000b', source_tool: 'fernhill', changes })).toEqual(['name'])
  expect(
    await refused({ name: 'a', source_tool: 'fernhill', changes: { entities: { tickets: { nope: 1 } } } }),
  ).toEqual(['changes.entities.tickets.nope'])
  const nul = { entities: { tickets: { fields: { 'a\u0000': { to: null } } } } }
  expect(await refused({ name: 'a', source_tool: 'fernhill', changes: nul })).toEqual(['changes'])
  expect((await live('POST', '/mappings')).status).toBe(400)
  expect((await live('GET', '/mappings')).json).toEqual([])
})

test('the sandbox has the same checks and stores nothing', async () => {
  const sandbox = (method: string, path: string, body?: unknown) => partner.call(method, `/api/sandbox${path}`, body)
  const [example] = (await sandbox('GET', '/mappings')).json
  expect(example).toMatchObject({ id: 'map_sandbox', source_tool: 'fernhill' })
  const made = await sandbox('POST', '/mappings', { name: 'Mine', source_tool: 'fernhill', changes })
  expect([made.status, made.json.name, made.json.changes]).toEqual([201, 'Mine', changes])
  expect((await sandbox('POST', '/mappings', { name: 'Mine' })).status).toBe(422)
  expect((await sandbox('DELETE', '/mappings/map_sandbox')).status).toBe(204)
  expect((await sandbox('DELETE', '/mappings/map_other')).status).toBe(404)
  expect((await service.pool.query('select from saved_mappings')).rowCount).toBe(0)
})
