import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openAccess } from '../../service/src/accounts/sealed-access.ts'
import { readConfig } from '../../service/src/config.ts'
import { type Db, openDatabase } from '../../service/src/db/open-database.ts'
import { startService } from '../../service/src/main.ts'
import { runWherry } from '../audit/run-wherry.ts'
import { type CsvPortal, type CsvService, startCsvService } from '../portal/csv-service.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { type ArchivedPostgres, startArchivedPostgres } from './archived-postgres.ts'

/** No other text in the database contains this word. */
const marker = 'Xyzzyplugh'
const patient = { timeout: 300_000, interval: 200 }
const checkout = join(import.meta.dirname, '../..')

let postgres: ArchivedPostgres
let service: CsvService
beforeAll(async () => {
  postgres = await startArchivedPostgres()
  service = await startCsvService({ database: { url: postgres.url, drop: async () => {} } })
})
afterAll(async () => {
  await service.close()
  await postgres.close()
})

/** An import with both accounts connected and its plan made. */
async function prepare(word: string): Promise<CsvPortal> {
  const portal = await service.openPortal({ destination_username: `${word}@customer.example` })
  await portal.act('PUT', '/contact', { address: `${word}@mail.example`, language: 'en' })
  const { id: upload } = await portal.upload('tickets.csv', `id,subject,description\n${word}-1,${word} asks,"Text"`)
  expect((await portal.connectSource(upload)).status).toBe(200)
  expect((await portal.connectDestination()).status).toBe(200)
  await vi.waitFor(async () => expect((await portal.act('GET', '/plan')).json.state).toBe('finished'), patient)
  return portal
}

/** The tables with a row that holds the marker, as text or as bytes. */
async function findMarker(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'pgboss')`.execute(db)
  const patterns = [`%${marker}%`, `%${Buffer.from(marker).toString('hex')}%`]
  const found: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql`select from ${sql.table(`${schema}.${name}`)} as one
      where one::text ilike any(${patterns}) limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

async function exportAudit(databaseUrl: string): Promise<string> {
  const { code, stdout, stderr } = await run(process.execPath, ['service/bin/wherry.mjs', 'audit', 'export'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, WHERRY_KEYS: testKeys },
  })
  expect([code, stderr]).toEqual([0, ''])
  const file = join(await mkdtemp(join(tmpdir(), 'wherry-export-')), 'audit.jsonl')
  await writeFile(file, stdout)
  return file
}

test('a restore to an earlier moment, and the erasures since then', { timeout: 900_000 }, async () => {
  const kept = await prepare('Kept')
  const erased = await prepare(marker)
  const cancelled = await prepare('Cancelled')
  const before = await prepare('Before')
  const networks = { WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const onOld = (...args: string[]) => runWherry(postgres.url, [...args, '--json'], networks)
  const withdrawn = async () => service.db.selectFrom('withdrawn_access').select('id').execute()
  // An erasure from before the restored moment needs no replay.
  expect(await onOld('import', 'cancel', before.id)).toMatchObject({ code: 0 })
  await vi.waitFor(async () => expect(await withdrawn()).toEqual([]), patient)
  // This command seals every line.
  expect(await onOld('audit', 'verify')).toMatchObject({ code: 0 })
  await postgres.takeBaseBackup()
  await kept.act('PUT', '/visitor', { name: 'Told after the base backup' })
  await postgres.nameMoment('before_the_erasure')

  expect(await onOld('import', 'erase', erased.id, '--yes')).toMatchObject({ code: 0 })
  expect(await onOld('import', 'cancel', cancelled.id)).toMatchObject({ code: 0 })
  const later = await service.openPortal()
  expect(await onOld('import', 'erase', later.id, '--yes')).toMatchObject({ code: 0 })
  await vi.waitFor(async () => expect(await withdrawn()).toEqual([]), patient)
  expect(await findMarker(service.db)).toEqual([])
  const file = await exportAudit(postgres.url)

  await using cleanup = new AsyncDisposableStack()
  const restored = await postgres.restoreTo('before_the_erasure')
  cleanup.defer(() => restored.close())
  const { db, close } = openDatabase(restored.url, { poolSize: 2 })
  cleanup.defer(close)
  const wherry = (...args: string[]) => runWherry(restored.url, [...args, '--json'], networks)
  const accounts = async (importId: string) =>
    db
      .selectFrom('authorizations')
      .select(['role', 'sealed_credentials'])
      .where('import_id', '=', importId)
      .orderBy('role')
      .execute()

  // The restored database has all data of that moment, including the erased data.
  const visitors = await db.selectFrom('visitors').select('name').where('import_id', '=', kept.id).execute()
  expect(visitors).toEqual([{ name: 'Told after the base backup' }])
  expect(await findMarker(db)).toEqual(expect.arrayContaining(['import_contacts', 'imports']))
  expect(await accounts(cancelled.id)).toHaveLength(2)

  const preview = await wherry('import', 'erase', '--from-audit', file)
  const told = { imports: [erased.id], credentials: [cancelled.id], texts: [] }
  expect([preview.code, preview.stderr]).toEqual([0, ''])
  expect(JSON.parse(preview.stdout)).toMatchObject({ would_erase_again: told, not_in_this_database: [later.id] })
  expect(await findMarker(db)).toEqual(expect.arrayContaining(['imports']))

  const done = await wherry('import', 'erase', '--from-audit', file, '--yes')
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(JSON.parse(done.stdout)).toMatchObject({ erased_again: told })
  expect(await findMarker(db)).toEqual([])
  expect(await accounts(erased.id)).toEqual([])
  expect(await accounts(cancelled.id)).toEqual([])
  expect(await db.selectFrom('withdrawn_access').select('id').execute()).toEqual([])
  const again = await wherry('import', 'erase', '--from-audit', file)
  const nothing = { imports: [], credentials: [], texts: [] }
  expect(JSON.parse(again.stdout)).toMatchObject({ would_erase_again: nothing })

  // The service continues with the same keys.
  const config = { ...readConfig({ ...networks, WHERRY_LOG_LEVEL: 'silent', PORT: '0' }), keys: testKeys }
  const options = { role: 'all', onePerFolder: false, onNotice: () => {} } as const
  const running = await startService({ ...config, databaseUrl: restored.url }, options)
  cleanup.defer(() => running.stop())
  for (const { role, sealed_credentials } of await accounts(kept.id)) {
    const access = openAccess(service.keyRing, sealed_credentials, kept.id, role)
    if (role === 'destination') expect(access.token).toBe(service.harbourToken)
  }
  const origin = String(running.origin).replace('localhost', '127.0.0.1')
  const { token } = await service.asPartner('GET', `/imports/${kept.id}`)
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  const session = await fetch(`${origin}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: kept.id, token }),
  })
  expect([session.status, await session.text()]).toEqual([204, ''])
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const started = await fetch(`${origin}/portal/imports/${kept.id}/runs`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'sample' }),
  })
  expect([started.status, await started.text()]).toEqual([201, expect.any(String)])
  const status = async () => db.selectFrom('imports').select('status').where('id', '=', kept.id).executeTakeFirst()
  await vi.waitFor(async () => expect(await status()).toEqual({ status: 'sample_migration_completed' }), patient)

  const verified = await wherry('audit', 'verify')
  expect([verified.code, verified.stderr]).toEqual([0, ''])
})

test('the erasures are refused without a trustworthy export', async () => {
  const wherry = (...args: string[]) => runWherry(postgres.url, args)
  for (const args of [[], ['imp_1', '--from-audit', 'audit.jsonl']]) {
    const { code, stderr } = await wherry('import', 'erase', ...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Name one import, or give --from-audit')])
  }
  const file = await exportAudit(postgres.url)
  const lines = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, lines.toSpliced(2, 1).join('\n'))
  const { code, stderr } = await wherry('import', 'erase', '--from-audit', file, '--yes')
  expect([code, stderr]).toEqual([1, expect.stringContaining('Line 3 of the audit log is missing')])
})
