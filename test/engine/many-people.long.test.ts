import { afterEach, expect, test } from 'vitest'
import { chooseUsers } from '../../service/src/imports/choose-users.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedAnswer, PassedRequest } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

interface Person {
  id: number
  name: string
  email: string | null
}

const json = (body: object): PassedAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const pageOf = (people: Person[], { query }: PassedRequest) => {
  const after = Number(query.get('after') ?? 0)
  const page = people.filter(({ id }) => id > after).slice(0, Number(query.get('limit')))
  return { page, next: page.length > 0 && page.at(-1) !== people.at(-1) ? String(page.at(-1)?.id) : null }
}

/** Starts a help desk and a destination with these people, among other records. */
async function start(source: Person[], destination: () => Person[]): Promise<PassedRequest[]> {
  const asked: PassedRequest[] = []
  journey = await startJourney({
    // Otherwise the first plan would start the full migration.
    startFull: false,
    between: {
      source: async (request, pass) => {
        if (!request.path.startsWith('/api/v1/agents')) return pass()
        if (request.path !== '/api/v1/agents') return { status: 404, headers: {}, body: '{}' }
        asked.push(request)
        const { page, next } = pageOf(source, request)
        return json({ data: page.map((person) => ({ ...person, group_ids: [], deleted: false })), next })
      },
      destination: async (request, pass) => {
        if (request.path !== '/users') return pass()
        asked.push(request)
        const { page, next } = pageOf(destination(), request)
        return json({ data: page.map(({ id, ...person }) => ({ id: `d${id}`, ...person })), next })
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  return asked
}

const people = (count: number): Person[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Person ${index + 1}`,
    email: `person${index + 1}@example.com`,
  }))

const find = (sourceUserId: string) =>
  journey.db
    .selectFrom('user_map')
    .select(['destination_user_id', 'suggested_user_id', 'is_chosen'])
    .where('source_user_id', '=', sourceUserId)
    .executeTakeFirstOrThrow()

const checkpoint = async (runId: string) =>
  (
    await journey.db
      .selectFrom('run_stages')
      .select(['cursor', 'is_done'])
      .where('run_id', '=', runId)
      .where('stage', '=', 'users')
      .executeTakeFirstOrThrow()
  ).cursor

test('thousands of people are matched page by page, and a kill in between repeats only one page', limit, async () => {
  const source = people(6_000)
  const destination = people(6_000).map((person) => ({
    ...person,
    // Every third person has another e-mail address, every fifteenth another name as well.
    ...(person.id % 3 === 0 && { email: `other${person.id}@example.com` }),
    ...(person.id % 15 === 0 && { name: `Somebody ${person.id}` }),
    ...(person.id % 7 === 0 && { email: ` PERSON${person.id}@Example.com ` }),
  }))
  const asked = await start(source, () => destination)
  const runId = await journey.start('plan')
  let kills = 0
  const cursors = new Set<string>()
  // Every slice ends after one page, as if its worker had died then.
  for (;;) {
    await journey.slice(runId, undefined, 0)
    const cursor = await checkpoint(runId)
    if (cursor === null) break
    cursors.add(cursor)
    kills++
  }
  expect(journey.errors).toEqual([])
  expect(cursors.size).toBe(kills)
  expect(kills).toBeGreaterThan(60)
  // Each page was requested once: no slice started again.
  const pages = asked.map(({ path, query }) => `${path}?${query}`)
  expect(new Set(pages).size).toBe(pages.length)
  expect((await journey.status()).users).toEqual({
    source_tool: 6_000,
    destination_tool: 6_000,
    matched: source.filter(({ id }) => id % 3 !== 0 || id % 7 === 0).length,
  })
  expect(await find('1')).toMatchObject({ destination_user_id: 'd1', suggested_user_id: 'd1' })
  expect(await find('3')).toMatchObject({ destination_user_id: null, suggested_user_id: 'd3' })
  expect(await find('15')).toMatchObject({ destination_user_id: null, suggested_user_id: null })
  expect(await find('7')).toMatchObject({ destination_user_id: 'd7' })
})

test('people who left the destination are no longer offered, and the customer’s choices stay', limit, async () => {
  let destination = people(9)
  await start(people(9), () => destination)
  await journey.work(await journey.start('plan'))
  await chooseUsers(journey.db, journey.importId, { '1': 'd2', '3': null })
  // Two and five have left, and four has another e-mail address.
  destination = people(9)
    .filter(({ id }) => id !== 2 && id !== 5)
    .map((person) => (person.id === 4 ? { ...person, email: 'four@example.com' } : person))
  await journey.work(await journey.start('plan'))
  const offered = await journey.db.selectFrom('destination_users').select('user_id').orderBy('user_id').execute()
  expect(offered.map(({ user_id }) => user_id)).toEqual(['d1', 'd3', 'd4', 'd6', 'd7', 'd8', 'd9'])
  expect(await find('1')).toMatchObject({ destination_user_id: 'd2', is_chosen: true })
  expect(await find('2')).toMatchObject({ destination_user_id: null, suggested_user_id: null })
  expect(await find('3')).toMatchObject({ destination_user_id: null, is_chosen: true })
  expect(await find('4')).toMatchObject({ destination_user_id: null, suggested_user_id: 'd4' })
  expect(await find('5')).toMatchObject({ destination_user_id: null })
  expect(await find('6')).toMatchObject({ destination_user_id: 'd6' })
  expect((await journey.status()).users).toEqual({ source_tool: 9, destination_tool: 7, matched: 5 })
  await expect(chooseUsers(journey.db, journey.importId, { '6': 'd5' })).rejects.toMatchObject({
    fields: { '6': ['there is no such person in the destination'] },
  })
})

test('a person to be invited later is matched by address once invited, and has a name to keep', limit, async () => {
  let destination: Person[] = []
  await start(people(2), () => destination)
  await journey.work(await journey.start('plan'))
  await chooseUsers(journey.db, journey.importId, { '1': { invite_later: true }, '2': { invite_later: true } })
  destination = people(1)
  await journey.work(await journey.start('plan'))
  expect(await find('1')).toMatchObject({ destination_user_id: 'd1' })
  expect(await find('2')).toMatchObject({ destination_user_id: null, is_chosen: true })
  // Records refer to person nine, whom the source does not list.
  await expect(chooseUsers(journey.db, journey.importId, { '9': { invite_later: true } })).rejects.toMatchObject({
    fields: { '9': ['has no name in the source that could be kept'] },
  })
})

test('absurdly long names and addresses do not stop the matching', limit, async () => {
  const long = (text: string) => text.repeat(20_000)
  const person = { id: 1, name: long('ä'), email: `${long('x')}@example.com` }
  await start([person], () => [person])
  await journey.work(await journey.start('plan'))
  expect(journey.errors).toEqual([])
  expect(await find('1')).toMatchObject({ destination_user_id: null, suggested_user_id: 'd1' })
})

test('names of rare characters and names cut within a character do not stop the matching', limit, async () => {
  // The first letter takes two units, and so does the character at the end of a cut.
  const names = ['𠮷田 太郎', `${'x'.repeat(299)}𠮷`, `${'y'.repeat(199)}𠮷 Z`, 'half \ud842 𠮷']
  const all = names.map((name, index) => ({ id: index + 1, name, email: null }))
  await start(all, () => all)
  await journey.work(await journey.start('plan'))
  expect(journey.errors).toEqual([])
  expect(await find('1')).toMatchObject({ suggested_user_id: 'd1' })
  expect(await find('4')).toMatchObject({ suggested_user_id: 'd4' })
})

test('titles of records that lose something are cut between characters', limit, async () => {
  journey = await startJourney({
    startFull: false,
    between: {
      source: async ({ path }, pass) => {
        const answer = await pass()
        if (path !== '/api/v1/tickets') return answer
        const json = JSON.parse(String(answer.body)) as { data: Record<string, unknown>[] }
        // Each ticket loses the end of its subject.
        for (const [at, ticket] of json.data.entries())
          ticket.subject = `${'x'.repeat(78 - (at % 2))}🚢${'y'.repeat(1_200)}`
        return { ...answer, body: JSON.stringify(json) }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('plan'))
  expect(journey.errors).toEqual([])
  const { losses } = await journey.db
    .selectFrom('plan_entities')
    .select('losses')
    .where('entity', '=', 'tickets')
    .executeTakeFirstOrThrow()
  const titles = losses.flatMap(({ examples }) => examples.map(({ title }) => String(title)))
  expect(titles.length).toBeGreaterThan(0)
  expect(titles.filter((title) => !title.isWellFormed())).toEqual([])
})

test('a source that cannot count its records is not asked again in every slice', limit, async () => {
  let counts = 0
  let users = 0
  journey = await startJourney({
    between: {
      source: async ({ path }, pass) => {
        if (path === '/api/v1/agents') users++
        if (path !== '/api/v1/account') return pass()
        const answer = await pass()
        const account = JSON.parse(String(answer.body))
        counts++
        // The source counts every entity except tickets.
        delete account.counts.tickets
        return { ...answer, body: JSON.stringify(account) }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  counts = 0
  const runId = await journey.start('full')
  let slices = 0
  while ((await journey.slice(runId, undefined, 0)).next === 'slice') slices++
  expect(journey.errors).toEqual([])
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(slices).toBeGreaterThan(20)
  expect(users).toBeLessThan(5)
  // The source is asked once at the beginning, and once at the end of each of the eight kinds of records.
  expect(counts).toBeLessThanOrEqual(9)
})
