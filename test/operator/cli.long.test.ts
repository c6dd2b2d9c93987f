import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { checkoutDir } from '../../service/src/config.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { run } from '../support/program.ts'
import { startTestService, testKeys } from '../support/service.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

const wherry = (...args: string[]) =>
  run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: own.url, WHERRY_KEYS: testKeys },
  })
const wherryJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await wherry(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const createPartner = (...extra: string[]) =>
  wherryJson('partner', 'create', '--name', 'Acme', '--destination', 'open', ...extra)

test('a partner is created with a token and a secret that work and are shown once', async () => {
  const created = await createPartner('--families', 'helpdesk,crm', '--webhook-url', 'https://acme.example/hook')
  expect(Object.keys(created)).toEqual(['id', 'api_token', 'webhook_secret'])
  expect(created.id).toMatch(/^prt_/)
  expect(created.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const service = await startTestService({ databaseUrl: own.url })
  try {
    const answer = await service.call('GET', '/api/v2.1/tools', { token: created.api_token })
    expect(answer.json.map(({ name }: { name: string }) => name)).toContain('fernhill')
  } finally {
    await service.close()
  }
  const shown = await wherryJson('partner', 'show', created.id)
  expect(shown).toMatchObject({
    name: 'Acme',
    destination_tool: 'open',
    families: ['helpdesk', 'crm'],
    webhook_url: 'https://acme.example/hook',
    disabled_at: null,
    tokens: [{ revoked_at: null }],
  })
  expect(JSON.stringify(shown)).not.toContain(created.api_token)
  expect(JSON.stringify(shown)).not.toContain(created.webhook_secret)
})

test('an open destination without families gets all families', async () => {
  const { id } = await createPartner()
  expect((await wherryJson('partner', 'show', id)).families).toEqual(['helpdesk', 'project', 'blog', 'crm'])
})

test('tokens are issued, listed and revoked, partners listed and disabled', async () => {
  const { id } = await createPartner()
  const issued = await wherryJson('token', 'issue', '--partner', id, '--label', 'staging')
  expect(issued).toMatchObject({ partner_id: id, api_token: expect.stringMatching(/^wht_/) })
  const listed = await wherryJson('token', 'list', '--partner', id)
  expect(listed).toHaveLength(2)
  expect(listed[1]).toMatchObject({ id: issued.id, label: 'staging', last_used_at: null, revoked_at: null })
  expect((await wherryJson('token', 'revoke', issued.id)).revoked_at).toBeTruthy()
  expect((await wherryJson('partner', 'disable', id)).disabled_at).toBeTruthy()
  const partners: { id: string; disabled_at: string | null }[] = await wherryJson('partner', 'list')
  expect(partners.find((partner) => partner.id === id)?.disabled_at).toBeTruthy()
})

test('imports are listed, shown, cancelled and archived', async () => {
  const { api_token } = await createPartner()
  const service = await startTestService({ databaseUrl: own.url })
  try {
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/api/v2.1${path}`, { token: api_token, ...(body === undefined ? {} : { body }) })
    const first = (await call('POST', '/imports', { source_tool: 'fernhill' })).json.id
    const second = (await call('POST', '/imports', { source_tool: 'fernhill' })).json.id
    const listed = await wherryJson('import', 'list', '--limit', '2')
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second, first])
    expect((await wherryJson('import', 'show', first)).events).toMatchObject([{ sequence: 1 }])
    await wherryJson('import', 'cancel', first)
    await wherryJson('import', 'archive', second)
    expect((await call('GET', `/imports/${first}`)).status).toBe(404)
    expect((await call('GET', `/imports/${second}`)).status).toBe(404)
    expect((await wherry('import', 'cancel', first)).code).toBe(1)
  } finally {
    await service.close()
  }
})

test('a link is issued again and revoked', async () => {
  const { api_token } = await createPartner()
  const service = await startTestService({ databaseUrl: own.url })
  try {
    const { json: imp } = await service.call('POST', '/api/v2.1/imports', {
      token: api_token,
      body: { source_tool: 'fernhill' },
    })
    const opens = async (token: string) => {
      const body = JSON.stringify({ id: imp.id, token })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${service.origin}/portal/session`, { method: 'POST', headers, body })).status
    }
    expect(await opens(imp.token)).toBe(204)
    const issued = await wherryJson('import', 'link', imp.id)
    expect(issued).toMatchObject({ id: imp.id, link_version: 2, ended_sessions: 1 })
    const token = issued.redirect_url.split('/').at(-1)
    expect(issued.redirect_url).toBe(`http://localhost:4000/imports/${imp.id}/${token}`)
    expect([await opens(imp.token), await opens(token)]).toEqual([404, 204])
    expect(await wherryJson('import', 'link', imp.id, '--revoke')).toMatchObject({
      link_version: 3,
      redirect_url: null,
    })
    expect(await opens(token)).toBe(404)
    await wherryJson('import', 'cancel', imp.id)
    const { code, stderr } = await wherry('import', 'link', imp.id)
    expect([code, stderr.trim()]).toEqual([1, expect.stringContaining(`There is no open import ${imp.id}.`)])
  } finally {
    await service.close()
  }
})

test('mistakes get one helpful line and exit code 1', async () => {
  const mistakes: [string[], RegExp][] = [
    [['partner', 'create', '--name', 'A', '--destination', 'fernhill'], /not a tool that data can be moved to.*open/],
    [
      ['partner', 'create', '--name', 'A', '--destination', 'open', '--families', 'cars'],
      /helpdesk, project, blog, crm/,
    ],
    [['partner', 'create', '--name', ' ', '--destination', 'open'], /1 to 200 characters/],
    [['partner', 'create', '--name', 'A', '--destination', 'open', '--webhook-url', 'nope'], /absolute http/],
    [['partner', 'create'], /--name/],
    [['partner', 'show', 'prt_x'], /There is no partner prt_x/],
    [['token', 'revoke', 'tok_x'], /There is no token tok_x/],
    [['token', 'issue', '--partner', 'prt_x'], /There is no partner prt_x/],
    [['import', 'show', 'imp_x'], /There is no import imp_x/],
    [['serve', '--role', 'captain'], /api, worker or all/],
    [['nonsense'], /unknown command/],
  ]
  await Promise.all(
    mistakes.map(async ([args, message]) => {
      const { code, stderr, stdout } = await wherry(...args)
      expect([args, code, stdout]).toEqual([args, 1, ''])
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/\bat .*\.ts:\d+/)
    }),
  )
}, 900_000)

test('an unreachable database is named without its password', async () => {
  const { code, stderr } = await run(
    process.execPath,
    [join(checkoutDir, 'service/bin/wherry.mjs'), 'partner', 'list'],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/x', WHERRY_KEYS: testKeys },
    },
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/Postgres at 127\.0\.0\.1:9\/x.*Check DATABASE_URL/)
  expect(stderr).not.toContain('hunter2')
})

test('a key ring that did not seal this database is refused', async () => {
  const service = await startTestService({ databaseUrl: own.url })
  await service.close()
  const other = `k9:${Buffer.alloc(32, 9).toString('base64')}`
  const { code, stderr } = await run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), 'serve'], {
    env: { PATH: process.env.PATH, DATABASE_URL: own.url, WHERRY_KEYS: other, PORT: '0' },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('not in the key ring')
})

test('conformance passes for a destination, and fails for any other server', async () => {
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: 'harbour-token' })
  try {
    const conformance = (url: string, ...args: string[]) =>
      run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), 'conformance', url, ...args], {
        env: { PATH: process.env.PATH, WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' },
      })
    const file = join(await mkdtemp(join(tmpdir(), 'token-')), 'token')
    await writeFile(file, 'harbour-token\n', { mode: 0o600 })
    const good = await conformance(harbour.baseUrl, '--token-file', file)
    expect([good.code, good.stderr]).toEqual([0, ''])
    expect(good.stdout).toMatch(/\d+ passed, 0 failed\./)
    const bad = await conformance(harbour.baseUrl, '--token', 'wrong', '--json')
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.stdout).failed).toBeGreaterThan(0)
    // Everyone on the machine can read a command line.
    expect(bad.stderr).toContain('--token is deprecated')
    expect(bad.stderr).not.toContain('wrong')
    expect((await conformance(harbour.baseUrl)).stderr).toContain('--token-file must name a file')
    expect((await conformance('harbour', '--token', 'x')).stderr).toMatch('must be the base URL')
  } finally {
    await harbour.close()
  }
})

test('the audit log has every act, and no statement can change it', async () => {
  const { id } = await createPartner()
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  try {
    const { rows } = await client.query('select actor, act from audit_log where subject = $1 order by id', [id])
    expect(rows).toEqual([
      { actor: 'operator', act: 'partner created' },
      { actor: 'operator', act: 'token issued' },
    ])
    for (const statement of ['update audit_log set act = null', 'delete from audit_log', 'truncate audit_log']) {
      await expect(client.query(statement)).rejects.toThrow('append-only')
    }
  } finally {
    await client.end()
  }
})
