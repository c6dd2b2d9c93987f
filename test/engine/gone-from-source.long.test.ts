import { afterEach, expect, test } from 'vitest'
import type { CrashPoint } from '../../service/src/engine/run-context.ts'
import { keepGone } from '../../service/src/imports/gone-records.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { deleteInDesk, type Hiding, hideRecords, keyOf } from './delete-in-desk.ts'
import { expectTrueNumbers, expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { linkTickets, parentOf } from './linked-desk.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

async function connected(options: Parameters<typeof startJourney>[0] = {}) {
  journey = await startJourney(options)
  await journey.connectSource()
  await journey.connectDestination()
  return openHarbour(journey)
}

async function migrated(options: Parameters<typeof startJourney>[0] = {}) {
  const harbour = await connected(options)
  await journey.work(await journey.start('full'))
  return harbour
}

const rowsOf = (entity: string) =>
  journey.db
    .selectFrom('id_map')
    .select(['source_id', 'state', 'code', 'warned', 'message', 'gone_from_source_at'])
    .where('entity', '=', entity)
    .orderBy('source_id')
    .execute()
const rowOf = async (entity: string, id: string) =>
  (await rowsOf(entity)).find(({ source_id }) => source_id === id) ?? expect.fail(`no row of ${entity} ${id}`)
const goneIds = async (entity: string) =>
  (await rowsOf(entity)).filter((row) => row.gone_from_source_at !== null).map(({ source_id }) => source_id)
const goneWarnings = async () =>
  Object.fromEntries(
    Object.entries(await expectTrueWarnings(journey, ['fewer_than_counted'])).filter(([code]) =>
      code.endsWith(' gone_from_source'),
    ),
  )
const delta = async () => journey.work(await journey.start('delta'))
const removal = async () => journey.work(await journey.start('removal'))

/** The comments and files of a ticket, as Harbour has them. */
const hangingOn = async (ticket: string) => {
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['entity', 'source_id', 'parent_entity', 'parent_source_id'])
    .where('state', '=', 'written')
    .execute()
  const comments = rows.filter((row) => row.parent_entity === 'tickets' && row.parent_source_id === ticket)
  const ids = comments.map(({ source_id }) => source_id)
  const files = rows.filter((row) => row.parent_entity === 'comments' && ids.includes(String(row.parent_source_id)))
  return { comments: ids, files: files.map(({ source_id }) => source_id) }
}

async function expectAllUndone(): Promise<void> {
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  expect(await presentIn(journey)).toEqual(new Set())
  await expectTrueNumbers(journey)
  const rows = await journey.db.selectFrom('id_map').select('state').where('state', '<>', 'removed').execute()
  expect(rows.map(({ state }) => state).filter((state) => state === 'written')).toEqual([])
}

test('a delta lists records that were deleted in the source, and keeps their copies', limit, async () => {
  const harbour = await migrated()
  const { comments, files } = await hangingOn('1')
  expect(comments.length).toBeGreaterThan(0)
  const before = (await journey.status()).items
  await deleteInDesk(journey, 'tickets', '1')
  await delta()
  expect(await goneIds('tickets')).toEqual(['1'])
  expect(await goneIds('comments')).toEqual(comments.sort())
  expect(await goneIds('attachments')).toEqual(files.sort())
  expect(await goneWarnings()).toEqual({
    'tickets gone_from_source': 1,
    'comments gone_from_source': comments.length,
    ...(files.length > 0 && { 'attachments gone_from_source': files.length }),
  })
  expect(await harbour.fieldsOf('tickets', '1')).toBeDefined()
  expect((await journey.status()).items).toEqual(before)
  expect(await compare(journey)).toEqual(nothingWrong)
})

test(
  'a removal removes the records that the source no longer has, and a later undo removes the rest',
  limit,
  async () => {
    const harbour = await migrated()
    const { comments, files } = await hangingOn('1')
    const before = (await journey.status()).items
    await deleteInDesk(journey, 'tickets', '1')
    await deleteInDesk(journey, 'comments', String((await hangingOn('2')).comments[0]))
    await delta()
    await removal()
    expect(await harbour.fieldsOf('tickets', '1')).toBeUndefined()
    expect(await harbour.fieldsOf('tickets', '2')).toBeDefined()
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect((await journey.status()).progress).toEqual({
      done: 2 + comments.length + files.length,
      total: 2 + comments.length + files.length,
    })
    expect((await journey.status()).items).toMatchObject({
      tickets: before.tickets - 1,
      comments: before.comments - comments.length - 1,
    })
    expect(await rowOf('tickets', '1')).toMatchObject({ state: 'removed', code: 'gone_from_source', warned: null })
    expect(await goneWarnings()).toEqual({})
    await expectTrueNumbers(journey)
    expect(await compare(journey)).toEqual(nothingWrong)
    // Nothing is left to remove, and the next delta reports nothing.
    await expect(journey.start('removal')).rejects.toThrow(/validation|kind/i)
    expect((await journey.status()).status_code).toBe('migration_completed')
    await delta()
    expect(await goneWarnings()).toEqual({})
    await expectAllUndone()
  },
)

test('records that the customer keeps stay, are not listed again, and are removed by an undo', limit, async () => {
  const harbour = await migrated()
  await deleteInDesk(journey, 'tickets', '1')
  await delta()
  await keepGone(journey.db, journey.importId)
  expect(await goneWarnings()).toEqual({})
  await deleteInDesk(journey, 'tickets', '2')
  await delta()
  expect((await goneWarnings())['tickets gone_from_source']).toBe(1)
  expect(await goneIds('tickets')).toEqual(['1', '2'])
  await removal()
  expect(await harbour.fieldsOf('tickets', '1')).toBeDefined()
  expect(await harbour.fieldsOf('tickets', '2')).toBeUndefined()
  await expectTrueNumbers(journey)
  await expectAllUndone()
})

test(
  'a removal keeps records that people edited in the destination, with their parents, and says so',
  limit,
  async () => {
    const harbour = await migrated()
    const [comment = ''] = (await hangingOn('1')).comments
    await deleteInDesk(journey, 'tickets', '1')
    await deleteInDesk(journey, 'tickets', '2')
    await delta()
    await harbour.change('comments', comment, { body: '<p>Somebody edited this.</p>' })
    await removal()
    expect(await harbour.fieldsOf('comments', comment)).toMatchObject({ body: '<p>Somebody edited this.</p>' })
    expect(await rowOf('comments', comment)).toMatchObject({ state: 'written', code: 'edited' })
    // Earlier warnings stay true.
    expect((await rowOf('comments', comment)).warned).toContain('kept')
    expect(await rowOf('tickets', '1')).toMatchObject({ state: 'written', code: 'edited' })
    expect((await rowOf('tickets', '1')).warned).toContain('kept')
    expect(await harbour.fieldsOf('tickets', '1')).toBeDefined()
    expect(await harbour.fieldsOf('tickets', '2')).toBeUndefined()
    await expectTrueNumbers(journey)
    expect(await goneWarnings()).toEqual({})
    await journey.work(await journey.start('undo'))
    expect(await harbour.fieldsOf('comments', comment)).toBeDefined()
    await expectTrueNumbers(journey)
  },
)

test('a removal keeps a record that a remaining record refers to', limit, async () => {
  const harbour = await migrated({ readAs: linkTickets })
  // Ticket 10 links to ticket 12; no remaining record links to ticket 3.
  expect(parentOf(10)).toBe(12)
  const referring = Array.from({ length: 120 }, (_, index) => index + 1).filter((id) => parentOf(id) === 3)
  for (const id of [3, 12, ...referring]) await deleteInDesk(journey, 'tickets', String(id))
  await delta()
  await removal()
  expect(await harbour.fieldsOf('tickets', '12')).toBeDefined()
  expect(await rowOf('tickets', '12')).toMatchObject({ state: 'written', code: 'edited' })
  expect((await rowOf('tickets', '12')).message).toContain('refers to it')
  expect(await harbour.fieldsOf('tickets', '3')).toBeUndefined()
  await expectTrueNumbers(journey)
  await expectAllUndone()
})

test('a record that the account may no longer see is not reported as deleted', limit, async () => {
  const hiding: Hiding = { ids: new Set(), status: 403 }
  const harbour = await migrated({ between: { source: hideRecords(hiding) } })
  hiding.ids = new Set(['tickets/1', 'tickets/2'])
  await delta()
  expect(await goneIds('tickets')).toEqual([])
  expect(await goneWarnings()).toEqual({})
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await harbour.fieldsOf('tickets', '1')).toBeDefined()
})

test('a record that exists in the source again is no longer reported', limit, async () => {
  const hiding: Hiding = { ids: new Set(), status: 404 }
  await migrated({ between: { source: hideRecords(hiding) } })
  hiding.ids = new Set(['tickets/1', 'tickets/2'])
  await delta()
  expect(await goneIds('tickets')).toEqual(['1', '2'])
  hiding.ids = new Set(['tickets/2'])
  await delta()
  expect(await goneIds('tickets')).toEqual(['2'])
  expect(await goneWarnings()).toEqual({ 'tickets gone_from_source': 1 })
})

test('a record that was removed and exists in the source again is reported, and a retry copies it', limit, async () => {
  const hiding: Hiding = { ids: new Set(), status: 404 }
  const harbour = await migrated({ between: { source: hideRecords(hiding) } })
  const before = (await journey.status()).items
  const { comments } = await hangingOn('1')
  hiding.ids = new Set(['tickets/1', ...comments.map((id) => `comments/${id}`)])
  await delta()
  await removal()
  expect(await harbour.fieldsOf('tickets', '1')).toBeUndefined()
  hiding.ids = new Set()
  await delta()
  expect(await rowOf('tickets', '1')).toMatchObject({
    state: 'refused',
    code: 'back_in_source',
    warned: ['back_in_source'],
  })
  await expectTrueWarnings(journey)
  await journey.work(await journey.start('retry'))
  expect(await harbour.fieldsOf('tickets', '1')).toBeDefined()
  expect(await rowOf('tickets', '1')).toMatchObject({ state: 'written', gone_from_source_at: null })
  expect((await journey.status()).items.comments).toBe(before.comments)
  await expectTrueWarnings(journey)
  await expectTrueNumbers(journey)
})

test('a record that was deleted on both sides is settled, without a warning', limit, async () => {
  const harbour = await migrated()
  const { comments, files } = await hangingOn('1')
  await harbour.remove('tickets', '1')
  await deleteInDesk(journey, 'tickets', '1')
  await delta()
  expect(await rowOf('tickets', '1')).toMatchObject({ state: 'deleted', code: 'gone_from_source', warned: null })
  const told = await expectTrueWarnings(journey)
  expect(Object.keys(told)).not.toContain('tickets deleted')
  expect(Object.keys(told)).not.toContain('tickets gone_from_source')
  expect(comments.length + files.length).toBeGreaterThan(0)
  await expectTrueNumbers(journey)
})

test('a record that was deleted during the full migration is reported by the next delta', limit, async () => {
  await connected()
  let isOver = false
  await journey.work(await journey.start('full'), async (point) => {
    if (isOver || point !== 'outcomes committed') return
    const row = await journey.db.selectFrom('id_map').select('state').where('entity', '=', 'tickets').executeTakeFirst()
    if (row?.state !== 'written') return
    isOver = true
    await deleteInDesk(journey, 'tickets', '1')
  })
  expect(isOver).toBe(true)
  await delta()
  expect(await goneIds('tickets')).toEqual(['1'])
  await removal()
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectTrueNumbers(journey)
})

test('a record of the sample that was deleted in the source is reported by the full migration', limit, async () => {
  await connected({ startFull: false })
  await journey.partner.call('POST', `/api/v2.1/imports/${journey.importId}/payment/accept`)
  await journey.work(await journey.start('sample'))
  const [chosen] = (await rowsOf('tickets')).filter(({ state }) => state === 'written')
  const { comments } = await hangingOn(String(chosen?.source_id))
  await deleteInDesk(journey, 'tickets', String(chosen?.source_id))
  await journey.work(await journey.start('full'))
  expect(await goneIds('tickets')).toEqual([chosen?.source_id])
  expect(await goneIds('comments')).toEqual(comments.sort())
  await removal()
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectTrueNumbers(journey)
})

test('a run ends with a warning when the source fails to say which records it still has', limit, async () => {
  let isFailing = false
  await migrated({
    between: {
      source: async ({ path, query }, pass) =>
        isFailing && path === '/api/v1/contacts' && query.has('ids') ? { status: 500, headers: {}, body: '' } : pass(),
    },
  })
  isFailing = true
  await delta()
  expect((await journey.status()).status_code).toBe('migration_completed')
  const warnings = (await journey.status()).warnings as { code: string; entity: string; count: number }[]
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'deletion_not_checked', entity: 'contacts', count: fernhillCounts.contacts }),
  )
  isFailing = false
  await delta()
  const after = (await journey.status()).warnings as { code: string }[]
  expect(after.map(({ code }) => code)).not.toContain('deletion_not_checked')
})

test.each<[CrashPoint, number]>([
  ['source compared', 1],
  ['source compared', 5],
  ['removal sent', 1],
  ['removal sent', 3],
  ['removal committed', 1],
  ['removal committed', 4],
  ['stage done', 1],
])('a worker that ends at "%s" for the %ith time loses and duplicates nothing', limit, async (point, time) => {
  await migrated()
  for (const id of ['1', '2', '3']) await deleteInDesk(journey, 'tickets', id)
  const expected = new Set<string>()
  for (const id of ['1', '2', '3']) {
    const { comments, files } = await hangingOn(id)
    for (const one of [
      keyOf('tickets', id),
      ...comments.map((c) => keyOf('comments', c)),
      ...files.map((f) => keyOf('attachments', f)),
    ])
      expected.add(one)
  }
  const before = await presentIn(journey)
  for (const kind of ['delta', 'removal'] as const) {
    let times = 0
    await journey.work(await journey.start(kind), async (reached) => {
      if (reached !== point || ++times !== time) return
      throw new Error('as if the process had ended here')
    })
  }
  const after = await presentIn(journey)
  const removed = [...before].filter((key) => !after.has(key)).map((key) => key.split('/').slice(1).join('/'))
  expect(new Set(removed)).toEqual(expected)
  expect(await compare(journey)).toEqual(nothingWrong)
  expect(await goneWarnings()).toEqual({})
  await expectTrueNumbers(journey)
  expect((await journey.status()).status_code).toBe('migration_completed')
})

test('an undo that stops a running removal removes the rest', limit, async () => {
  await migrated()
  for (const id of ['1', '2', '3']) await deleteInDesk(journey, 'tickets', id)
  await delta()
  const runId = await journey.start('removal')
  await journey
    .slice(runId, async (point) => {
      if (point === 'removal committed') throw new Error('as if the process had ended here')
    })
    .catch(() => {})
  await expectAllUndone()
})

test('the sums of found and removed records agree after a removal', limit, async () => {
  await migrated()
  await deleteInDesk(journey, 'tickets', '1')
  await delta()
  const { comments, files } = await hangingOn('1')
  await removal()
  await expectSumsToClose(journey, {
    ...fernhillCounts,
    tickets: fernhillCounts.tickets - 1,
    comments: fernhillCounts.comments - comments.length,
    attachments: fernhillCounts.attachments - files.length,
  })
})
