import { afterEach, expect, test } from 'vitest'
import type { Connector, Reader } from '../../service/src/connectors/contract/contract.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

interface Warning {
  code: string
  entity: string
  count: number
  message: string
}
const warnings = async (): Promise<Warning[]> => (await journey.status()).warnings ?? []
const count = async (code: string) => (await warnings()).find((warning) => warning.code === code)?.count ?? 0

/** A desk with tickets in the trash, which it counts, and a history that only its pages show. */
function withSkipped(trash: { count: number }): (fernhill: Connector) => Connector {
  return (fernhill) => {
    const { source } = fernhill
    if (!source) throw new Error('Fernhill Desk is a source')
    const open: typeof source.open = async (account, family): Promise<Reader> => {
      const reader = await source.open(account, family)
      return {
        ...reader,
        countSkipped: async () => ({ deleted_tickets: trash.count }),
        read: async (entity, cursor, options) => {
          const page = await reader.read(entity, cursor, options)
          return entity === 'tickets' ? { ...page, skipped: { history_entries: page.items.length } } : page
        },
      }
    }
    return { ...fernhill, source: { ...source, open } }
  }
}

test('kinds that are skipped on purpose are counted from the plan on, and reported once', limit, async () => {
  const trash = { count: 12 }
  journey = await startJourney({ readAs: withSkipped(trash) })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('plan'))
  expect(await count('skipped:deleted_tickets')).toBe(12)
  const { id } = await journey.db.selectFrom('runs').select('id').where('kind', '=', 'full').executeTakeFirstOrThrow()
  await journey.work(id)
  const tickets = (await journey.status()).items.tickets
  expect(await warnings()).toContainEqual({
    code: 'skipped:deleted_tickets',
    entity: 'tickets',
    count: 12,
    message: 'Tickets that were deleted in the source were not copied.',
  })
  expect(await count('skipped:history_entries')).toBeGreaterThanOrEqual(tickets)

  const history = await count('skipped:history_entries')
  trash.count = 0
  await journey.work(await journey.start('delta'))
  expect(await count('skipped:deleted_tickets')).toBe(0)
  expect(await count('skipped:history_entries')).toBe(history)

  await journey.work(await journey.start('undo'))
  expect((await warnings()).filter(({ code }) => code.startsWith('skipped:'))).toEqual([])
})

test(
  'a field that the destination does not have is reported once, at the end, not with each record',
  limit,
  async () => {
    journey = await startJourney({
      between: {
        destination: async ({ path }, pass) => {
          const answer = await pass()
          if (path !== '/describe') return answer
          const json = JSON.parse(String(answer.body))
          delete json.entities.tickets.fields.priority
          return { ...answer, body: JSON.stringify(json) }
        },
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    await journey.work(await journey.start('full'))
    const told = await warnings()
    const [field, ...others] = told.filter(({ code }) => code.includes('field_not_taken:'))
    expect(others).toEqual([])
    expect(field).toMatchObject({
      code: 'field_not_taken:priority',
      entity: 'tickets',
      message: 'The destination has no field for "priority".',
    })
    expect(field?.count).toBeGreaterThan(20)
    expect(told.at(-1)).toEqual(field)

    const portal = `${journey.origin}/portal/imports/${journey.importId}`
    const session = await fetch(`${journey.origin}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: journey.origin },
      body: JSON.stringify({ id: journey.importId, token: journey.portalPath.split('/').at(-1) }),
    })
    const headers = { cookie: String(session.headers.get('set-cookie')).split(';')[0] ?? '' }
    const read = async (query: string) =>
      (await (await fetch(`${portal}/records?${query}`, { headers })).json()) as { records: unknown[] }
    const { records } = await read('entity=tickets')
    expect(records.length).toBeGreaterThan(20)
    expect(JSON.stringify(records)).not.toContain('field_not_taken')
    const listed = await read('code=field_not_taken:priority')
    expect(listed.records.length).toBe(field?.count)
    const report = (await (await fetch(`${portal}/report.csv`, { headers })).text()).split('\r\n')
    expect(report.filter((line) => line.includes('field_not_taken'))).toEqual([
      `"tickets","","","not_copied","","","","field_not_taken:priority","The destination has no field for ""priority"". (${field?.count})","","",""`,
    ])
  },
)
