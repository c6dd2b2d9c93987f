import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { setAside } from '../../service/src/engine/set-aside.ts'
import { newId } from '../../service/src/ids.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type Browser, setUpOperator } from './console-client.ts'

const secret = 'a secret that no screen shows'
let service: TestService
let owner: Browser
let support: Browser
beforeAll(async () => {
  const leftOut = [{ place: '/srv/connectors/acme', reason: 'the folder has none of index.ts, index.mjs, index.js' }]
  service = await startTestService({ config: { rateLimit: 0 }, leftOut })
  owner = (await setUpOperator(service, 'Olga', 'owner')).browser
  support = (await setUpOperator(service, 'Sam', 'support')).browser
})
afterAll(() => service.close())

const toolOf = async (name: string) =>
  (await support.ask('GET', '/tools')).body.tools.find(({ tool }: { tool: string }) => tool === name)

describe('sign-in clients', () => {
  test('an owner sets one; its secret is sealed and never shown again', async () => {
    const client = { client_id: 'wherry', client_secret: secret, instance: 'https://desk.example.com/' }
    const { status, body } = await owner.ask('PUT', '/tools/fernhill/oauth', client)
    expect([status, body]).toEqual([
      200,
      {
        ...{ tool: 'fernhill', instance: 'https://desk.example.com', client_id: 'wherry' },
        redirect_uri: expect.stringContaining('/portal/oauth/callback'),
      },
    ])
    const kept = await findOAuthClient(service.db, service.keyRing, 'fernhill', 'https://desk.example.com')
    expect(kept).toEqual({ clientId: 'wherry', secret })
    for (const path of ['/tools', '/audit']) {
      expect(JSON.stringify((await owner.ask('GET', path)).body)).not.toContain(secret)
    }
    expect(service.log.join('')).not.toContain(secret)
    const { oauth_clients } = (await support.ask('GET', '/tools')).body
    expect(oauth_clients).toMatchObject([{ tool: 'fernhill', client_id: 'wherry', has_secret: true }])
  })

  test.each([
    ['no id', { instance: 'https://desk.example.com' }, 'client_id'],
    ['two lines', { client_id: 'x', client_secret: 'a\nb', instance: 'https://desk.example.com' }, 'client_secret'],
    ['no instance', { client_id: 'x' }, 'Instance must be the address'],
  ])('%s is refused, and the field is named', async (_name, given, named) => {
    const { status, body } = await owner.ask('PUT', '/tools/fernhill/oauth', given)
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(named)])
  })

  test('an owner removes one; support can do neither', async () => {
    const path = '/tools/fernhill/oauth?instance=https%3A%2F%2Fdesk.example.com'
    expect((await support.ask('DELETE', path)).status).toBe(403)
    expect((await support.ask('PUT', '/tools/fernhill/oauth', { client_id: 'x' })).status).toBe(403)
    expect((await owner.ask('DELETE', path)).status).toBe(200)
    expect((await support.ask('GET', '/tools')).body.oauth_clients).toEqual([])
  })
})

describe('a tool', () => {
  test('shows the limits that its connector declares', async () => {
    const { limits } = await toolOf('zendesk')
    expect(limits.length).toBeGreaterThan(0)
    expect(limits[0]).toEqual({ name: expect.any(String), per_ms: expect.any(Number), limit: limits[0].limit })
  })

  test('shows the state of its newest runs, and not the obstacles of the other side', async () => {
    const partner = await service.createPartner()
    const until = '2026-11-18T10:00:00.000Z'
    const addRun = async (state: string, obstacle: object | null, failures = 0) => {
      const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
      await sql`insert into runs (id, import_id, kind, state, obstacle, failures, finished_at) values (${newId('run')},
        ${json.id}, 'sample', ${state}, ${obstacle === null ? null : JSON.stringify(obstacle)}::jsonb, ${failures},
        ${state === 'finished' ? until : null}::timestamptz)`.execute(service.db)
    }
    const obstacle = { code: 'asked_to_wait', must_act: 'nobody', message: 'x', role: 'source', until }
    await addRun('finished', null)
    await addRun('working', null, 2)
    await addRun('paused', obstacle)
    await addRun('working', { ...obstacle, code: 'tool_unreachable', role: 'destination', until: undefined }, 4)
    await addRun('paused', { code: 'paused_by_operator', must_act: 'operator', message: 'x' })
    expect((await toolOf('fernhill')).health).toEqual({
      ...{ runs: 5, failing: 2, last_success: until, waits_until: until },
      obstacles: [{ code: 'asked_to_wait', count: 1 }],
    })
    expect((await toolOf('open')).health).toMatchObject({
      ...{ runs: 5, failing: 2, waits_until: null },
      obstacles: [{ code: 'tool_unreachable', count: 1 }],
    })
    expect((await toolOf('zendesk')).health).toMatchObject({ runs: 0, failing: 0, last_success: null })
  })

  test('from outside that could not be loaded is named with the reason', async () => {
    const { left_out } = (await support.ask('GET', '/tools')).body
    expect(left_out).toEqual([
      { place: '/srv/connectors/acme', reason: 'the folder has none of index.ts, index.mjs, index.js' },
    ])
  })

  test('from outside that was set aside is named with the reason, until an owner admits it', async () => {
    await setAside(service.db, { tool: 'acme', code: 'a hash' }, 'it kept a process busy for 40 seconds')
    const listed = async () => (await support.ask('GET', '/tools')).body.set_aside
    expect(await listed()).toEqual([
      { tool: 'acme', since: expect.stringMatching(/Z$/), reason: 'it kept a process busy for 40 seconds' },
    ])
    expect((await support.ask('POST', '/tools/acme/admit')).status).toBe(403)
    expect((await owner.ask('POST', '/tools/acme/admit')).body).toEqual({ admitted: 'acme' })
    expect(await listed()).toEqual([])
    const again = await owner.ask('POST', '/tools/acme/admit')
    expect([again.status, again.body.message]).toEqual([422, expect.stringContaining('is not set aside')])
  })
})
