import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../service/src/db/open-database.ts'
import { setAside } from '../../service/src/engine/set-aside.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import type { MoveEvent } from '../../service/src/lifecycle.ts'
import { codeOf, goodPassword, openBrowser, setUpOperator } from '../console/console-client.ts'
import { billing, type PaidImport, type PayingService, startPayingService } from '../payments/paying-service.ts'
import { secretKey, webhookSecret } from '../payments/stripe-server.ts'
import { startCsvService } from '../portal/csv-service.ts'
import { createTestDatabase } from '../support/database.ts'
import { acts, actsOf, commands } from './acts.ts'
import { exportElsewhere } from './export-elsewhere.ts'
import { runWherry } from './run-wherry.ts'

const visitorName = 'Zoë Łukasz-Šťastná'
let service: PayingService
let folder: string
/** The acts in the log, by kind of actor. */
const seen = new Set<string>()

beforeAll(async () => {
  service = await startPayingService()
  folder = mkdtempSync(join(tmpdir(), 'wherry-acts-'))
})
afterAll(() => service?.close())

const wherry = async (...args: string[]) => {
  const { code, stdout, stderr } = await runWherry(service.databaseUrl, [...args, '--json'], {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: service.stripe.origin,
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_ORIGIN: 'https://import.example.com',
  })
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  return JSON.parse(stdout)
}
const fileOf = (name: string, content: object) => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}
const move = (importId: string, ...events: MoveEvent[]) =>
  service.db.transaction().execute(async (tx) => {
    for (const event of events) expect(await moveImport(tx, importId, event), event).not.toBeNull()
  })
/** Sends a request and expects that it is not refused. */
const ask = async (imp: PaidImport, method: string, path: string, body: object = {}) => {
  let answer = await imp.act(method, path, body)
  // On a loaded machine the first invoice takes longer than the time limit of a transaction.
  for (let tries = 1; answer.status === 503 && tries < 10; tries++) answer = await imp.act(method, path, body)
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.json)}`).toBeLessThan(300)
  return answer.json
}
const note = async (db: Db) => {
  const rows = await db.selectFrom('audit_log').select(['actor', 'act', 'details']).execute()
  for (const { actor, act } of rows) seen.add(`${actor.split(' ')[0]}: ${act}`)
  expect(JSON.stringify(rows)).not.toContain(visitorName)
}
const endRuns = (importId: string) =>
  sql`update runs set state = 'finished', finished_at = now() where import_id = ${importId} and state <> 'finished'`.execute(
    service.db,
  )

test('acts of partners and customers on an import', async () => {
  const imp = await service.createImport({ sponsorship: null })
  const { db } = service
  await ask(imp, 'PUT', '/contact', { address: 'zoe@example.com', language: 'en' })
  await ask(imp, 'PUT', '/language', { language: 'de' })
  await ask(imp, 'PUT', '/contact', { address: null, language: 'de' })
  await tellName(imp)
  await db.updateTable('imports').set({ destination_account: 'account' }).where('id', '=', imp.id).execute()
  await ask(imp, 'PUT', '/mapping', { version: 0, changes: {} })
  const kept = await ask(imp, 'POST', '/saved-mappings', { name: 'Ours' })
  await ask(imp, 'DELETE', `/saved-mappings/${kept.id}`)
  await db
    .insertInto('user_map')
    .values({ import_id: imp.id, source_user_id: 'u1', name: 'Ann' } as never)
    .execute()
  await ask(imp, 'PUT', '/people', { u1: null })
  await addRecord(imp.id)
  await ask(imp, 'PUT', '/verdicts', { entity: 'tickets', source_id: '1', verdict: 'fine' })
  const unplanned = await service.createImport()
  await addRecord(unplanned.id)
  await db.deleteFrom('plans').where('import_id', '=', unplanned.id).execute()
  await ask(unplanned, 'PUT', '/corrections/tickets/1', { fields: { subject: 'Rake' } })
  await ask(imp, 'POST', '/sponsorship-request')
  await imp.decide('reject')
  const other = await service.createImport()
  await other.partner.call('POST', `/api/v2.1/imports/${other.id}/link`)
  await ask(imp, 'POST', '/purchase', { provider: 'invoice', language: 'en', billing })
  await ask(imp, 'POST', '/purchase/cancel')
  await imp.decide('accept')
  for (const kind of ['plan', 'preview', 'check', 'sample']) await ask(imp, 'POST', '/runs', { kind })
  await ask(imp, 'POST', '/pause')
  await ask(imp, 'POST', '/resume')
  await makeSkippable(imp.id)
  await ask(imp, 'POST', '/skip')
  await endRuns(imp.id)
  await move(imp.id, 'last sample record verified')
  for (const kind of ['full', 'delta', 'retry', 'removal']) {
    await sql`update id_map set gone_from_source_at = now(), warned = '{gone_from_source}' where import_id = ${imp.id}`.execute(
      db,
    )
    await ask(imp, 'POST', '/runs', { kind })
    await endRuns(imp.id)
    await move(imp.id, 'last record verified')
  }
  await wherry('import', 'retry', imp.id)
  await endRuns(imp.id)
  await move(imp.id, 'last record verified')
  await sql`update id_map set gone_from_source_at = now(), warned = '{gone_from_source}' where import_id = ${imp.id}`.execute(
    db,
  )
  await ask(imp, 'POST', '/keep-gone')
  await ask(imp, 'POST', '/runs', { kind: 'undo' })
  await endRuns(imp.id)
  await move(imp.id, 'last record removed')
  await ask(imp, 'POST', '/start-over')
  await ask(imp, 'POST', '/cancel')
  const mapping = { name: 'Best', source_tool: 'fernhill', family: 'helpdesk', changes: {} }
  const { json } = await imp.partner.call('POST', '/api/v2.1/mappings', mapping)
  expect((await imp.partner.call('DELETE', `/api/v2.1/mappings/${json.id}`)).status).toBe(204)
  const paying = await service.createImport()
  const { id: session } = await paying.checkOut()
  expect(await service.sendEvent(service.stripe.pay(session))).toBe(200)
  await note(db)
})

test('acts of customers on files', async () => {
  const csv = await startCsvService()
  try {
    const portal = await csv.openPortal()
    const bytes = Buffer.from('id,subject\n1,Rake\n')
    const { id } = await portal.begin('tickets.csv', bytes.length)
    await portal.sendPart(id, 0, bytes)
    const added = await portal.act('POST', `/uploads/${id}/files`, { file_name: 'more.csv', size: 5 })
    expect(added.status).toBe(201)
    await portal.act('DELETE', `/uploads/${id}/files/1`)
    expect((await portal.finish(id)).status).toBe(200)
    const { tables } = await portal.look(id)
    const chosen = await portal.act('PUT', `/uploads/${id}/tables`, {
      tables: [{ file: tables[0]?.file, entity: 'tickets' }],
    })
    expect(chosen.status, JSON.stringify(chosen.json)).toBeLessThan(300)
    expect((await portal.finish(id)).status).toBe(200)
    expect((await portal.connectSource(id)).status).toBe(200)
    expect((await portal.connectDestination()).status).toBe(200)
    await note(csv.db)
  } finally {
    await csv.close()
  }
})

test('acts of the operator', async () => {
  const { db, origin } = service
  const created = await wherry('partner', 'create', '--name', 'Acme', '--destination', 'open', '--families', 'helpdesk')
  const partner: string = created.id
  await wherry('partner', 'brand', partner, '--accent', '#14638f')
  await wherry('partner', 'policy', partner, 'customer_pays')
  const changes = fileOf('changes.json', {})
  const place = ['--source', 'fernhill', '--family', 'helpdesk', '--file', changes]
  const mapping = await wherry('partner', 'mapping', 'set', partner, '--name', 'Best', ...place)
  await wherry('partner', 'mapping', 'remove', mapping.id)
  const issued = await wherry('token', 'issue', '--partner', partner)
  await wherry('token', 'revoke', issued.id)
  await wherry('webhook', 'set', '--partner', partner, '--url', `${origin}/nowhere`)
  await runWherry(service.databaseUrl, ['webhook', 'test', '--partner', partner], {
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  await wherry('webhook', 'rotate', '--partner', partner)
  await wherry('webhook', 'replay', '--failed', '--partner', partner)
  await wherry(
    'connector',
    'oauth',
    'set',
    'fernhill',
    '--instance',
    'https://desk.example.com',
    '--client-id',
    'wherry',
  )
  await wherry('connector', 'oauth', 'remove', 'fernhill', '--instance', 'https://desk.example.com')
  await setAside(service.db, { tool: 'looping', code: '' }, 'it loops')
  await wherry('connector', 'admit', 'looping')
  const { document } = await wherry('prices', 'show')
  await wherry('prices', 'set', '--file', fileOf('prices.json', document))
  const issuer = { name: 'Wherry GmbH', address: ['Hafen 1'], payment: ['IBAN DE02 1203 0000 0000 2020 51'] }
  await wherry('invoice', 'issuer', '--file', fileOf('issuer.json', issuer))
  const imp = await service.createImport()
  const invoices = async () =>
    (await wherry('invoice', 'list')).map((invoice: { number: string }) => invoice.number).sort() as string[]
  await ask(imp, 'POST', '/purchase', { provider: 'invoice', language: 'en', billing })
  await wherry('invoice', 'cancel', String((await invoices()).at(-1)))
  await ask(imp, 'POST', '/purchase', { provider: 'invoice', language: 'en', billing })
  await wherry('invoice', 'paid', String((await invoices()).at(-1)))
  const paid = (await imp.payments()).find(({ state }) => state === 'paid')
  await wherry('payment', 'refund', String(paid?.id))
  const running = await service.createImport()
  await ask(running, 'POST', '/runs', { kind: 'sample' })
  await wherry('run', 'pause', '--import', running.id)
  await wherry('run', 'resume', '--import', running.id)
  await makeSkippable(running.id)
  await wherry('run', 'skip', '--import', running.id)
  await sql`update runs set failures = 3 where import_id = ${running.id}`.execute(db)
  await wherry('run', 'retry', '--import', running.id)
  await wherry('import', 'cancel', running.id)
  const stopped = await service.createImport()
  await ask(stopped, 'POST', '/runs', { kind: 'sample' })
  await wherry('run', 'stop', '--import', stopped.id, '--yes')
  await wherry('import', 'archive', (await service.createImport()).id)
  await wherry('partner', 'retention', partner, '--undo-days', '7')
  await wherry('partner', 'budget', partner, '2000.00')
  const lost = await service.createImport()
  await wherry('ledger', 'partition', lost.id)
  await wherry('import', 'link', lost.id, '--revoke')
  await wherry('import', 'link', lost.id)
  await wherry('import', 'cancel', lost.id)
  await wherry('import', 'erase', lost.id, '--yes')
  const afterRestore = await exportElsewhere({ act: 'texts erased', subject: lost.id })
  await wherry('import', 'erase', '--from-audit', afterRestore, '--yes')
  await wherry('partner', 'disable', partner)
  await note(db)
})

test('acts of the operator on accounts of the console', async () => {
  const { db } = service
  const { browser, id, name, secret } = await setUpOperator(service, 'Ana', 'owner')
  await openBrowser(service).ask('POST', '/session', { name, password: goodPassword, code: codeOf(secret) })
  const looked = await service.createImport()
  const reason = 'Ticket 4711: the sample shows no files'
  const cookie = browser.cookie()
  expect((await browser.ask('POST', `/imports/${looked.id}/look`, { reason })).status).toBe(200)
  browser.setCookie(cookie)
  const [session] = await wherry('operator', 'sessions')
  await wherry('operator', 'sign-out', session.id)
  await browser.ask('DELETE', '/session')
  const other = await wherry('operator', 'create', '--name', 'Bea', '--role', 'support')
  await wherry('operator', 'role', other.id, 'reader')
  await wherry('operator', 'disable', other.id)
  await wherry('operator', 'enable', other.id)
  await wherry('operator', 'reset', id)
  await note(db)
})

test('acts of the operator on keys', async () => {
  const own = await createTestDatabase()
  const database = openDatabase(own.url, { poolSize: 2 })
  try {
    const withFile = async (...args: string[]) => {
      const { code, stderr } = await runWherry(own.url, args, { WHERRY_KEYS: '', WHERRY_HOME: folder })
      expect(code, stderr).toBe(0)
    }
    await withFile('keys', 'add')
    await withFile('keys', 'rotate')
    await withFile('keys', 'drop', 'k1')
    await note(database.db)
  } finally {
    await database.close()
    await own.drop()
  }
})

test('each of these acts left its line, and no line has the name of a person', () => {
  expect(actsOf({ ...acts, ...commands }).filter((act) => !seen.has(act))).toEqual([])
})

async function tellName(imp: PaidImport): Promise<void> {
  const put = async (name: string | null, visitor: string) =>
    fetch(`${service.origin}/portal/imports/${imp.id}/visitor`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: `${imp.cookie}; ${visitor}` },
      body: JSON.stringify({ name }),
    })
  const told = await put(visitorName, '')
  expect(told.status).toBe(204)
  const cookie = String(told.headers.get('set-cookie')).split(';')[0] ?? ''
  expect((await put(null, cookie)).status).toBe(204)
}

async function addRecord(importId: string): Promise<void> {
  await sql`insert into id_map (import_id, entity, source_id, state, run_id, destination_id)
    select import_id, 'tickets', '1', 'written', id, 'd1' from runs where import_id = ${importId}`.execute(service.db)
}

/** A stuck run whose obstacle can be skipped. */
async function makeSkippable(importId: string): Promise<void> {
  const obstacle = { code: 'source_page_failing', must_act: 'customer', message: 'x', role: 'source', can_skip: true }
  await sql`update runs set obstacle = ${JSON.stringify(obstacle)}::jsonb
    where import_id = ${importId} and state in ('working', 'paused')`.execute(service.db)
}
