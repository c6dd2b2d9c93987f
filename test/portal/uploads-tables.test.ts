import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { zipOf } from '../connectors/csv-upload.ts'
import { workbookOf } from '../connectors/workbook-of.ts'
import { type CsvService, chunksOf, startCsvService } from './csv-service.ts'

const MiB = 1024 * 1024

let service: CsvService
beforeAll(async () => {
  service = await startCsvService({ config: { uploadLimitBytes: 40 * MiB } })
})
afterAll(() => service.close())

describe('a wrong file', () => {
  const good = { name: 'tickets.csv', content: 'id,subject\n1,Fine' }
  test.each<[string, string, Buffer, RegExp]>([
    ['random bytes', 'tickets.csv', randomBytes(50_000), /tickets\.csv: This is no text.*Export your data as CSV/],
    ['a PDF', 'report.pdf', Buffer.from('%PDF-1.7\nx'), /report\.pdf: This is a PDF.*Export/],
    ['only line ends', 'tickets.csv', Buffer.from('\n\n\r\n'), /tickets\.csv: This file has no rows\. Export/],
    ['a broken zip', 'x.zip', zipOf([good]).subarray(0, -10), /x\.zip: The zip file is damaged\. Make the zip again/],
    ['an empty zip', 'x.zip', zipOf([]), /x\.zip: The zip holds no files\. Put your CSV files/],
    [
      'a letter of an office program',
      'Letter.docx',
      zipOf([{ name: '[Content_Types].xml', content: '<x/>' }, good]),
      /Letter\.docx: This is a document of an office program.*save each sheet as "CSV UTF-8"/,
    ],
    [
      'a damaged workbook',
      'Book1.xlsx',
      zipOf([
        { name: '[Content_Types].xml', content: '<x/>' },
        { name: 'xl/workbook.xml', content: '<workbook>' },
      ]),
      /Book1\.xlsx: This workbook cannot be read\..*save each sheet as "CSV UTF-8"/,
    ],
    ['an empty workbook', 'Book1.xlsx', workbookOf({ Tickets: [] }), /Book1\.xlsx: This workbook has no rows/],
    [
      'a workbook that is far too large',
      'Book1.xlsx',
      zipOf([
        { name: '[Content_Types].xml', content: '<x/>' },
        { name: 'xl/workbook.xml', content: Buffer.alloc(101 * MiB, ' ') },
      ]),
      /Book1\.xlsx: This workbook is too large to be read at once\..*save each sheet as "CSV UTF-8"/,
    ],
    [
      'a zip bomb',
      'x.zip',
      zipOf([{ name: 'tickets.csv', content: Buffer.alloc(64 * MiB, 'a,b\n') }]),
      /tickets\.csv: This file unpacks to far more than its size.*upload it by itself/,
    ],
    [
      'a zip with a password',
      'x.zip',
      zipOf([{ ...good, isEncrypted: true }]),
      /tickets\.csv: Files with a password are not read\. Make the zip again without/,
    ],
    [
      'a zip of a damaged file',
      'x.zip',
      zipOf([{ ...good, packed: Buffer.from('no deflate at all') }]),
      /tickets\.csv: This file is damaged and cannot be read\. Make the zip again/,
    ],
    [
      'a zip of programs',
      'x.zip',
      zipOf([{ name: '../../bin/tool.exe', content: 'MZ' }]),
      /\.\.\/\.\.\/bin\/tool\.exe: Only \.csv.*save it as \.csv/,
    ],
  ])('%s: names the file, and what to do', async (_name, fileName, bytes, expected) => {
    const portal = await service.openPortal()
    const { id, status, json } = await portal.upload(fileName, bytes)
    const { upload } = json as unknown as { upload: string[] }
    expect([status, upload.length]).toEqual([422, 1])
    expect(upload[0]).toMatch(expected)
    expect((await portal.look(id)).state).toBe('refused')
    expect((await portal.connectSource(id)).json).toEqual({ upload: ['cannot be used: upload another file'] })
    await vi.waitFor(async () => expect(await chunksOf(service, id)).toEqual([]), { timeout: 300_000 })
  })

  test('a table of an unknown kind can be assigned by the customer, and only then be the source', async () => {
    const portal = await service.openPortal()
    const { id, status, json } = await portal.upload('data.csv', 'foo,bar\nAda,ada@post.example\nBob,bob@post.example')
    expect([status, json.tables[0]?.entity, json.problems[0]]).toEqual([
      200,
      null,
      {
        file: 'data.csv',
        code: 'unknown_entity',
        message: expect.stringContaining('what its rows are'),
        fix: expect.stringContaining('Choose what it holds'),
      },
    ])
    expect((await portal.connectSource(id)).json).toEqual({
      source: [expect.stringMatching(/^data\.csv: we cannot tell what the rows are\. Choose/)],
    })
    const arranged = await portal.chooseTables(id, {
      file: 'data.csv',
      entity: 'contacts',
      columns: [
        { column: 0, as: 'field', field: 'name' },
        { column: 1, as: 'field', field: 'emails' },
      ],
    })
    expect([arranged.status, arranged.json.problems, arranged.json.tables[0].key]).toEqual([
      200,
      [],
      { column: 1, by: 'email' },
    ])
    expect((await portal.connectSource(id)).status).toBe(200)
  })
})

describe('the customer’s choices for tables', () => {
  const archive = () =>
    zipOf([
      { name: 'people.csv', content: 'id,name,email\n1,Ada,ada@post.example\n2,Bob,bob@post.example' },
      { name: 'list.csv', content: 'ref,what,who\n7,Help me,ada@post.example\n8,Again,bob@post.example' },
    ])

  test('turn texts into references, and references into texts', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('x.zip', archive())
    const columns = [
      { column: 0, as: 'id' },
      { column: 1, as: 'field', field: 'subject' },
      { column: 2, as: 'field', field: 'requester', by: 'email' },
    ]
    const first = await portal.chooseTables(id, { file: 'list.csv', entity: 'tickets', columns })
    expect(first.status).toBe(200)
    expect(first.json.tables.map((table: { entity: string; key: object }) => [table.entity, table.key])).toEqual([
      ['contacts', { column: 2, by: 'email' }],
      ['tickets', { column: 0, by: 'id' }],
    ])
    expect(first.json.tables[1].columns[2]).toEqual({
      header: 'who',
      as: 'field',
      field: 'requester',
      by: 'email',
      to: 'contacts',
    })
    const second = await portal.chooseTables(id, { file: 'people.csv', entity: null })
    expect(second.json.tables[1].columns[2]).toMatchObject({ header: 'who', as: 'custom', type: 'text' })
    expect(second.json.problems).toContainEqual({
      file: 'list.csv',
      code: 'reference_not_followed',
      message: expect.stringContaining('The column "who" names contacts by e-mail'),
      fix: expect.stringContaining('Add a file of contacts'),
    })
    const third = await portal.chooseTables(
      id,
      { file: 'people.csv', entity: 'contacts' },
      { file: 'list.csv', columns: [{ column: 1, as: 'ignored' }] },
    )
    expect(third.json.tables[1].columns.map(({ as }: { as: string }) => as)).toEqual(['id', 'ignored', 'field'])
  })

  test.each<[string, object]>([
    ['no such file', { file: 'other.csv', entity: 'tickets' }],
    ['no such entity', { file: 'list.csv', entity: 'spaceships' }],
    ['files as rows', { file: 'list.csv', entity: 'attachments' }],
    ['no such column', { file: 'list.csv', entity: 'tickets', columns: [{ column: 3, as: 'id' }] }],
    ['no such field', { file: 'people.csv', columns: [{ column: 0, as: 'field', field: 'constructor' }] }],
    ['no such use', { file: 'people.csv', columns: [{ column: 0, as: 'everything' }] }],
    ['two ids', { file: 'people.csv', columns: [{ column: 1, as: 'id' }] }],
    ['a reference of a text', { file: 'people.csv', columns: [{ column: 1, as: 'field', field: 'name', by: 'id' }] }],
    ['a column as text', { file: 'people.csv', columns: [{ column: '1', as: 'id' }] }],
  ])('are refused with a reason: %s', async (_name, choice) => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('x.zip', archive())
    const answer = await portal.chooseTables(id, choice)
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, ['tables']])
    expect((await portal.look(id)).state).toBe('ready')
  })
})
