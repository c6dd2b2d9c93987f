import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { openFernhill } from '../../service/src/connectors/helpdesk/fernhill/reader.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { startJourney } from './journey.ts'
import { linkTickets, parentOf } from './linked-desk.ts'
import { withTexts } from './other-texts.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

/** Harbour with texts of tickets and comments that can never be changed, as in Request Tracker. */
function withFixedTexts(beforeWrite = async (_entity: string, _key = '') => {}): Connector {
  const open = connectors.find(({ tool }) => tool === 'open')
  if (!open?.destination) throw new Error('there is no open protocol')
  const { destination } = open
  return {
    ...open,
    tool: 'fixed',
    destination: {
      ...destination,
      async open(account, family) {
        const writer = await destination.open(account, family)
        return {
          ...writer,
          async describe() {
            const described = await writer.describe()
            const { tickets, comments } = described.entities
            for (const text of [tickets?.fields.description, comments?.fields.body]) if (text) text.isFixed = true
            return described
          },
          async write(entity, records) {
            await beforeWrite(entity, records[0]?.key)
            return writer.write(entity, records)
          },
        }
      },
    },
  }
}

function inPages(fernhill: Connector, size: number): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  return { ...fernhill, source: { ...source, open: async (account) => openFernhill(account, size) } }
}

test('an unchangeable text links to records of the same page and of the page before', {
  timeout: 900_000,
}, async () => {
  const options = { port: 0, dataFile: ':memory:', token: 'harbour-token', adminKey: 'admin-key' }
  const harbour = await startHarbour(options)
  cleanups.push(() => harbour.close())
  const texts = new Map<string, string>()
  const journey = await startJourney({
    tickets: 250,
    readAs: (fernhill) => withTexts(texts)(linkTickets(fernhill)),
    destination: { tool: 'fixed', url: harbour.baseUrl, connectors: [withFixedTexts()] },
  })
  cleanups.push(() => journey.close())
  const link = (id: number) => `<p><a href="/tickets/${1000 + id}">x</a></p>`
  texts.set('5', link(7) + link(2))
  texts.set('7', link(9))
  for (let id = 107; id <= 240; id += 1) texts.set(String(id), link(id - 100))
  // The two tickets refer to each other, so one is written before the other.
  texts.set('20', link(21))
  texts.set('21', link(20))
  // An article is written after all tickets. The ticket's parent is written later, too, so the ticket is handled twice.
  expect(parentOf(8)).toBe(10)
  texts.set('8', '<p><a href="/articles/1">x</a></p>')
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  const told = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('entity', '=', 'tickets')
    .where((eb) => eb(eb.val('link_not_rewritten'), '=', eb.fn.any('warned')))
    .orderBy('source_id')
    .execute()
  expect(told.map(({ source_id }) => source_id)).toEqual(['20', '8'])
})

test('records with unchangeable texts are announced while others are sent, unless a text or comment names those', {
  timeout: 900_000,
}, async () => {
  const options = { port: 0, dataFile: ':memory:', token: 'harbour-token', adminKey: 'admin-key', carries: true }
  const harbour = await startHarbour(options)
  cleanups.push(() => harbour.close())
  let mostAnnounced = 0
  /** Gives the lot after this one time to be announced. The lots of the first page have no page before them. */
  const waitForNext = async (entity: string, key?: string) => {
    // A slow destination gets small pages.
    if (entity !== 'tickets') await sleep(500)
    const isLater = entity === 'tickets' && Number(key?.split('/').at(-1)) > 40
    for (let tries = 0; isLater && mostAnnounced < 2 && tries < 100; tries += 1) {
      const announced = await journey.db
        .selectFrom('announcements')
        .select('id')
        .where('entity', '=', 'tickets')
        .execute()
      mostAnnounced = Math.max(mostAnnounced, announced.length)
      await sleep(20)
    }
  }
  const texts = new Map<string, string>()
  const comments = new Map<string, string>()
  const journey = await startJourney({
    tickets: 250,
    readAs: (fernhill) => withTexts(texts, comments)(inPages(fernhill, 40)),
    destination: { tool: 'fixed', url: harbour.baseUrl, connectors: [withFixedTexts(waitForNext)] },
  })
  cleanups.push(() => journey.close())
  for (let id = 1; id <= 250; id += 1) {
    texts.set(String(id), '<p>Hello</p>')
    // The named ticket is in the lot before.
    comments.set(String(id), id <= 200 ? '<p>Hello</p>' : `<p><a href="/tickets/${1000 + id - 20}">x</a></p>`)
  }
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  expect(mostAnnounced).toBeGreaterThan(1)
  const told = await journey.db
    .selectFrom('id_map')
    .select(['entity', 'source_id'])
    .where((eb) => eb(eb.val('link_not_rewritten'), '=', eb.fn.any('warned')))
    .execute()
  expect(told).toEqual([])
})
