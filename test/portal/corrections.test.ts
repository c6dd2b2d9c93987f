import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordKey } from '../../service/src/engine/record-key.ts'
import type { PortalCorrectable, PortalRecord } from '../../service/src/portal/records-contract.ts'
import type { PortalUpload } from '../../service/src/portal/upload-contract.ts'
import { type CsvPortal, type CsvService, startCsvService } from './csv-service.ts'
import { findInHarbour } from './find-in-harbour.ts'

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

const content = [
  'id,subject,status,created_at,size',
  '1,Rake,open,2024-05-01,1',
  '2,,open,2024-05-02,2',
  '3,Hoe,open,yesterday,3',
].join('\n')

const correct = (portal: CsvPortal, id: string, fields: Record<string, string | null>, entity = 'tickets') =>
  portal.act('PUT', `/corrections/${entity}/${id}`, { fields })

const numbersOf = async (portal: CsvPortal) => {
  const { json } = await portal.act('GET', '')
  return Object.fromEntries(json.warnings.map(({ code, count }: { code: string; count: number }) => [code, count]))
}

async function runAgain(portal: CsvPortal): Promise<void> {
  const started = await portal.act('POST', '/runs', { kind: 'retry' })
  expect(started.status, JSON.stringify(started.json)).toBe(201)
  await vi.waitFor(
    async () => {
      const { state } = await service.db
        .selectFrom('runs')
        .select('state')
        .where('import_id', '=', portal.id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      expect(state).toBe('finished')
    },
    { timeout: 300_000, interval: 200 },
  )
}

async function arrived(portal: CsvPortal, ids: string[]) {
  const at = { url: service.harbour.baseUrl, token: service.harbourToken }
  const found = await findInHarbour(at, portal.id, 'tickets', ids)
  return ids.map((id) => found.get(recordKey(portal.id, 'tickets', id)))
}

/** Waits until both accounts are connected and the plan is ready. */
async function planned(portal: CsvPortal, upload: string): Promise<void> {
  await portal.connectDestination()
  await portal.connectSource(upload)
  await vi.waitFor(async () => expect((await portal.act('GET', '/mapping')).status).toBe(200), {
    timeout: 300_000,
    interval: 200,
  })
}

async function migrate(portal: CsvPortal, upload: string): Promise<void> {
  expect((await portal.connectDestination()).status).toBe(200)
  expect(await portal.connectSource(upload)).toMatchObject({ status: 200 })
  await portal.until('waiting_to_start_sample_migration')
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
  await portal.until('sample_migration_completed')
  await service.asPartner('POST', `/imports/${portal.id}/payment/accept`)
  expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
  await portal.until('migration_completed')
}

describe('a value that the customer types for one record', () => {
  test('repairs a refused record and an unreadable value, and the numbers of problems go down', {
    timeout: 900_000,
  }, async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('tickets.csv', content)
    await migrate(portal, id)
    expect((await arrived(portal, ['2']))[0]).toBeUndefined()
    expect(await numbersOf(portal)).toEqual({ refused: 1, value_unreadable: 1 })
    const refused = (await portal.act<{ records: PortalRecord[] }>('GET', '/records?state=refused')).json.records
    expect(refused.map(({ source_id }) => source_id)).toEqual(['2'])

    const { json } = await portal.act<{ fields: PortalCorrectable[] }>('GET', '/corrections/tickets/2')
    expect(json.fields[0]).toMatchObject({ name: 'subject', required: true, value: null, is_blamed: true })
    expect(json.fields.find(({ name }) => name === 'status')).toMatchObject({
      value: 'open',
      is_blamed: false,
      options: expect.arrayContaining(['open']),
    })

    expect(await correct(portal, '2', { subject: 'Spade' })).toEqual({ status: 200, json: { version: 1 } })
    expect(await correct(portal, '3', { created_at: '2024-05-03 10:30' })).toEqual({
      status: 200,
      json: { version: 2 },
    })
    await runAgain(portal)
    const [one, two, three] = await arrived(portal, ['1', '2', '3'])
    expect([one?.fields.subject, two?.fields.subject, three?.fields.subject]).toEqual(['Rake', 'Spade', 'Hoe'])
    expect(three?.created_at).toBe('2024-05-03T10:30:00.000Z')
    expect(await numbersOf(portal)).toEqual({})
    expect((await portal.act('GET', '/records?state=refused')).json.records).toEqual([])

    const { json: told } = await portal.act('GET', '/activity')
    const corrected = told.activity.filter(({ act }: { act: string }) => act === 'record corrected')
    expect(corrected.map(({ differences }: { differences: object[] }) => differences)).toEqual([
      [{ path: ['entities', 'tickets', 'corrections', '3', 'created_at'], after: '2024-05-03 10:30' }],
      [{ path: ['entities', 'tickets', 'corrections', '2', 'subject'], after: 'Spade' }],
    ])
    const { json: saved } = await portal.act('GET', '/saved-mappings')
    expect(saved.versions[1].differences).toEqual([
      { path: ['entities', 'tickets', 'corrections', '2', 'subject'], after: 'Spade' },
    ])
    const report = await fetch(`${portal.base}/report.csv`, { headers: { cookie: portal.cookie } })
    expect((await report.text()).split('\r\n').find((line) => line.includes('"tickets","2"'))).toMatch(/,"subject"$/)

    // After the correction is removed, the source's own value counts again, and the next attempt copies it.
    expect((await correct(portal, '3', { created_at: null })).json).toEqual({ version: 3 })
    const { json: mapping } = await portal.act('GET', '/mapping')
    expect(mapping.changes.entities.tickets.corrections).toEqual({ 2: { subject: 'Spade' } })
    expect((await portal.act('PUT', '/mapping', { version: 3, changes: mapping.changes })).status).toBe(200)
  })

  test('is checked like any value, and is accepted only for records of the import', { timeout: 900_000 }, async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('tickets.csv', content)
    await planned(portal, id)
    const wrong: [Record<string, string | null>, object][] = [
      [{ status: 'no such status' }, { status: [expect.stringMatching(/^must be one of /)] }],
      [{ created_at: '2024-02-31' }, { created_at: [expect.stringMatching(/^must be a moment/)] }],
      [{ nonsense: 'x' }, { nonsense: ['is no field whose value can be typed'] }],
      [{ subject: 'x'.repeat(10_001) }, { subject: [expect.stringMatching(/^must be at most /)] }],
      [{}, { fields: ["can't be blank"] }],
    ]
    for (const [fields, json] of wrong) expect(await correct(portal, '1', fields)).toEqual({ status: 422, json })
    expect((await correct(portal, '99', { subject: 'x' })).status).toBe(404)
    expect((await correct(portal, '1', { subject: 'x' }, 'nothing')).status).toBe(404)
    expect((await correct(portal, '1', { subject: 'x' })).status).toBe(200)
    const { json } = await portal.act('POST', '/mapping/preview', { entity: 'tickets', source_id: '1' })
    expect(json.mapped.fields.subject).toBe('x')
  })

  test('can be typed for a row of a file before any account is connected', { timeout: 900_000 }, async () => {
    const portal = await service.openPortal()
    const { id, json } = await portal.upload('tickets.csv', content)
    const problem = json.problems.find(({ code }) => code === 'values_unreadable')
    expect(problem?.values).toEqual({
      count: 1,
      open: 1,
      first: [
        {
          line: 4,
          value: 'yesterday',
          entity: 'tickets',
          source_id: '3',
          field: 'created_at',
          header: 'created_at',
          correction: null,
        },
      ],
    })
    expect((await correct(portal, '3', { created_at: 'tomorrow' })).status).toBe(422)
    expect((await correct(portal, '3', { created_at: '2024-05-03' })).status).toBe(200)
    const after = await portal.act<PortalUpload>('GET', `/uploads/${id}`)
    expect(after.json.problems.find(({ code }) => code === 'values_unreadable')?.values).toMatchObject({
      open: 0,
      first: [{ correction: '2024-05-03' }],
    })
    await planned(portal, id)
    const { json: view } = await portal.act('POST', '/mapping/preview', { entity: 'tickets', source_id: '3' })
    expect([view.source.created_at, view.warnings]).toEqual(['2024-05-03T00:00:00.000Z', []])
  })
})

test('a record is found by the number or title that people see, and by either id', { timeout: 900_000 }, async () => {
  const portal = await service.openPortal()
  const rows = ['id,number,subject', '1,A-1,Bent rake', '2,A-2,Blue hoe', '3,2,Spade']
  const { id } = await portal.upload('tickets.csv', rows.join('\n'))
  await migrate(portal, id)
  const find = async (sought: string) => {
    const { status, json } = await portal.act('GET', `/find?q=${encodeURIComponent(sought)}`)
    expect([status, json.is_whole, json.looked_at]).toEqual([200, true, 3])
    return json.records.map(({ source_id, title }: PortalRecord) => [source_id, title])
  }
  expect(await find('#a-1')).toEqual([['1', 'Bent rake']])
  expect(await find('bent RAKE')).toEqual([['1', 'Bent rake']])
  expect(await find('hoe')).toEqual([['2', 'Blue hoe']])
  // A record with this id comes before a record with this number.
  expect(await find('2')).toEqual([
    ['2', 'Blue hoe'],
    ['3', 'Spade'],
  ])
  const [first] = (await portal.act<{ records: PortalRecord[] }>('GET', '/records?id=1')).json.records
  expect(await find(String(first?.destination_id))).toContainEqual(['1', 'Bent rake'])
  expect(await find('no such thing')).toEqual([])
  for (const wrong of ['', ' ', 'x'.repeat(201)]) {
    expect((await portal.act('GET', `/find?q=${encodeURIComponent(wrong)}`)).status).toBe(422)
  }
})
