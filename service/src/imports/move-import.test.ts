import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { markPaid } from '../../../test/support/mark-paid.ts'
import { waitUntilBlocking } from '../../../test/support/wait-until-blocking.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { newId } from '../ids.ts'
import { type ImportStatus, importStatuses, type Move, type MoveEvent, moves } from '../lifecycle.ts'
import { moveImport } from './move-import.ts'

let own: TestDatabase
let database: OpenDatabase
const partnerId = newId('prt')

beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 20 })
  await database.db
    .insertInto('partners')
    .values({ id: partnerId, name: 'Acme', destination_tool: 'open', families: ['helpdesk'] })
    .execute()
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

interface Circumstances {
  startFull?: boolean
  sponsorship?: 'undecided' | 'accepted' | 'rejected'
  paid?: boolean
  ended?: boolean
  sampled?: boolean
}

async function insertImport(status: ImportStatus, circumstances: Circumstances = {}): Promise<string> {
  const { startFull = false, sponsorship = 'undecided', paid = false, ended = false, sampled = false } = circumstances
  const id = newId('imp')
  await database.db
    .insertInto('imports')
    .values({
      id,
      partner_id: partnerId,
      source_tool: 'fernhill',
      destination_tool: 'open',
      family: 'helpdesk',
      start_full: startFull,
      sponsorship,
      status,
      sequence: 1,
      ended_at: ended ? new Date() : null,
      ended_as: ended ? 'cancelled' : null,
    })
    .execute()
  if (sampled) {
    await database.db
      .insertInto('runs')
      .values({
        id: newId('run'),
        import_id: id,
        kind: 'sample',
        state: 'finished',
        since: null,
        obstacle: null,
        finished_at: new Date(),
      })
      .execute()
  }
  if (paid) await markPaid(database.db, id)
  return id
}

const move = (id: string, event: MoveEvent) => database.db.transaction().execute((tx) => moveImport(tx, id, event))

const look = (id: string) =>
  database.db
    .selectFrom('imports')
    .select(['status', 'sequence', 'full_started_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const eventsOf = (id: string) =>
  database.db
    .selectFrom('events')
    .select(['sequence', 'status'])
    .where('import_id', '=', id)
    .orderBy('sequence')
    .execute()

const fitting: Record<NonNullable<Move['when']> | 'always', Circumstances> = {
  always: {},
  'sample first': { startFull: false },
  start_full: { startFull: true, sponsorship: 'accepted' },
  'sponsorship accepted': { sponsorship: 'accepted' },
  'sponsorship accepted or paid': { paid: true },
  paid: { paid: true },
  'not paid': { paid: false },
  'not paid, with a sample': { paid: false, sampled: true },
  'not paid, without a sample': { paid: false },
}
const events = [...new Set(moves.map(({ event }) => event))]

test('every move of the table works, increments the sequence and records its event', async () => {
  for (const { from, event, to, when } of moves as readonly (Move & { event: MoveEvent })[]) {
    const id = await insertImport(from, fitting[when ?? 'always'])
    expect([event, await move(id, event)]).toEqual([event, to])
    const imp = await look(id)
    expect(imp).toMatchObject({ status: to, sequence: 2 })
    expect(imp.full_started_at !== null).toBe(to === 'migration_in_progress')
    expect(await eventsOf(id)).toEqual([{ sequence: 2, status: to }])
  }
})

test('no other combination of status, event and circumstances moves anything', async () => {
  const allowed = (from: ImportStatus, event: MoveEvent, c: Circumstances): ImportStatus | undefined =>
    (moves as readonly Move[]).find(
      (candidate) =>
        candidate.from === from &&
        candidate.event === event &&
        (candidate.when === undefined ||
          (candidate.when === 'start_full' && isSponsoredFull(c)) ||
          (candidate.when === 'sample first' && !isSponsoredFull(c)) ||
          (candidate.when === 'sponsorship accepted' && c.sponsorship === 'accepted') ||
          (candidate.when === 'sponsorship accepted or paid' && (c.sponsorship === 'accepted' || c.paid)) ||
          (candidate.when === 'paid' && (c.paid || isSponsoredFull(c))) ||
          (candidate.when === 'not paid' && !(c.paid || isSponsoredFull(c))) ||
          (candidate.when === 'not paid, with a sample' && c.sampled && !(c.paid || isSponsoredFull(c))) ||
          (candidate.when === 'not paid, without a sample' && !c.sampled && !(c.paid || isSponsoredFull(c)))),
    )?.to
  const isSponsoredFull = (c: Circumstances) => c.startFull && c.sponsorship === 'accepted'
  const circumstances: Circumstances[] = [
    {},
    { startFull: true },
    { startFull: true, sponsorship: 'accepted' },
    { sponsorship: 'accepted' },
    { sponsorship: 'rejected' },
    { paid: true },
    { sampled: true },
    { sampled: true, paid: true },
    { ended: true, sponsorship: 'accepted', paid: true },
  ]
  for (const from of importStatuses) {
    for (const c of circumstances) {
      for (const event of events) {
        const id = await insertImport(from, c)
        const expected = c.ended ? null : (allowed(from, event, c) ?? null)
        expect([from, c, event, await move(id, event)]).toEqual([from, c, event, expected])
        if (expected === null) {
          expect(await look(id)).toMatchObject({ status: from, sequence: 1 })
          expect(await eventsOf(id)).toEqual([])
        }
      }
    }
  }
}, 900_000)

test('of many identical moves at once, exactly one succeeds', async () => {
  const id = await insertImport('sample_migration_completed', { sponsorship: 'accepted' })
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      move(id, index % 2 === 0 ? 'customer starts the full migration' : 'customer undoes'),
    ),
  )
  expect(results.filter((status) => status !== null)).toHaveLength(1)
  expect(await eventsOf(id)).toHaveLength(1)
})

test('a move that waited for another one checks the status again before it acts', async () => {
  const id = await insertImport('sample_migration_completed', { sponsorship: 'accepted' })
  let late: Promise<ImportStatus | null> = Promise.resolve(null)
  await database.db.transaction().execute(async (tx) => {
    await moveImport(tx, id, 'customer undoes')
    // This move starts while the transaction holds the row's lock, so it has to wait.
    late = move(id, 'customer starts the full migration')
    await waitUntilBlocking(tx)
  })
  expect(await late).toBeNull()
  expect((await look(id)).status).toBe('undo_in_progress')
})

test("a sponsorship that is withdrawn during the customer's start prevents the start", async () => {
  const id = await insertImport('sample_migration_completed', { sponsorship: 'accepted' })
  let late: Promise<ImportStatus | null> = Promise.resolve(null)
  await database.db.transaction().execute(async (tx) => {
    await tx.updateTable('imports').set({ sponsorship: 'rejected' }).where('id', '=', id).execute()
    late = move(id, 'customer starts the full migration')
    await waitUntilBlocking(tx)
  })
  expect(await late).toBeNull()
})

test('a move that is rolled back leaves no event', async () => {
  const id = await insertImport('waiting_to_start_sample_migration')
  const attempt = database.db.transaction().execute(async (tx) => {
    await moveImport(tx, id, 'customer starts the sample')
    throw new Error('crashed')
  })
  await expect(attempt).rejects.toThrow('crashed')
  expect(await look(id)).toMatchObject({ status: 'waiting_to_start_sample_migration', sequence: 1 })
  expect(await eventsOf(id)).toEqual([])
})

test('the database itself refuses any move that is not in the table', async () => {
  for (const from of importStatuses) {
    for (const to of importStatuses.filter((status) => status !== from)) {
      const id = await insertImport(from, { sponsorship: 'accepted' })
      const update = database.pool.query('update imports set status = $2 where id = $1', [id, to])
      if (moves.some((candidate) => candidate.from === from && candidate.to === to)) await update
      else await expect(update).rejects.toThrow('cannot move')
    }
  }
  const ended = await insertImport('undo_in_progress', { ended: true })
  const update = database.pool.query(`update imports set status = 'migration_cleaned' where id = $1`, [ended])
  await expect(update).rejects.toThrow('has ended')
})

test('the database has the same table of moves', async () => {
  const stored = await database.db.selectFrom('import_moves').selectAll().execute()
  const pairs = (rows: { from: string; to: string }[]) =>
    [...new Set(rows.map(({ from, to }) => `${from} > ${to}`))].sort()
  expect(pairs(stored.map(({ from_status, to_status }) => ({ from: from_status, to: to_status })))).toEqual(
    pairs([...moves]),
  )
})
