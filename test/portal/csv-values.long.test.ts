import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordKey } from '../../service/src/engine/record-key.ts'
import type { PortalRecordView } from '../../service/src/portal/records-contract.ts'
import type { PortalUpload } from '../../service/src/portal/upload-contract.ts'
import { type CsvPortal, type CsvService, startCsvService } from './csv-service.ts'
import { findInHarbour } from './find-in-harbour.ts'

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const table = (header: string, ...rows: string[][]) =>
  [header, ...rows.map((row) => row.map(cell).join(','))].join('\r\n')

/** Migrates from the upload over the sample to the end. */
async function migrate(portal: CsvPortal, upload: string) {
  expect((await portal.connectDestination()).status).toBe(200)
  expect(await portal.connectSource(upload)).toMatchObject({ status: 200 })
  await portal.until('waiting_to_start_sample_migration')
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
  await portal.until('sample_migration_completed')
  await service.asPartner('POST', `/imports/${portal.id}/payment/accept`)
  expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
  return portal.until('migration_completed')
}

/** The tickets that Harbour has, by id. */
async function arrived(portal: CsvPortal, ids: string[]) {
  const at = { url: service.harbour.baseUrl, token: service.harbourToken }
  const found = await findInHarbour(at, portal.id, 'tickets', ids)
  return ids.map((id) => found.get(recordKey(portal.id, 'tickets', id)))
}

const columnOf = (upload: PortalUpload, header: string) =>
  upload.tables[0]?.columns.find((column) => column.header === header)
const choose = (portal: CsvPortal, upload: string, column: object) =>
  portal.chooseTables(upload, { file: 'tickets.csv', columns: [column] })

describe('texts', () => {
  const plain = [
    ['1', 'Code', 'if a<b then c>d\nelse e<i and j>k\n\nlast'],
    ['2', 'Mail', 'From: Ada <ada@post.example>\r\nTo: <b>'],
    ['3', 'Generic', 'List<T> & Map<K, V>; Tom &amp; Jerry'],
    ['4', 'Says a tag', 'Write <b>bold</b> for bold.'],
  ]

  test('of a column that is not HTML arrive as written', { timeout: 900_000 }, async () => {
    const portal = await service.openPortal()
    const { id, json } = await portal.upload('tickets.csv', table('id,subject,description', ...plain))
    expect(columnOf(json, 'description')).toMatchObject({ field: 'description', text: 'plain' })
    await migrate(portal, id)
    const { json: view } = await portal.act<PortalRecordView>('GET', '/records/tickets/1')
    expect(view).toMatchObject({
      source: { fields: { description: { format: 'plain', body: plain[0]?.[2] } } },
      differences: [],
      html_fields: ['description'],
    })
    expect((await arrived(portal, ['1', '2', '3', '4'])).map((record) => record?.fields.description)).toEqual([
      '<p>if a&lt;b then c&gt;d<br>else e&lt;i and j&gt;k</p>\n<p>last</p>',
      '<p>From: Ada &lt;ada@post.example&gt;<br>To: &lt;b&gt;</p>',
      '<p>List&lt;T&gt; &amp; Map&lt;K, V&gt;; Tom &amp;amp; Jerry</p>',
      '<p>Write &lt;b&gt;bold&lt;/b&gt; for bold.</p>',
    ])
  })

  test('of an HTML column keep their markup, and plain texts keep their words', { timeout: 900_000 }, async () => {
    const html = Array.from({ length: 12 }, (_, n) => [`h${n}`, 'Html', `<p>Number <strong>${n}</strong></p>`])
    const portal = await service.openPortal()
    const content = table('id,subject,description', ...html, plain[0] ?? [], [
      'mixed',
      'Both',
      '<p>if a<b then c>d</p><p>&copy; <em>us</em></p>',
    ])
    const { id, json } = await portal.upload('tickets.csv', content)
    expect(columnOf(json, 'description')).toMatchObject({ text: 'html' })
    await migrate(portal, id)
    expect((await arrived(portal, ['h3', '1', 'mixed'])).map((record) => record?.fields.description)).toEqual([
      '<p>Number <strong>3</strong></p>',
      '<p>if a&lt;b then c&gt;d<br>else e&lt;i and j&gt;k</p>\n<p>last</p>',
      '<p>if a&lt;b then c>d</p><p>&copy; <em>us</em></p>',
    ])
  })

  test('are read in the format that the customer chose', { timeout: 900_000 }, async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload(
      'tickets.csv',
      table('id,subject,description', ['1', 'Markdown', '**bold** <b>']),
    )
    const told = await choose(portal, id, { column: 2, text: 'markdown' })
    expect([told.status, columnOf(told.json, 'description')]).toEqual([
      200,
      { header: 'description', as: 'field', field: 'description', text: 'markdown' },
    ])
    for (const refused of [
      { column: 1, text: 'html' },
      { column: 2, text: 'rtf' },
      { column: 2, days: 'dmy' },
    ]) {
      const answer = await choose(portal, id, refused)
      expect([answer.status, Object.keys(answer.json)]).toEqual([422, ['tables']])
    }
    await migrate(portal, id)
    expect((await arrived(portal, ['1']))[0]?.fields.description).toMatch(/^<p><strong>bold<\/strong>/)
  })
})

describe('dates and times', () => {
  test('with two possible readings are asked about, once per column, before anything is migrated', {
    timeout: 900_000,
  }, async () => {
    const portal = await service.openPortal()
    const content = table(
      'id,subject,created_at,updated_at',
      ['1', 'A', '01/02/2024', '13/02/2024 8:05 PM'],
      ['2', 'B', '03/04/2024 10:15', '01/03/2024'],
    )
    const { id, json } = await portal.upload('tickets.csv', content)
    expect(columnOf(json, 'created_at')).toEqual({
      header: 'created_at',
      as: 'created_at',
      days: {
        order: null,
        example: '01/02/2024',
        readings: [
          { order: 'dmy', day: '2024-02-01', unreadable: 0 },
          { order: 'mdy', day: '2024-01-02', unreadable: 0 },
        ],
      },
    })
    expect(columnOf(json, 'updated_at')).toEqual({ header: 'updated_at', as: 'updated_at' })
    expect(await portal.connectSource(id)).toEqual({
      status: 422,
      json: {
        source: [
          'tickets.csv: the column "created_at" holds 01/02/2024, which can be 2024-02-01 or 2024-01-02. Choose how its days are written.',
        ],
      },
    })
    expect((await choose(portal, id, { column: 2, days: 'ymd' })).status).toBe(422)
    const told = await choose(portal, id, { column: 2, days: 'mdy' })
    expect(columnOf(told.json, 'created_at')?.days).toMatchObject({ order: 'mdy' })
    const done = await migrate(portal, id)
    expect(done.warnings ?? []).toEqual([])
    expect((await arrived(portal, ['1', '2'])).map((one) => [one?.created_at, one?.updated_at])).toEqual([
      ['2024-01-02T00:00:00.000Z', '2024-02-13T20:05:00.000Z'],
      ['2024-03-04T10:15:00.000Z', '2024-03-01T00:00:00.000Z'],
    ])
  })

  test('that cannot be read are reported with file and line, on the screen and with the record', {
    timeout: 900_000,
  }, async () => {
    const portal = await service.openPortal()
    const content = table(
      'id,subject,description,created_at,updated_at,due_at',
      ['1', 'No day', 'two\r\nlines', '31.02.2024', 'yesterday', '2024-01-01'],
      ['2', 'Seconds', '', '1700000000', '1700000000123', '1.2.2024 9:30'],
      ['3', 'Names', '', 'Feb 1, 2024', '1. März 2024 14:05', 'soon'],
      ['3', 'Twice', '', '2024-05-01T10:00:00+02:00', '2024-05-01 10:00:00 UTC', ''],
    )
    const { id, json } = await portal.upload('tickets.csv', content)
    expect(json.problems.map(({ code, message }) => [code, message])).toEqual([
      [
        'values_unreadable',
        'The column "created_at" has 1 value that cannot be read, in line 2. It is left out until you correct it.',
      ],
      [
        'values_unreadable',
        'The column "updated_at" has 1 value that cannot be read, in line 2. It is left out until you correct it.',
      ],
      [
        'values_unreadable',
        'The column "due_at" has 1 value that cannot be read, in line 5. It is left out until you correct it.',
      ],
      ['ids_repeated', expect.any(String)],
    ])
    const done = await migrate(portal, id)
    const counts = done.warnings.map(({ code, count, message }: { code: string; count: number; message: string }) => [
      code,
      count,
      message,
    ])
    expect(counts.sort()).toEqual([
      ['duplicate_id', 1, 'Several rows have the same id. Each became a record of its own.'],
      ['value_unreadable', 2, 'A value does not fit its column, such as a day that does not exist. It was left out.'],
    ])
    expect((await arrived(portal, ['2', '3', '3#4'])).map((one) => [one?.created_at, one?.updated_at])).toEqual([
      ['2023-11-14T22:13:20.000Z', '2023-11-14T22:13:20.123Z'],
      ['2024-02-01T00:00:00.000Z', '2024-03-01T14:05:00.000Z'],
      ['2024-05-01T08:00:00.000Z', '2024-05-01T10:00:00.000Z'],
    ])
    const view = async (ticket: string) =>
      (await portal.act<PortalRecordView>('GET', `/records/tickets/${encodeURIComponent(ticket)}`)).json
    expect(await view('1')).toMatchObject({
      warnings: ['value_unreadable'],
      notes: [
        'tickets.csv, line 2: the value of "created_at" is not what the column is for.',
        'tickets.csv, line 2: the value of "updated_at" is not what the column is for.',
      ],
    })
    expect(await view('3#4')).toMatchObject({
      warnings: ['duplicate_id'],
      notes: ['tickets.csv, line 6: an earlier row has the same id; this one is taken as another record.'],
    })
    expect(await view('2')).toMatchObject({ warnings: [], notes: [] })
  })
})
