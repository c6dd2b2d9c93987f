import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Journey, startJourney } from './journey.ts'
import { withTexts } from './other-texts.ts'

const limit = { timeout: 900_000 }
let journey: Journey
/** The texts, by ticket id. */
const texts = new Map<string, string>()

const ticket = { early: '2', linking: '5', late: '40', many: '7' }

beforeAll(async () => {
  journey = await startJourney({ readAs: withTexts(texts) })
  await journey.connectSource()
  await journey.connectDestination()
})
afterAll(() => journey.close())

const rowOf = (entity: string, sourceId: string) =>
  journey.db
    .selectFrom('id_map')
    .selectAll()
    .where('entity', '=', entity)
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()

async function linksOf(sourceId: string): Promise<string[]> {
  const answer = await fetch(`${journey.harbour.baseUrl}/records/tickets/find`, {
    method: 'POST',
    headers: { authorization: 'Bearer harbour-token', 'content-type': 'application/json' },
    body: JSON.stringify({ external_ids: [`${journey.importId}/tickets/${sourceId}`] }),
  })
  const { records } = (await answer.json()) as { records: { fields: { description: string } }[] }
  return [...String(records[0]?.fields.description).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => String(url))
}

const addressOf = (sourceId: string) => `/tickets/${1000 + Number(sourceId)}`

test('every form of an address points to the record in the destination', limit, async () => {
  const { host } = new URL(journey.fernhill.url)
  const port = host.split(':')[1]
  const forms = (path: string) => [
    `http://${host}${path}`,
    `${path}/`,
    `//${host}${path}?utm_source=mail`,
    `https://${host}${path}`,
    `HTTP://127.0.0.1:${port}/x/..${path}`,
    path.slice(1),
    `${path}#reply`,
  ]
  const kept = ['/reports?week=1', '../settings', '/tickets/999999', `//${host}/tickets/999998`]
  const foreign = ['https://elsewhere.example/tickets/1002', 'mailto:a@example.org', '#below']
  const linked = [
    ...forms(addressOf(ticket.early)),
    ...forms(addressOf(ticket.late)),
    '/articles/1',
    ...kept,
    ...foreign,
  ]
  texts.set(ticket.linking, linked.map((url) => `<p><a href="${url.replaceAll('&', '&amp;')}">x</a></p>`).join(''))
  const many = Array.from({ length: 50 }, (_, index) => `<a href="/nowhere/${index}">x</a>`).join(' ')
  texts.set(ticket.many, `<p>${many}</p>`)
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])

  const early = String((await rowOf('tickets', ticket.early)).destination_url)
  const late = String((await rowOf('tickets', ticket.late)).destination_url)
  const article = String((await rowOf('articles', '1')).destination_url)
  // Relative links start at the page of the desk that contains them.
  const old = (path: string) => new URL(path, `${journey.fernhill.url}${addressOf(ticket.linking)}`).href
  expect(await linksOf(ticket.linking)).toEqual([
    ...[early, early, early, early, early],
    // Below /tickets/ the same relative address has another target.
    old(`tickets/${1000 + Number(ticket.early)}`),
    `${early}#reply`,
    ...[late, late, late, late, late],
    old(`tickets/${1000 + Number(ticket.late)}`),
    `${late}#reply`,
    article,
    ...kept.map(old),
    ...foreign,
  ])
})

test(
  'links that still point to the source are counted, and their addresses are named up to a limit',
  limit,
  async () => {
    const { is_incomplete, warned } = await rowOf('tickets', ticket.linking)
    expect(is_incomplete).toBe(false)
    expect(warned?.filter((code) => code.startsWith('link'))).toEqual([
      'link_to_source',
      ...['/tickets/tickets/1002', '/tickets/tickets/1040', '/reports?week=1', '/settings', '/tickets/999999'].map(
        (path) => `link_to_source:${journey.fernhill.url}${path}`,
      ),
      `link_to_source:${journey.fernhill.url}/tickets/999998`,
    ])
    const told = (await rowOf('tickets', ticket.many)).warned?.filter((code) => code.startsWith('link_to_source:'))
    expect(told).toHaveLength(10)
    expect((await linksOf(ticket.many)).every((url) => url.startsWith(`${journey.fernhill.url}/nowhere/`))).toBe(true)
    const { warnings } = await journey.status()
    const counted = warnings.filter(({ code }: { code: string }) => code.startsWith('link'))
    const { rows } = {
      rows: await journey.db
        .selectFrom('id_map')
        .select(['entity', 'warned'])
        .where('warned', 'is not', null)
        .execute(),
    }
    const tickets = rows.filter(({ entity, warned }) => entity === 'tickets' && warned?.includes('link_to_source'))
    expect(counted).toContainEqual(
      expect.objectContaining({ code: 'link_to_source', entity: 'tickets', count: tickets.length }),
    )
    expect(counted.filter(({ code }: { code: string }) => code.includes(':'))).toEqual([])
  },
)

test('a change that removes the links removes the warning', limit, async () => {
  texts.set(ticket.linking, '<p>No link any more</p>')
  const edited = await fetch(`${journey.fernhill.url}/api/v1/tickets/${ticket.linking}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 'Changed' }),
  })
  expect(edited.status).toBe(200)
  await journey.work(await journey.start('delta'))
  expect((await rowOf('tickets', ticket.linking)).warned ?? []).not.toContain('link_to_source')
})
