import { afterEach, expect, test } from 'vitest'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedRequest, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

interface Sent {
  external_id: string
}
interface Result extends Sent {
  result: string
}

const idOf = ({ external_id }: Sent) => Number(external_id.split('/').at(-1))

/** Passes only some records of a batch to the tool, and reports the others as refused. */
const refuseSome =
  (
    isRefused: (record: Sent) => boolean,
  ): ((request: PassedRequest, pass: Parameters<Tamper>[1]) => ReturnType<Tamper>) =>
  async ({ body }, pass) => {
    const { records } = JSON.parse(String(body)) as { records: Sent[] }
    const answer = await pass(JSON.stringify({ records: records.filter((record) => !isRefused(record)) }))
    const { results } = JSON.parse(String(answer.body)) as { results: Result[] }
    const taken = new Map(results.map((result) => [result.external_id, result]))
    const all = records.map(
      ({ external_id }) =>
        taken.get(external_id) ?? { external_id, result: 'refused', code: 'locked', message: 'Not while it is locked' },
    )
    return { ...answer, body: JSON.stringify({ results: all }) }
  }

test(
  'a batch that is accepted in part before the connection breaks is sent again, and a retry copies refused parents',
  limit,
  async () => {
    let isArmed = false
    let isLocked = true
    const broken = new Set<string>()
    const refuse = refuseSome((record) => isLocked && idOf(record) % 10 === 3)
    journey = await startJourney({
      between: {
        destination: async (request, pass) => {
          const isBatch = request.method === 'PUT' && request.path.startsWith('/records/')
          if (!isArmed || !isBatch) return pass()
          const isTickets = request.path === '/records/tickets'
          const answer = await (isTickets ? refuse(request, pass) : pass())
          // Every batch is broken off once, after the tool has done its part.
          const content = String(request.body).replaceAll(/"revision":\d+,/g, '')
          const name = `${request.path} ${content.slice(0, 200)}`
          if (broken.has(name)) return answer
          broken.add(name)
          return 'drop'
        },
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    isArmed = true
    await journey.work(await journey.start('full'))
    expect(broken.size).toBeGreaterThan(10)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectSumsToClose(journey, fernhillCounts)
    const refused = await rowsOf('tickets', 'refused')
    expect(refused.filter(({ code }) => code === 'locked').map(({ source_id }) => Number(source_id) % 10)).toEqual(
      Array(12).fill(3),
    )
    // The children of refused tickets wait, and no other record.
    const held = await rowsOf('comments', 'held')
    expect(held.length).toBeGreaterThan(12)
    const parents = new Set(refused.map(({ source_id }) => source_id))
    expect(held.filter(({ parent_source_id }) => !parents.has(String(parent_source_id)))).toEqual([])
    const warned = (await journey.status()).warnings
    expect(warned).toContainEqual(
      expect.objectContaining({ code: 'refused', entity: 'tickets', count: refused.length }),
    )
    expect(warned).toContainEqual(expect.objectContaining({ code: 'held', entity: 'comments', count: held.length }))

    isLocked = false
    await journey.work(await journey.start('retry'))
    expect(await journey.status()).toMatchObject({
      status_code: 'migration_completed',
      items: { tickets: 119, comments: 510, attachments: 48 },
    })
    // Only the ticket that Harbour itself refuses remains, with its children.
    expect(await rowsOf('tickets', 'refused')).toMatchObject([{ code: 'blank' }])
    expect(await rowsOf('comments', 'held')).toHaveLength(1)
    const left = (await journey.status()).warnings
    expect(left).toContainEqual(expect.objectContaining({ code: 'refused', entity: 'tickets', count: 1 }))
    expect(left).toContainEqual(expect.objectContaining({ code: 'held', entity: 'comments', count: 1 }))
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectSumsToClose(journey, fernhillCounts)
  },
)

const rowsOf = (entity: string, state: 'refused' | 'held') =>
  journey.db
    .selectFrom('id_map')
    .select(['source_id', 'code', 'parent_source_id'])
    .where('entity', '=', entity)
    .where('state', '=', state)
    .execute()
