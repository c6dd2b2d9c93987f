import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csv } from '../../service/src/connectors/files/index.ts'
import type { PortalUpload } from '../../service/src/portal/upload-contract.ts'
import { sweepUploads } from '../../service/src/uploads/erase-uploads.ts'
import { openUpload } from '../../service/src/uploads/open-upload.ts'
import { zipOf } from '../connectors/csv-upload.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { workbookOf } from '../connectors/workbook-of.ts'
import { type CsvPortal, type CsvService, chunksOf, startCsvService } from './csv-service.ts'

const MiB = 1024 * 1024

let service: CsvService
beforeAll(async () => {
  service = await startCsvService({ config: { uploadLimitBytes: 2 * MiB } })
})
afterAll(() => service.close())

const contacts = 'id,name,email\n1,Ada,ada@acme.example\n2,Bob,bob@acme.example'
const tickets = 'id,subject,requester_id,created_at\n10,Rake,1,2024-05-01\n11,Hoe,2,yesterday'
const comments = 'id,ticket_id,body\n20,10,Hello\n21,11,"Bye'

/** Adds a file to an upload, and sends all of it. */
async function add(portal: CsvPortal, id: string, fileName: string, content: string | Buffer): Promise<number> {
  const bytes = Buffer.from(content)
  const added = await portal.act<PortalUpload>('POST', `/uploads/${id}/files`, {
    file_name: fileName,
    size: bytes.length,
  })
  expect(added.status, JSON.stringify(added.json)).toBe(201)
  const file = added.json.files.at(-1)
  expect([added.json.state, file?.file_name, file?.received]).toEqual(['receiving', fileName, 0])
  const number = file?.number ?? -1
  for (let at = 0; at < bytes.length; at += added.json.part_bytes) {
    const part = bytes.subarray(at, at + added.json.part_bytes)
    expect((await portal.act('PUT', `/uploads/${id}/content?file=${number}&offset=${at}`, part)).status).toBe(200)
  }
  return number
}

/** Reads an upload as a run does. */
async function recordsOf(importId: string, uploadId: string) {
  const upload = await openUpload(service, { importId, uploadId })
  const reader = await csv.source?.open({ access: {}, upload } as never)
  if (!reader) throw new Error('CSV files are no source')
  const all = []
  for (const entity of ['contacts', 'tickets', 'comments'])
    all.push(await readAll((cursor) => reader.read(entity, cursor, {})))
  return all
}

const known = ({ tables, problems, entities }: PortalUpload) => ({ tables, problems, entities })

describe('several files', () => {
  test('give the same source as a zip of them', async () => {
    const zipped = await service.openPortal()
    const zip = await zipped.upload(
      'all.zip',
      zipOf([
        { name: 'contacts.csv', content: contacts },
        { name: 'tickets.csv', content: tickets },
        { name: 'comments.csv', content: comments },
      ]),
    )
    const portal = await service.openPortal()
    const { id } = await portal.begin('contacts.csv', contacts.length)
    await portal.sendPart(id, 0, Buffer.from(contacts))
    await add(portal, id, 'tickets.csv', tickets)
    await add(portal, id, 'comments.csv', comments)
    const { status, json } = await portal.finish(id)
    expect(status).toBe(200)
    expect(known(json)).toEqual(known(zip.json))
    expect(json.problems.map(({ file, code }) => [file, code])).toEqual([
      ['tickets.csv', 'values_unreadable'],
      ['comments.csv', 'rows_skipped'],
    ])
    expect(await recordsOf(portal.id, id)).toEqual(await recordsOf(zipped.id, zip.id))

    const name = 'contacts.csv, tickets.csv, comments.csv'
    expect(json).toMatchObject({ file_name: name, size: json.received, is_connected: false })
    expect(await portal.connectSource(id)).toEqual({ status: 200, json: { account: { name } } })
    const late = await portal.act('POST', `/uploads/${id}/files`, { file_name: 'x.csv', size: 3 })
    expect([late.status, late.json]).toEqual([
      422,
      { upload: ['is in use: upload the files that are to take its place'] },
    ])
    expect((await portal.act('DELETE', `/uploads/${id}/files/0`)).status).toBe(422)
  })

  test('can be added and removed after reading, and the choices for the other files stay', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('list.csv', 'id,subject\n1,Rake')
    await portal.chooseTables(id, { file: 'list.csv', entity: 'organizations' })
    const number = await add(portal, id, 'more.zip', zipOf([{ name: 'tickets.csv', content: tickets }]))
    const notes = await add(portal, id, 'notes.pdf', '%PDF-1.4 no table')
    expect((await portal.finish(id)).status).toBe(200)
    await sweepUploads(service.db)
    const both = await portal.look(id)
    expect(both.tables.map(({ file, entity, rows }) => [file, entity, rows])).toEqual([
      ['list.csv', 'organizations', 1],
      ['tickets.csv', 'tickets', 2],
    ])
    expect(both.problems.map(({ file }) => file)).toContain('notes.pdf')

    for (const [file, left] of [
      [notes, ['list.csv', 'tickets.csv']],
      [number, ['list.csv']],
    ] as const) {
      const removed = await portal.removeFile(id, file)
      expect([removed.status, removed.json.state]).toEqual([200, 'ready'])
      expect(removed.json.tables.map((table) => table.file)).toEqual(left)
      expect(removed.json.problems.map((problem) => problem.file)).not.toContain('notes.pdf')
    }
    await sweepUploads(service.db)
    const tables = (await portal.look(id)).tables
    expect(tables).toMatchObject([{ file: 'list.csv', entity: 'organizations', rows: 1 }])
    // The file itself and the index of its rows.
    expect(await chunksOf(service, id)).toHaveLength(2)

    const again = await portal.act('DELETE', `/uploads/${id}/files/${number}`)
    expect(again.status).toBe(404)
    expect((await portal.act('DELETE', `/uploads/${id}/files/0`)).status).toBe(204)
    expect((await portal.act('GET', '/uploads')).json).toEqual({ uploads: [] })
  })

  test('that are started twice, removed while they arrive, or missing give different errors', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.begin('contacts.csv', contacts.length)
    const added = await portal.act<PortalUpload>('POST', `/uploads/${id}/files`, { file_name: 'tickets.csv', size: 9 })
    const early = await portal.act('POST', `/uploads/${id}/finish`, {})
    expect([early.status, early.json.upload[0]]).toEqual([422, expect.stringContaining('is not complete')])
    await portal.sendPart(id, 0, Buffer.from(contacts))
    expect((await portal.act('POST', `/uploads/${id}/finish`, {})).status).toBe(422)
    const late = await portal.act('PUT', `/uploads/${id}/content?file=7&offset=0`, Buffer.from('a'))
    expect(late.status).toBe(404)
    expect((await portal.act('PUT', `/uploads/${id}/content?file=x&offset=0`, Buffer.from('a'))).status).toBe(422)
    const half = await portal.act('DELETE', `/uploads/${id}/files/${added.json.files[1]?.number}`)
    expect([half.status, half.json.state]).toEqual([200, 'receiving'])
    expect((await portal.finish(id)).json.tables.map(({ file }) => file)).toEqual(['contacts.csv'])
  })

  test('share the size limit of an upload, and are refused one by one', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.begin('a.csv', MiB + 1)
    const over = await portal.act('POST', `/uploads/${id}/files`, { file_name: 'b.csv', size: MiB })
    expect([over.status, over.json.size]).toEqual([
      422,
      ['of all files together is over the limit of 2 MiB. Zip b.csv, or split it and import one part at a time'],
    ])
    const empty = await portal.act('POST', `/uploads/${id}/files`, { file_name: 'b.csv', size: 0 })
    expect(empty.json.size).toEqual(['is 0: b.csv is empty. Please export it again'])
    expect((await portal.look(id)).files.map(({ file_name }) => file_name)).toEqual(['a.csv'])
  })

  test('with the same name are not confused; sheets get the name of their workbook', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('tickets.csv', tickets)
    await add(portal, id, 'tickets.csv', 'id,subject\n9,Other')
    await add(
      portal,
      id,
      'one.xlsx',
      workbookOf({
        Sheet1: [
          ['id', 'name'],
          ['1', 'Ada'],
        ],
      }),
    )
    await add(
      portal,
      id,
      'contacts.xlsx',
      workbookOf({
        Sheet1: [
          ['id', 'name'],
          ['2', 'Bob'],
        ],
      }),
    )
    const { json } = await portal.finish(id)
    expect(json.tables.map(({ file, rows }) => [file, rows])).toEqual([
      ['tickets.csv', 2],
      ['Sheet1.csv', 1],
      ['contacts Sheet1.csv', 1],
    ])
    expect(json.tables[2]?.entity).toBe('contacts')
    expect(json.problems.find(({ code }) => code === 'same_name')).toMatchObject({ file: 'tickets.csv' })
  })
})
