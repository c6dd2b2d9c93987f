import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { audit } from '../../service/src/audit.ts'
import { type AuditLine, hashLine, sealAll, sealSome, startSealing } from '../../service/src/audit-chain.ts'
import { readChain } from '../../service/src/audit-read.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { sortedJson } from '../../service/src/sorted-json.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runWherry } from './run-wherry.ts'

let own: TestDatabase
let database: ReturnType<typeof openDatabase>
let exported: string

beforeAll(async () => {
  exported = join(await mkdtemp(join(tmpdir(), 'wherry-audit-')), 'export.jsonl')
})
beforeEach(async () => {
  await database?.close()
  await own?.drop()
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 8 })
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const wherry = (...args: string[]) => runWherry(own.url, args)
const write = async (count: number) => {
  for (let index = 1; index <= count; index++) {
    await audit(database.db, { actor: 'operator', act: 'tested', subject: `line ${index}`, details: { index } })
  }
}
/** An attack by a superuser who has switched the guards off. */
const tamper = async (...statements: string[]) => {
  for (const statement of statements) {
    await database.pool.query(`begin; alter table audit_log disable trigger user; alter table audit_head disable trigger user;
      ${statement}; alter table audit_log enable trigger user; alter table audit_head enable trigger user; commit`)
  }
}
const chain = async (options: { since?: Date } = {}) => {
  const lines: AuditLine[] = []
  for await (const line of readChain(database.db, options)) lines.push(line)
  return lines
}
const verify = async (...args: string[]) => wherry('audit', 'verify', '--json', ...args)

test('the hashed form follows RFC 8785', () => {
  // The sorting example of the RFC, section 3.2.3, and its numbers.
  const given = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
  expect(sortedJson(given)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}')
  expect(sortedJson([333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001, null, true])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,null,true]',
  )
})

test('lines are numbered and chained in the order of their commits, and the first has no predecessor', async () => {
  await write(3)
  await sealAll(database.db)
  const lines = await chain()
  expect(lines.map(({ seq, subject }) => [seq, subject])).toEqual([
    [1, 'line 1'],
    [2, 'line 2'],
    [3, 'line 3'],
  ])
  expect(lines[0]?.previous_hash).toBe('0'.repeat(64))
  expect(lines[1]?.previous_hash).toBe(lines[0]?.hash)
  expect(lines.map(hashLine)).toEqual(lines.map(({ hash }) => hash))
})

test('a line whose transaction commits late gets a later number, and other lines do not wait for it', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: tell } = Promise.withResolvers<void>()
  const late = database.db.transaction().execute(async (tx) => {
    await audit(tx, { actor: 'operator', act: 'tested', subject: 'late' })
    tell()
    await held
  })
  await isWritten
  await write(1)
  await sealAll(database.db)
  release()
  await late
  await sealAll(database.db)
  expect((await chain()).map(({ subject }) => subject)).toEqual(['line 1', 'late'])
  expect(await verify()).toMatchObject({ code: 0 })
})

test('many writers and several processes that seal make one chain without a fork or a gap', async () => {
  const sealers = [1, 2, 3].map(() => startSealing(database.db, { warn: () => {} }))
  await Promise.all(Array.from({ length: 6 }, () => write(30)))
  await vi.waitFor(async () => expect(await chain()).toHaveLength(180), { timeout: 300_000 })
  await Promise.all(sealers.map((sealer) => sealer.stop()))
  expect(JSON.parse((await verify()).stdout)).toMatchObject({ lines: 180, first: 1, last: 180 })
})

test('no statement changes the log, except the one that gives a line its place, once', async () => {
  await write(2)
  await sealSome(database.db)
  await write(1)
  for (const statement of [
    `update audit_log set act = 'x'`,
    `update audit_log set seq = 9, previous_hash = repeat('0', 64), hash = repeat('0', 64) where seq = 1`,
    `update audit_log set seq = 9, previous_hash = repeat('0', 64), hash = repeat('0', 64), actor = 'x' where seq is null`,
    `insert into audit_log (actor, act, subject, seq, previous_hash, hash) values ('a', 'b', 'c', 9, repeat('0', 64), repeat('0', 64))`,
    'delete from audit_log',
    'truncate audit_log',
  ]) {
    await expect(database.pool.query(statement), statement).rejects.toThrow('append-only')
  }
  for (const statement of ['update audit_head set seq = 1', 'delete from audit_head', 'truncate audit_head']) {
    await expect(database.pool.query(statement), statement).rejects.toThrow('head of the audit log')
  }
})

test.each([
  ['a changed line', `update audit_log set actor = 'service' where seq = 3`, 'Line 3 of the audit log was changed'],
  ['a changed time', `update audit_log set at = at + interval '1 microsecond' where seq = 3`, 'Line 3 '],
  ['changed details', `update audit_log set details = '{"index": 4}' where seq = 3`, 'Line 3 '],
  ['a removed line', 'delete from audit_log where seq = 3', 'Line 3 of the audit log is missing'],
  ['a removed first line', 'delete from audit_log where seq = 1', 'Line 1 of the audit log is missing'],
  ['a removed last line', 'delete from audit_log where seq = 6', 'Line 6 of the audit log is missing'],
  ['a log without lines', 'delete from audit_log', 'Line 1 of the audit log is missing'],
  [
    'two swapped lines',
    'update audit_log set seq = 99 where seq = 3; update audit_log set seq = 3 where seq = 4; update audit_log set seq = 4 where seq = 99',
    'Line 3 of the audit log was changed',
  ],
  [
    'an inserted line',
    `update audit_log set seq = seq + 100 where seq >= 3; update audit_log set seq = seq - 99 where seq > 100;
     insert into audit_log (actor, act, subject, seq, previous_hash, hash)
       select 'operator', 'forged', 'x', 3, hash, repeat('a', 64) from audit_log where seq = 2;
     update audit_head set seq = 7`,
    'Line 3 of the audit log was changed',
  ],
])('%s in the table is named as the first wrong line', async (_what, statement, message) => {
  await write(6)
  expect(await verify()).toMatchObject({ code: 0 })
  await tamper(statement)
  const { code, stderr } = await verify()
  expect(code).toBe(1)
  expect(stderr).toContain(message)
})

test('a log that was cut and rewritten is consistent in itself, but contradicts a head that was noted before', async () => {
  await write(6)
  const { head } = JSON.parse((await verify()).stdout)
  await write(2)
  expect(await verify('--head', head)).toMatchObject({ code: 0 })
  await tamper(
    'delete from audit_log where seq > 4; update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 4)',
  )
  expect(await verify()).toMatchObject({ code: 0 })
  const { code, stderr } = await verify('--head', head)
  expect(code).toBe(1)
  expect(stderr).toContain(`No line of the audit log has the hash ${head}`)
  expect((await verify('--head', 'abc')).stderr).toContain('--head must be the hash of a line')
})

test.each([
  [
    'changed',
    (lines: string[]) => lines.with(2, String(lines[2]).replace('tested', 'test')),
    'Line 3 of the audit log was changed',
  ],
  ['removed', (lines: string[]) => lines.toSpliced(2, 1), 'Line 3 of the audit log is missing'],
  [
    'swapped',
    (lines: string[]) => lines.with(2, String(lines[3])).with(3, String(lines[2])),
    'Line 3 of the audit log is missing',
  ],
  [
    'doubled',
    (lines: string[]) => lines.toSpliced(3, 0, String(lines[2])),
    'Line 3 of the audit log does not belong after line 3',
  ],
  [
    'inserted',
    (lines: string[]) => lines.toSpliced(2, 0, JSON.stringify({ ...JSON.parse(String(lines[1])), seq: 3 })),
    'Line 3 of the audit log was changed',
  ],
  ['torn', (lines: string[]) => lines.with(2, String(lines[2]).slice(0, 40)), 'is no line of an export'],
])('a %s line of an exported file is named', async (_how, change, message) => {
  await write(6)
  await sealAll(database.db)
  const lines = (await chain()).map((line) => JSON.stringify(line))
  await writeFile(exported, `${lines.join('\n')}\n`)
  expect(await verify('--file', exported)).toMatchObject({ code: 0 })
  await writeFile(exported, `${change(lines).join('\n')}\n`)
  const { code, stderr } = await verify('--file', exported)
  expect(code).toBe(1)
  expect(stderr).toContain(message)
})

test('lines are listed by time, actor, act and subject, newest first', async () => {
  await write(2)
  await audit(database.db, { actor: 'customer imp_1', act: 'run paused', subject: 'imp_1' })
  const list = async (...args: string[]) =>
    JSON.parse((await wherry('audit', 'list', '--json', ...args)).stdout).map(
      (line: { subject: string }) => line.subject,
    )
  expect(await list()).toEqual(['imp_1', 'line 2', 'line 1'])
  expect(await list('--actor', 'customer')).toEqual(['imp_1'])
  expect(await list('--actor', 'customer imp_1', '--act', 'run paused')).toEqual(['imp_1'])
  expect(await list('--actor', 'cust')).toEqual([])
  expect(await list('--subject', 'line 1')).toEqual(['line 1'])
  expect(await list('--limit', '1')).toEqual(['imp_1'])
  expect(await list('--since', new Date(Date.now() + 3_600_000).toISOString())).toEqual([])
  expect((await wherry('audit', 'list', '--since', 'soon')).stderr).toContain('--since must be a time')
})

test('an export since a time begins in the middle of the chain, and still verifies', async () => {
  await write(2)
  await sealAll(database.db)
  await tamper(`update audit_log set at = now() - interval '1 day'`)
  await write(2)
  await sealAll(database.db)
  const lines = await chain({ since: new Date(Date.now() - 3_600_000) })
  expect(lines.map(({ seq }) => seq)).toEqual([3, 4])
  await writeFile(exported, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(JSON.parse((await verify('--file', exported)).stdout)).toMatchObject({ lines: 2, first: 3, last: 4 })
  expect(await readFile(exported, 'utf8')).toContain('"at":"')
})
