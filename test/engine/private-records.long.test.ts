import { afterEach, expect, test } from 'vitest'
import { entityOf } from '../../service/src/families/index.ts'
import { findPlan } from '../../service/src/imports/find-plan.ts'
import { countUnprotected } from '../../service/src/mapping/count-unprotected.ts'
import { saveChanges } from '../../service/src/mapping/save-changes.ts'
import { expectTrueNumbers, expectTrueWarnings } from './harbour-client.ts'
import { type Journey, soonSettled, startJourney } from './journey.ts'
import type { Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** Harbour without this field. */
const without =
  (entity: string, field: string): Tamper =>
  async (request, pass) => {
    const answer = await soonSettled(request, pass)
    if (request.path !== '/describe' || answer === 'drop') return answer
    const json = JSON.parse(String(answer.body))
    delete json.entities[entity].fields[field]
    return { ...answer, body: JSON.stringify(json) }
  }

async function connect(destination: Tamper, source?: Tamper): Promise<Journey> {
  const journey = await startJourney({ between: { destination, ...(source ? { source } : {}) } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return journey
}

/** Changes the help desk's answers about comments. */
const comments =
  (change: (comment: { id: number; ticket_id: unknown; public: unknown; attachments: unknown[] }) => void): Tamper =>
  async ({ path }, pass) => {
    const answer = await pass()
    if (!path.includes('comments') || answer.status !== 200) return answer
    const json = JSON.parse(String(answer.body))
    for (const item of Object.values(json).flat()) {
      if (typeof item === 'object' && item !== null && 'ticket_id' in item) change(item as never)
    }
    return { ...answer, body: JSON.stringify(json) }
  }

/** The help desk, with every other file in a private note. */
const privateFiles = comments((comment) => {
  if (comment.attachments.length > 0 && comment.id % 2 === 0) comment.public = false
})

/** Makes the plan, which starts the full migration. */
async function workPlan(journey: Journey): Promise<() => Promise<void>> {
  await journey.work(await journey.start('plan'))
  const { id } = await journey.db.selectFrom('runs').select('id').where('kind', '=', 'full').executeTakeFirstOrThrow()
  return () => journey.work(id)
}

const rowsOf = ({ db }: Journey, entity: string) =>
  db.selectFrom('id_map').select(['source_id', 'state', 'code', 'message']).where('entity', '=', entity).execute()

async function countPlanned({ db, importId }: Journey, entity: string): Promise<number> {
  const found = await findPlan(db, importId)
  if (!found?.plan) throw new Error('there is no plan')
  const { audiences = {} } = found.entities.find((one) => one.entity === entity) ?? {}
  return countUnprotected(entityOf('helpdesk', entity), { changes: {}, destination: found.plan.destination }, audiences)
}

test(
  'private files that a destination cannot protect are reported, listed and not sent, until the customer agrees',
  limit,
  async () => {
    const journey = await connect(without('attachments', 'is_private'), privateFiles)
    const workFull = await workPlan(journey)
    const planned = await countPlanned(journey, 'attachments')
    expect(planned).toBeGreaterThan(0)
    await workFull()
    expect((await journey.status()).status_code).toBe('migration_completed')
    const files = await rowsOf(journey, 'attachments')
    const refused = files.filter(({ state }) => state === 'refused')
    expect(refused.filter(({ code }) => code === 'not_protected')).toHaveLength(planned)
    expect(refused[0]?.message).toBe(
      'More people could see it in the destination than in the source, so it was not sent.',
    )
    expect(await expectTrueWarnings(journey)).toMatchObject({ 'attachments not_protected': planned })
    await expectTrueNumbers(journey)

    const { db, importId } = journey
    await saveChanges(db, importId, { version: 0 }, { entities: { attachments: { send_unprotected: true } } })
    await journey.work(await journey.start('retry'))
    expect((await rowsOf(journey, 'attachments')).filter(({ code }) => code === 'not_protected')).toEqual([])
    const told = await expectTrueWarnings(journey)
    expect(told).toMatchObject({ 'attachments shown_to_more': planned })
    expect(told).not.toHaveProperty('attachments not_protected')
    await expectTrueNumbers(journey)
  },
)

test(
  'private notes stay in the source if a destination has no private notes, and their files wait',
  limit,
  async () => {
    const sent: string[] = []
    const journey = await connect(async (request, pass) => {
      if (request.path === '/records/comments' && request.method === 'PUT') {
        sent.push(...JSON.parse(String(request.body)).records.map((one: { external_id: string }) => one.external_id))
      }
      return without('comments', 'is_public')(request, pass)
    })
    await journey.work(await journey.start('full'))
    expect((await journey.status()).status_code).toBe('migration_completed')
    const refused = (await rowsOf(journey, 'comments')).filter(({ code }) => code === 'not_protected')
    expect(refused.length).toBeGreaterThan(0)
    const keys = new Set(refused.map(({ source_id }) => `${journey.importId}/comments/${source_id}`))
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter((key) => keys.has(key))).toEqual([])
    await expectTrueWarnings(journey)
    await expectTrueNumbers(journey)
  },
)

test(
  'a change of a copy that is private by now is refused and told, and sent once the customer agrees',
  limit,
  async () => {
    const hidden = { id: 0 }
    const hide = comments((comment) => {
      if (comment.id === hidden.id) Object.assign(comment, { public: false, body: 'For agents alone' })
      else comment.public = true
    })
    const journey = await connect(without('comments', 'is_public'), hide)
    const { db, importId } = journey
    await journey.work(await journey.start('full'))
    const first = (await rowsOf(journey, 'comments')).find(({ state }) => state === 'written')
    hidden.id = Number(first?.source_id)
    const delta = await journey.start('delta')
    await db
      .updateTable('runs')
      .set({ since: new Date(0) })
      .where('id', '=', delta)
      .execute()
    await journey.work(delta)
    const row = async () => (await rowsOf(journey, 'comments')).find(({ source_id }) => source_id === String(hidden.id))
    expect(await row()).toMatchObject({
      ...{ state: 'written', code: 'not_protected' },
      message: expect.stringContaining('More people could see it'),
    })
    expect(await expectTrueWarnings(journey)).toMatchObject({ 'comments not_protected': 1 })
    await saveChanges(db, importId, { version: 0 }, { entities: { comments: { send_unprotected: true } } })
    await journey.work(await journey.start('retry'))
    expect(await row()).toMatchObject({ state: 'written', code: null })
    const told = await expectTrueWarnings(journey)
    expect(told).toMatchObject({ 'comments shown_to_more': 1 })
    expect(told).not.toHaveProperty('comments not_protected')
  },
)

test('a destination that protects private records gets no warning', limit, async () => {
  const journey = await connect(soonSettled, privateFiles)
  const workFull = await workPlan(journey)
  expect(await countPlanned(journey, 'attachments')).toBe(0)
  await workFull()
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(
    Object.keys(await expectTrueWarnings(journey)).filter((code) => /protected|shown|narrowed/.test(code)),
  ).toEqual([])
})

test('a record whose parent is missing is never sent, and is listed with its reason', limit, async () => {
  let sent = 0
  const journey = await connect(
    async (request, pass) => {
      if (request.method === 'PUT' && String(request.body).includes('/comments/3"')) sent += 1
      return soonSettled(request, pass)
    },
    comments((comment) => {
      if (comment.id === 3) comment.ticket_id = null
    }),
  )
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const orphan = (await rowsOf(journey, 'comments')).find(({ source_id }) => source_id === '3')
  expect(orphan).toMatchObject({ state: 'refused', code: 'parent_missing' })
  expect(sent).toBe(0)
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'comments parent_missing': 1 })
  await expectTrueNumbers(journey)
})
