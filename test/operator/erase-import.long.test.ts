import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCli } from '../../service/src/operator/cli.ts'
import { keptTables } from '../../service/src/retention/erase-import.ts'
import { type CsvPortal, type CsvService, startCsvService } from '../portal/csv-service.ts'
import { markPaid } from '../support/mark-paid.ts'
import { testKeys } from '../support/service.ts'

/** No other text in the database contains this word. */
const marker = 'Xyzzyplugh'
const patient = { timeout: 300_000, interval: 200 }

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

/** Runs a command as the operator does. Returns the exit code and the output. */
async function wherry(...args: string[]) {
  const [out, problems] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  const printed: string[] = []
  out.mockImplementation((text) => void printed.push(String(text)))
  problems.mockImplementation((text) => void printed.push(String(text)))
  try {
    const environment = { DATABASE_URL: service.databaseUrl, WHERRY_KEYS: testKeys }
    const code = await runCli([...args, '--json'], { ...environment, WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
    return { code, text: printed.join('\n') }
  } finally {
    out.mockRestore()
    problems.mockRestore()
  }
}

interface Column {
  schema: string
  table: string
  name: string
  type: string
}

/** Every column of every table, including the job queue, that can hold a text. */
async function listColumns(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_schema as schema, c.table_name as table, c.column_name as name,
      case when c.data_type = 'ARRAY' then 'array' else c.data_type end as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema in ('public', 'pgboss')
      and c.data_type in ('text', 'character varying', 'jsonb', 'json', 'ARRAY', 'bytea')`.execute(service.db)
  return rows
}

/**
 * The columns that contain the marker, as "table.column". A sealed text does not contain it; raw bytes are searched.
 */
async function findMarker(): Promise<string[]> {
  const found: string[] = []
  for (const { schema, table, name, type } of await listColumns()) {
    const column = sql.ref(name)
    const from = sql.table(`${schema}.${table}`)
    const holds =
      type === 'bytea'
        ? sql`position(convert_to(${marker}, 'UTF8') in ${column}) > 0`
        : sql`${column}::text ilike ${`%${marker}%`}`
    const { rows } = await sql`select from ${from} where ${holds} limit 1`.execute(service.db)
    if (rows.length > 0) found.push(`${table}.${name}`)
  }
  return found.sort()
}

/** Columns of the tombstone, and columns that the service fills with its own words and hashes. */
const ownWords: Record<string, string[]> = {
  imports: [
    'id',
    'partner_id',
    'source_tool',
    'destination_tool',
    'family',
    'sponsorship_reason',
    'items',
    'users',
    'source_account',
    'destination_account',
    // A trace's number, which names nobody.
    'trace_parent',
  ],
  runs: ['id', 'import_id'],
  warnings: ['code', 'entity', 'import_id'],
  events: ['id', 'partner_id', 'import_id', 'status', 'items', 'users', 'trace_parent'],
  run_stages: ['run_id', 'entity'],
  attempts: ['delivery_id', 'url'],
  payments: ['id', 'quote_id', 'currency', 'reason'],
  quotes: ['*'],
  sponsorship_charges: ['*'],
  withdrawn_access: ['*'],
}

/** Adds one row to each table that the walk leaves empty. */
async function fillTables(importId: string): Promise<void> {
  const { db } = service
  const of = { import_id: importId }
  const { id: run_id } = await db
    .selectFrom('runs')
    .select('id')
    .where('import_id', '=', importId)
    .limit(1)
    .executeTakeFirstOrThrow()
  const { id: event_id, partner_id } = await db
    .selectFrom('events')
    .select(['id', 'partner_id'])
    .where('import_id', '=', importId)
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('warnings')
    .values({ ...of, code: 'blank', entity: 'tickets', message: '1', count: 1 })
    .execute()
  await db
    .insertInto('user_map')
    .values({ ...of, source_user_id: 'u1', name: 'Ann' })
    .execute()
  const mail = { id: 'mail_1', address: 'a@b.example', language: 'en', template: 'completed', state: 'sent' } as const
  await db
    .insertInto('mails')
    .values({ ...of, ...mail })
    .execute()
  await sql`insert into leftovers (import_id, what) values (${importId}, '{}')`.execute(db)
  await db
    .insertInto('side_records')
    .values({ ...of, kind: 'tag', mark: 'm' })
    .execute()
  await db
    .insertInto('announcements')
    .values({ ...of, run_id, entity: 'tickets', records: '[]' })
    .execute()
  await db
    .insertInto('plan_records')
    .values({ ...of, entity: 'tickets', source_id: '1', fate: 'sent' })
    .execute()
  await db
    .insertInto('idempotency_keys')
    .values({ ...of, partner_id, key: 'k', body_hash: Buffer.from('h') })
    .execute()
  await db
    .insertInto('deliveries')
    .values({ id: event_id, event_id, partner_id, state: 'delivered' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('attempts')
    .values({ delivery_id: event_id, number: 1, url: 'https://partner.example', started_at: new Date() })
    .execute()
}

/** Tables of imports without a text that a customer could have written. */
const textless = ['certificates', 'quotes', 'sponsorship_charges', 'withdrawn_access', 'oauth_sign_ins']

/** Puts the marker into every text of the import that accepts one, so that no new column can be forgotten. */
async function plantEverywhere(importId: string): Promise<string[]> {
  const columns = (await listColumns()).filter(({ schema, type }) => schema === 'public' && type !== 'bytea')
  const withImport = new Set(columns.filter(({ name }) => name === 'import_id').map(({ table }) => table))
  const whereOf = (table: string) => {
    if (table === 'imports') return sql`id = ${importId}`
    if (table === 'run_stages') return sql`run_id in (select id from runs where import_id = ${importId})`
    if (table === 'attempts') return sql`delivery_id in (select id from events where import_id = ${importId})`
    return withImport.has(table) ? sql`import_id = ${importId}` : null
  }
  const planted: string[] = []
  for (const { table, name, type } of columns) {
    const where = whereOf(table)
    const own = ownWords[table] ?? []
    if (!where || table === 'audit_log' || own.includes(name) || own.includes('*')) continue
    if (name === 'import_id' || name === 'progress') continue
    const column = sql.ref(name)
    const value =
      type === 'jsonb'
        ? sql`case jsonb_typeof(${column}) when 'array' then ${column} || to_jsonb(array[${marker}::text])
            else coalesce(${column}, '{}') || jsonb_build_object('planted', ${marker}::text) end`
        : type === 'array'
          ? sql`array_append(${column}, ${marker})`
          : sql`coalesce(${column}, '') || ${marker}`
    try {
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(table)} set ${column} = ${value} where ${where}`.execute(service.db)
      if (numAffectedRows > 0n) planted.push(`${table}.${name}`)
    } catch {
      // A key, a number or a fixed word: the column accepts no other text.
    }
  }
  const tables = new Set(planted.map((place) => place.split('.')[0] ?? ''))
  expect([...withImport].filter((table) => !tables.has(table) && !textless.includes(table))).toEqual([])
  return planted
}

/** An import of files with the marker in names, records and choices, up to its sample. */
async function walk(): Promise<CsvPortal> {
  const portal = await service.openPortal({ destination_username: `${marker}@customer.example` })
  await portal.act('PUT', '/contact', { address: `${marker}@mail.example`, language: 'en' })
  await portal.act('PUT', '/visitor', { name: `${marker} Doe` })
  const rows = [`${marker}-1,${marker} cannot sign in,"Dear ${marker}"`, `2,,"${marker} again"`, '3,Third,"Text"']
  const { id: upload } = await portal.upload(`${marker}.csv`, `id,subject,description\n${rows.join('\n')}`)
  expect((await portal.connectSource(upload)).status).toBe(200)
  expect((await portal.connectDestination()).status).toBe(200)
  await vi.waitFor(async () => expect((await portal.act('GET', '/plan')).json.state).toBe('finished'), patient)
  const changes = { entities: { tickets: { constants: { subject: `No subject, ${marker}` } } } }
  expect((await portal.act('PUT', '/mapping', { version: 0, changes })).status).toBe(200)
  expect((await portal.act('POST', '/saved-mappings', { name: `Of ${marker}` })).status).toBe(201)
  await vi.waitFor(async () => expect((await portal.act('GET', '/plan')).json.state).toBe('finished'), patient)
  return portal
}

test('after an erasure only the named tables contain anything of the customer', { timeout: 900_000 }, async () => {
  const portal = await walk()
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
  await portal.until('sample_migration_completed')
  await markPaid(service.db, portal.id)
  const billing = JSON.stringify({ name: marker, email: `${marker}@bill.example` })
  await service.db
    .updateTable('payments')
    .set({ billing, receipt_email: `${marker}@bill.example` })
    .where('import_id', '=', portal.id)
    .execute()

  // The walk itself left the marker in these columns, but in no line of the audit log and in no job.
  const walked = await findMarker()
  expect(walked).toEqual(
    expect.arrayContaining([
      'id_map.source_id',
      'import_contacts.address',
      'imports.destination_username',
      'mappings.changes',
      'payments.billing',
      'saved_mappings.name',
      'visitors.name',
    ]),
  )
  expect(walked.filter((place) => /^(audit_log|job)/.test(place))).toEqual([])
  await fillTables(portal.id)
  const planted = await plantEverywhere(portal.id)
  const some = ['attempts.response', 'id_map.message', 'run_stages.cursor', 'user_map.email', 'warnings.message']
  expect(planted).toEqual(expect.arrayContaining(some))

  const preview = await wherry('import', 'erase', portal.id)
  expect(preview.code).toBe(0)
  expect(JSON.parse(preview.text)).toMatchObject({ kept: keptTables, kept_payments: 1, would_erase: { uploads: 1 } })
  expect(await findMarker()).toEqual(expect.arrayContaining(planted))

  const { code, text } = await wherry('import', 'erase', portal.id, '--yes')
  expect([code, text]).toEqual([0, expect.stringContaining('"erased_at"')])
  expect(JSON.parse(text)).toMatchObject({
    id: portal.id,
    status: 'sample_migration_completed',
    items: { tickets: expect.any(Number) },
    ended_as: 'archived',
    kept: keptTables,
  })
  const kept = planted.filter((place) => keptTables.some((table) => place.startsWith(`${table}.`)))
  const left = (await findMarker()).filter((place) => !kept.includes(place))
  expect(left).toEqual([])
  expect(kept).toEqual(expect.arrayContaining(['payments.billing', 'payments.receipt_email']))
  expect(await service.db.selectFrom('upload_chunks').select('upload_id').execute()).toEqual([])
  expect(await service.db.selectFrom('withdrawn_access').select('id').execute()).toEqual([])
  expect(await service.asPartner('GET', `/imports/${portal.id}`)).toMatchObject({ error: 'not_found' })

  // A second erasure changes nothing, and the log has one line.
  expect((await wherry('import', 'erase', portal.id, '--yes')).code).toBe(0)
  const lines = await service.db
    .selectFrom('audit_log')
    .select('act')
    .where('subject', '=', portal.id)
    .where('act', '=', 'import erased')
    .execute()
  expect(lines).toHaveLength(1)
})

test('an erasure is refused while a run is active, and the error names the command that stops it', async () => {
  const portal = await service.openPortal()
  const { id: upload } = await portal.upload('tickets.csv', 'id,subject,description\n1,One,Text')
  await portal.connectSource(upload)
  await portal.connectDestination()
  await vi.waitFor(async () => expect((await portal.act('GET', '/plan')).json.state).toBe('finished'), patient)
  await service.db.updateTable('runs').set({ state: 'paused' }).where('import_id', '=', portal.id).execute()
  for (const more of [[], ['--yes']]) {
    const { code, text } = await wherry('import', 'erase', portal.id, ...more)
    expect([code, text]).toEqual([1, expect.stringContaining(`Stop it first: wherry import cancel ${portal.id}`)])
  }
  expect((await portal.act('GET', '')).status).toBe(200)
  expect((await wherry('import', 'cancel', portal.id)).code).toBe(0)
  expect((await wherry('import', 'erase', portal.id, '--yes')).code).toBe(0)
  const { code, text } = await wherry('import', 'erase', 'imp_nothing', '--yes')
  expect([code, text]).toEqual([1, expect.stringContaining('There is no import imp_nothing')])
})
