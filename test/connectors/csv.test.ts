import { describe, expect, test } from 'vitest'
import { detectTables } from '../../service/src/connectors/files/detect-tables.ts'
import { csv } from '../../service/src/connectors/files/index.ts'
import { createCsvReader } from '../../service/src/connectors/files/reader.ts'
import { ObstacleError } from '../../service/src/errors.ts'
import { families } from '../../service/src/families/index.ts'
import { uploadOf, zipOf } from './csv-upload.ts'
import { readRecords } from './read-csv.ts'
import { describeReader } from './reader-contract.ts'

const numbered = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index + 1)).join('\n')
const day = (index: number) => `2026-0${(index % 9) + 1}-11T10:00:00Z`

const archive = zipOf([
  {
    name: 'export/Firmen.csv',
    content: `id;Name;Branche\n${numbered(12, (n) => `o${n};Firma ${n};${n % 2 ? 'Bau' : 'Handel'}`)}`,
  },
  {
    name: 'export/customers.csv',
    content: `ID,Full Name,E-Mail,organization_id,Updated At,VIP\n${numbered(
      60,
      (n) => `${n},"Person ""${n}""",p${n}@post.example,o${(n % 12) + 1},${day(n)},${n % 3 ? 'yes' : 'no'}`,
    )}`,
  },
  {
    name: 'export/tickets-1.csv',
    content: `Updated,Betreff,id,Kunde_id,Bearbeiter_email,Größe\n${numbered(
      70,
      (n) => `${day(n)},Ticket ${n},${n},${(n % 60) + 1},agent${n % 4}@desk.example,"${n},5"`,
    )}`,
  },
  { name: 'export/tickets-2.csv', content: 'id\tsubject\ttags\n71\tThe last\ta;b\n72\tOne more\t' },
  { name: 'export/notes.pdf', content: 'no table' },
])

describeReader('a zip of CSV files', async () => ({
  reader: createCsvReader(uploadOf('export.zip', archive), 'helpdesk', { pageSize: 7 }),
  family: 'helpdesk',
  entities: ['organizations', 'contacts', 'tickets'],
  withoutFiles: 'tables hold no files',
}))

describeReader('one CSV file in UTF-16', async () => ({
  reader: createCsvReader(
    uploadOf(
      'issues.csv',
      Buffer.from(`\ufeffsubject|status|changed\n${numbered(30, (n) => `Nr ${n} 🌱|open|${n}`)}`, 'utf16le'),
    ),
    'helpdesk',
    { pageSize: 4 },
  ),
  family: 'helpdesk',
  entities: ['tickets'],
  withoutFiles: 'tables hold no files',
}))

test('CSV is a source for every family, and needs an upload', async () => {
  expect([csv.tool, csv.label, csv.families]).toEqual(['csv', 'CSV files', families])
  await expect(csv.source?.open({} as never)).rejects.toThrow(ObstacleError)
})

describe('columns', () => {
  test('are recognised in any order, in English and German, and the rest become typed custom fields', async () => {
    const content = `VIP;Angelegt am;Nachname;Umsatz;Vorname;E-Mail;Firma_id;Seit;Sprache;__proto__\n${numbered(
      12,
      (n) => `${n % 2 ? 'ja' : 'nein'};03.02.2026 14:30;Müller;${n},25;Jörg;j${n}@post.example;7;${n}.12.2025;de;x${n}`,
    )}`
    const upload = uploadOf(
      'Kunden 2026.csv',
      zipOf([
        { name: 'Kunden 2026.csv', content },
        { name: 'firmen.csv', content: 'id,name\n7,Acme' },
      ]),
    )
    const { records, warnings } = await readRecords(upload, 'contacts')
    expect(warnings).toEqual([])
    expect(records).toHaveLength(12)
    expect(records[0]).toEqual({
      entity: 'contacts',
      sourceId: 'j1@post.example',
      createdAt: '2026-02-03T14:30:00.000Z',
      fields: {
        name: 'Jörg Müller',
        emails: [{ address: 'j1@post.example' }],
        organization: { entity: 'organizations', sourceId: '7' },
        language: 'de',
      },
      customFields: Object.fromEntries([
        ['vip', { label: 'VIP', type: 'boolean', value: true }],
        ['nachname', { label: 'Nachname', type: 'option', value: 'Müller', options: ['Müller'] }],
        ['umsatz', { label: 'Umsatz', type: 'decimal', value: 1.25 }],
        ['vorname', { label: 'Vorname', type: 'option', value: 'Jörg', options: ['Jörg'] }],
        ['seit', { label: 'Seit', type: 'date', value: '2025-12-01' }],
        ['proto', { label: '__proto__', type: 'text', value: 'x1' }],
      ]),
    })
  })

  test('refer to records by e-mail when the target table has e-mails as ids', async () => {
    const upload = uploadOf(
      'x.zip',
      zipOf([
        { name: 'contacts.csv', content: 'id,name,email\n1,Ada,Ada@Post.example\n2,Bob,bob@post.example' },
        { name: 'tickets.csv', content: 'id,subject,requester_email\n1,Help,ada@post.example' },
      ]),
    )
    expect((await readRecords(upload, 'contacts')).records[0]?.sourceId).toBe('ada@post.example')
    expect((await readRecords(upload, 'tickets')).fields[0]?.requester).toEqual({
      entity: 'contacts',
      sourceId: 'ada@post.example',
    })
  })

  test('refer to records by e-mail where their values are addresses, under any column name', async () => {
    const upload = uploadOf(
      'x.zip',
      zipOf([
        { name: 'contacts.csv', content: 'Name,E-Mail\nAda,Ada@Post.example\nBob,bob@post.example' },
        { name: 'tickets.csv', content: 'Betreff,Kunde\nHilfe,ada@post.example\nNiemand,\nMehr,bob@post.example' },
      ]),
    )
    expect((await readRecords(upload, 'tickets')).fields.map(({ requester }) => requester)).toEqual([
      { entity: 'contacts', sourceId: 'ada@post.example' },
      undefined,
      { entity: 'contacts', sourceId: 'bob@post.example' },
    ])
  })

  test("hold the row's own id, its parent's id, or other records' ids, by their names", async () => {
    const upload = uploadOf(
      'x.zip',
      zipOf([{ name: 'tickets.csv', content: 'Ticket ID,Parent ID,Ticket,Subject\n1,,T,First\n2,1,T,Second' }]),
    )
    const { records } = await readRecords(upload, 'tickets')
    expect(records.map(({ sourceId, fields }) => [sourceId, fields.subject, fields.parent_ticket])).toEqual([
      ['1', 'First', undefined],
      ['2', 'Second', { entity: 'tickets', sourceId: '1' }],
    ])
    const byNumber = uploadOf(
      'x.zip',
      zipOf([
        { name: 'tickets.csv', content: 'number,subject\nT-7,Help' },
        { name: 'comments.csv', content: 'id,ticket_number,body,public\n1,T-7,<p>Hello</p>,ja' },
      ]),
    )
    expect((await readRecords(byNumber, 'tickets')).records[0]?.sourceId).toBe('T-7')
    expect((await readRecords(byNumber, 'comments')).fields).toEqual([
      {
        ticket: { entity: 'tickets', sourceId: 'T-7' },
        body: { format: 'html', body: '<p>Hello</p>' },
        is_public: true,
      },
    ])
  })

  test('that refer to a missing table stay text', async () => {
    const { records } = await readRecords(
      uploadOf('tickets.csv', 'id,subject,requester_email\n1,Help,a@b.example'),
      'tickets',
    )
    expect(records[0]?.fields).toEqual({ subject: 'Help' })
    expect(records[0]?.customFields).toEqual({
      requester_email_text: { label: 'requester_email', type: 'text', value: 'a@b.example' },
    })
  })

  test('with people give users with the name or e-mail address of the column', async () => {
    const reader = createCsvReader(
      uploadOf('deals.csv', 'name,owner,value\nA,Zoe@crm.example,12.50 EUR\nB,Max,€ 3'),
      'crm',
    )
    expect((await reader.users(null)).items).toEqual([
      { id: 'zoe@crm.example', name: 'zoe@crm.example', email: 'zoe@crm.example', isActive: true },
      { id: 'Max', name: 'Max', email: null, isActive: true },
    ])
    expect((await reader.read('deals', null, {})).items.map(({ fields }) => fields)).toEqual([
      { name: 'A', owner: { userId: 'zoe@crm.example' }, value: { amount: '12.50', currency: 'EUR' } },
      { name: 'B', owner: { userId: 'Max' }, value: { amount: '3', currency: 'EUR' } },
    ])
  })

  test.each([
    ['helpdesk', 'companies.csv', 'organizations'],
    ['helpdesk', 'Anfragen (1).csv', 'tickets'],
    ['helpdesk', 'C:\\export\\issues.csv', 'tickets'],
    ['project', 'issues.csv', 'issues'],
    ['project', 'Aufgaben.tsv', 'issues'],
    ['crm', 'Firmen-2024-01.csv', 'accounts'],
    ['blog', 'beitraege.txt', 'posts'],
  ] as const)('%s: the file %s holds %s', async (family, fileName, entity) => {
    const { tables } = await detectTables(uploadOf(fileName, 'a,b\n1,2'), family)
    expect(tables.map((table) => table.entity)).toEqual([entity])
  })

  test('decide what the rows are when the file name does not', async () => {
    const upload = uploadOf('export_2024.csv', 'Betreff,Priorität,Status,Melder\nHilfe,hoch,offen,Ada')
    expect((await detectTables(upload, 'helpdesk')).tables[0]?.entity).toBe('tickets')
    const { tables, problems } = await detectTables(uploadOf('data.csv', 'foo,bar\n1,2'), 'helpdesk')
    expect([tables[0]?.entity, problems[0]?.code]).toEqual([null, 'unknown_entity'])
  })

  test('a file without a header is still a table', async () => {
    const { tables } = await detectTables(
      uploadOf('tickets.csv', '1,a@b.example,2026-01-01\n2,c@d.example,2026-01-02'),
      'helpdesk',
    )
    expect([tables[0]?.hasHeader, tables[0]?.rows, tables[0]?.columns[0]?.header]).toEqual([false, 2, 'Column 1'])
  })
})
