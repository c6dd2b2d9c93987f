import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir, readConfig } from '../../service/src/config.ts'
import { startService } from '../../service/src/main.ts'
import type { Finding } from '../../service/src/operator/doctor/finding.ts'
import { examine } from '../../service/src/operator/doctor/run-doctor.ts'
import { startMailServer } from '../mail/mail-server.ts'
import { createTestDatabase } from '../support/database.ts'
import { startPooler } from '../support/pooler.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

const cleanup = new AsyncDisposableStack()
let environment: Record<string, string> = {}
let client: pg.Client
let received: unknown[] = []

beforeAll(async () => {
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  const mail = await startMailServer()
  cleanup.defer(() => mail.close())
  received = mail.received
  const home = await mkdtemp(join(tmpdir(), 'wherry-doctor-'))
  const settings = { WHERRY_LOG_LEVEL: 'silent', PORT: '0', DATABASE_URL: own.url, WHERRY_KEYS: testKeys }
  const service = await startService(readConfig(settings), { role: 'all', onePerFolder: false, onNotice: () => {} })
  cleanup.defer(() => service.stop())
  client = new pg.Client({ connectionString: own.url })
  await client.connect()
  cleanup.defer(() => client.end())
  environment = {
    ...settings,
    WHERRY_HOME: home,
    WHERRY_ORIGIN: String(service.origin),
    SMTP_URL: mail.url,
    MAIL_FROM: 'import@example.com',
  }
})
afterAll(() => cleanup.disposeAsync())

const look = (changes: Record<string, string | undefined> = {}) => examine({ ...environment, ...changes }, 'localhost')
const of = (findings: Finding[], check: string) => findings.find((finding) => finding.check === check)
const wherry = (env: Record<string, string>, ...args: string[]) =>
  run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], {
    env: { PATH: process.env.PATH, ...env },
  })

test('a healthy installation has nothing broken, and no mail is sent', async () => {
  const findings = await look()
  expect(findings.filter(({ state }) => state === 'broken')).toEqual([])
  const checked = findings.map(({ check }) => check)
  for (const check of [
    ...['versions', 'configuration', 'disk', 'database', 'database version', 'schema', 'database rights'],
    ...['database size', 'long transactions', 'database connections', 'clock', 'keys', 'workers', 'queues', 'waking'],
    ...['mail', 'names', 'refused networks', 'origin'],
  ])
    expect(checked, check).toContain(check)
  for (const check of ['schema', 'keys', 'workers', 'queues', 'mail', 'origin', 'clock'])
    expect(of(findings, check)).toMatchObject({ state: 'ok' })
  expect(received).toEqual([])
})

test('the command prints JSON or lines, and its exit code shows whether something is broken', async () => {
  const good = await wherry(environment, 'doctor', '--json', '--resolve', 'localhost')
  expect([good.code, good.stderr]).toEqual([0, ''])
  expect(JSON.parse(good.stdout)).toMatchObject({ state: expect.stringMatching(/^(ok|warning)$/) })
  const bad = await wherry({ ...environment, DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none' }, 'doctor')
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/BROKEN {2}database: .*ECONNREFUSED.*\n +→ Check DATABASE_URL/)
  expect(bad.stdout + bad.stderr).not.toContain('hunter2')
})

test('a wrong configuration is reported with all its problems', async () => {
  const findings = await look({ PORT: 'x', WHERRY_LOG_LEVEL: 'loud' })
  expect(of(findings, 'configuration')).toMatchObject({
    state: 'broken',
    message: expect.stringMatching(/PORT[\s\S]*WHERRY_LOG_LEVEL/),
  })
})

test('keys that do not open this database are reported as broken, and no keys are created', async () => {
  const other = `k1:${Buffer.alloc(32, 8).toString('base64')}`
  expect(of(await look({ WHERRY_KEYS: other }), 'keys')).toMatchObject({ state: 'broken' })
  expect(of(await look({ WHERRY_KEYS: undefined }), 'keys')).toMatchObject({
    state: 'broken',
    message: expect.stringContaining('missing'),
  })
  expect(existsSync(join(String(environment.WHERRY_HOME), 'keys'))).toBe(false)
})

test('pending and unknown migrations are reported separately, and none is applied', async () => {
  const { rows } = await client.query('select name, timestamp from kysely_migration order by name desc limit 1')
  const [{ name, timestamp }] = rows
  await client.query('delete from kysely_migration where name = $1', [name])
  expect(of(await look(), 'schema')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('1 migration'),
  })
  expect((await client.query('select from kysely_migration where name = $1', [name])).rowCount).toBe(0)
  await client.query('insert into kysely_migration values ($1, $2), ($3, $2)', [name, timestamp, '9998-of-tomorrow'])
  expect(of(await look(), 'schema')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('9998-of-tomorrow'),
  })
  await client.query(`update kysely_migration set name = '9999-drop-needs-9998' where name = '9998-of-tomorrow'`)
  expect(of(await look(), 'schema')).toMatchObject({
    state: 'broken',
    message: expect.stringContaining('9999-drop-needs-9998'),
  })
  await client.query(`delete from kysely_migration where name = '9999-drop-needs-9998'`)
  expect(of(await look(), 'schema')).toMatchObject({ state: 'ok' })
})

test('a waiting job is reported with its queue', async () => {
  // The service has no mail server, so no worker handles this queue.
  await client.query(`insert into pgboss.job (name, data, created_on, start_after)
    values ('mails', '{}', now() - interval '1 hour', now() - interval '1 hour')`)
  expect(of(await look(), 'queues')).toMatchObject({ state: 'broken', message: expect.stringMatching('"mails"') })
  await client.query(`delete from pgboss.job where name = 'mails'`)
  expect(of(await look(), 'queues')).toMatchObject({ state: 'ok' })
})

test('a token that ends soon is reported with its partner, day and remedy', async () => {
  const { rows } = await client.query(`
    with acme as (insert into partners (id, name, destination_tool, families)
      values ('prt_doctor', 'Acme', 'open', '{helpdesk}') returning id)
    insert into api_tokens (id, partner_id, token_hash, expires_at, revoked_at)
    select token, acme.id, token::bytea, now() + days * interval '1 day', revoked_at
    from acme, (values ('tok_gone', 3, now()), ('tok_soon', 13, null), ('tok_later', 15, null), ('tok_over', -1, null))
      as tokens (token, days, revoked_at)
    returning id, expires_at`)
  const soon: Date = rows.find(({ id }) => id === 'tok_soon').expires_at
  expect(of(await look(), 'tokens')).toEqual({
    check: 'tokens',
    state: 'warning',
    message: `1 API token ends within 14 days: tok_soon of Acme on ${soon.toISOString().slice(0, 10)}.`,
    fix: expect.stringMatching('wherry token issue --partner prt_doctor.*wherry token revoke tok_soon'),
  })
  await client.query(`update partners set disabled_at = now() where id = 'prt_doctor'`)
  expect(of(await look(), 'tokens')).toMatchObject({ state: 'ok' })
})

test('a database without a worker, and a role that lacks rights, are reported as broken', async () => {
  const idle = await createTestDatabase()
  const role = `doctor_${process.pid}`
  try {
    expect(of(await look({ DATABASE_URL: idle.url }), 'workers')).toMatchObject({ state: 'broken' })
    await client.query(`create role ${role} login password 'weak'`)
    const url = new URL(idle.url)
    url.username = role
    url.password = 'weak'
    const findings = await look({ DATABASE_URL: url.href })
    expect(of(findings, 'database rights')).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('belong to another role'),
    })
  } finally {
    await client.query(`drop role if exists ${role}`)
    await idle.drop()
  }
})

test('mail, origin and names that do not answer are broken, each with its own fix', async () => {
  const findings = await examine(
    { ...environment, SMTP_URL: 'smtp://u:hunter2@127.0.0.1:1', WHERRY_ORIGIN: 'http://127.0.0.1:1' },
    'no-such-name.invalid',
  )
  for (const check of ['mail', 'origin', 'names'])
    expect(of(findings, check)).toMatchObject({ state: 'broken', fix: expect.stringMatching(/\w{5}/) })
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})

test('networks that customers could misuse cause a warning', async () => {
  expect(of(await look({ WHERRY_ALLOWED_NETWORKS: '0.0.0.0/0' }), 'refused networks')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('metadata'),
  })
})

test('without an embedded database nothing is created', async () => {
  const home = join(String(environment.WHERRY_HOME), 'empty')
  const findings = await look({ DATABASE_URL: undefined, WHERRY_HOME: home })
  expect(of(findings, 'database')).toMatchObject({ state: 'warning' })
  expect(existsSync(home)).toBe(false)
})

test('behind a pooler that shares connections, doctor says that workers are not woken, and how late they start', async () => {
  const pooler = await startPooler(String(environment.DATABASE_URL))
  try {
    const found = of(await look({ DATABASE_URL: pooler.url }), 'waking')
    expect(found).toMatchObject({ state: 'warning', message: expect.stringContaining('twice a second') })
  } finally {
    await pooler.close()
  }
  expect(of(await look(), 'waking')).toMatchObject({ state: 'ok' })
})
