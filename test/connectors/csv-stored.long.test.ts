import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reader } from '../../service/src/connectors/contract/contract.ts'
import { csv } from '../../service/src/connectors/files/index.ts'
import type { RecordRef } from '../../service/src/families/record.ts'
import { openUpload } from '../../service/src/uploads/open-upload.ts'
import { type CsvService, startCsvService } from '../portal/csv-service.ts'
import { zipOf } from './csv-upload.ts'
import { describeReader, readAll } from './reader-contract.ts'

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

/** Uploads as a customer does, and reads as a run does. */
async function store(fileName: string, bytes: Buffer) {
  const portal = await service.openPortal()
  const { id, status, json } = await portal.upload(fileName, bytes)
  expect(status, JSON.stringify(json)).toBe(200)
  const reads: number[] = []
  const open = async (): Promise<Reader> => {
    const upload = await openUpload(service, { importId: portal.id, uploadId: id })
    const counted = {
      ...upload,
      open: (...[file, range]: Parameters<typeof upload.open>) => {
        const stream = upload.open(file, range)
        stream.on('data', () => {})
        stream.pause()
        const before = reads.length
        reads.push(0)
        stream.on('data', (piece: Buffer) => {
          reads[before] = (reads[before] ?? 0) + piece.length
        })
        return stream
      },
    }
    const account = { access: { instanceUrl: null, username: null, token: null, uploadId: id }, upload: counted }
    const reader = await csv.source?.open(account as never)
    if (!reader) throw new Error('CSV files are no source')
    return reader
  }
  return { id, open, reads }
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const archive = () =>
  zipOf([
    { name: 'contacts.csv', content: `email,name\n${lines(700, (n) => `c${n}@post.example,Contact ${n}`)}` },
    {
      name: 'tickets.csv',
      content: `id,subject,requester_email,updated_at\n${lines(1_300, (n) => `${n},Ticket ${n},c${n % 700}@post.example,2026-01-0${(n % 9) + 1}`)}`,
    },
    { name: 'tickets-2.csv', content: 'id,subject\n7,A second seven\nx,Last\n"broken' },
    {
      name: 'comments.csv',
      content: `id,ticket_id,body\n${lines(5_000, (n) => `${n},${n % 1_300},Comment ${n}`)}`,
    },
    { name: 'groups.csv', content: 'name,description\nSame,x\nSame,x\nOther,y' },
  ])

let stored: Awaited<ReturnType<typeof store>>
describe('a stored zip', () => {
  beforeAll(async () => {
    stored = await store('export.zip', archive())
  })

  describeReader('it', async () => ({
    reader: await stored.open(),
    family: 'helpdesk',
    entities: ['contacts', 'tickets', 'comments', 'groups'],
    withoutFiles: 'tables hold no files',
    missing: { contacts: 'nobody@example.com', tickets: '99999', comments: '99999' },
  }))

  test('returns single records by their ids, from every table of the entity', async () => {
    const reader = await stored.open()
    const all = await readAll((cursor) => reader.read('tickets', cursor, {}))
    const ids = ['1299', '0', 'x', 'no such id', '500', '499', '7#2-1']
    const found = await readAll((cursor) => readSome(reader, 'tickets', { ids }, cursor))
    expect(found).toEqual(all.filter(({ sourceId }) => ids.includes(sourceId)))
    expect(found.map(({ sourceId }) => sourceId)).toEqual(['0', '499', '500', '1299', '7#2-1', 'x'])
    expect((await readSome(reader, 'groups', { ids: ['nothing'] }, null)).items).toEqual([])
    const groups = await readAll((cursor) => reader.read('groups', cursor, {}))
    const [, second] = groups
    expect((await readSome(reader, 'groups', { ids: [String(second?.sourceId)] }, null)).items).toEqual([second])
  })

  test('returns single records by their parents, page by page', async () => {
    const reader = await stored.open()
    const parents: RecordRef[] = [
      { entity: 'tickets', sourceId: '3' },
      { entity: 'tickets', sourceId: '1299' },
      { entity: 'contacts', sourceId: '4' },
    ]
    const found = await readAll((cursor) => readSome(reader, 'comments', { parents }, cursor))
    const all = await readAll((cursor) => reader.read('comments', cursor, {}))
    const isWanted = (ref: unknown) => ['3', '1299'].includes((ref as RecordRef).sourceId)
    expect(found).toEqual(all.filter(({ fields }) => isWanted(fields.ticket)))
    expect(found.length).toBeGreaterThan(6)
    const everything = {
      parents: lines(1_300, String)
        .split('\n')
        .map((sourceId) => ({ entity: 'tickets', sourceId })),
    }
    expect(await readAll((cursor) => readSome(reader, 'comments', everything, cursor))).toEqual(all)
  })

  test('a cursor of another upload starts from the beginning', async () => {
    const reader = await stored.open()
    const { next } = await reader.read('tickets', null, {})
    const other = await (await store('export.zip', archive())).open()
    expect(await other.read('tickets', next, {})).toEqual(await other.read('tickets', null, {}))
  })
})

function readSome(reader: Reader, ...args: Parameters<NonNullable<Reader['readSome']>>) {
  if (!reader.readSome) throw new Error('the reader reads no single records')
  return reader.readSome(...args)
}

test.each([
  ['a zip', (text: string) => zipOf([{ name: 'tickets.csv', content: text }])],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('reading one page of %s costs only that page, wherever it is', { timeout: 900_000 }, async (_name, pack) => {
  const text = `id,subject\n${lines(60_000, (n) => `${n},${'Subject '.repeat(6)}${n}`)}`
  const { open, reads } = await store('tickets.csv', pack(text))
  const reader = await open()
  let cursor: string | null = null
  let rows = 0
  do {
    const page: Awaited<ReturnType<Reader['read']>> = await reader.read('tickets', cursor, {})
    rows += page.items.length
    cursor = page.next
  } while (cursor !== null)
  expect(rows).toBe(60_000)
  expect(reads.length).toBe(120)
  // A page has about 30 kB; streams read a little ahead.
  expect(Math.max(...reads)).toBeLessThan(300 * 1024)
})
