import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openFiles } from '../../service/src/uploads/file-store.ts'
import { requireUpload } from '../../service/src/uploads/upload-rows.ts'
import { type CsvPortal, type CsvService, chunksOf, startCsvService, tickets } from './csv-service.ts'

const MiB = 1024 * 1024
const unit = 256 * 1024

let service: CsvService
beforeAll(async () => {
  service = await startCsvService({ config: { uploadLimitBytes: 40 * MiB } })
})
afterAll(() => service.close())

/** Sends the beginning of a part, and cuts the connection once all complete units of it are stored. */
async function cutOff(portal: CsvPortal, uploadId: string, bytes: Buffer, sent: number): Promise<void> {
  const put = request(`${portal.base}/uploads/${uploadId}/content?offset=0`, {
    method: 'PUT',
    headers: {
      cookie: portal.cookie,
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
    },
  })
  put.on('error', () => {})
  const closed = new Promise<void>((resolve) => put.on('close', () => resolve()))
  put.write(bytes.subarray(0, sent))
  const stored = async () => (await portal.look(uploadId)).received
  await expect.poll(stored, { timeout: 300_000 }).toBe(Math.floor(sent / unit) * unit)
  put.destroy()
  await closed
}

describe('an upload', () => {
  test('is sent in parts, read, shown, and made the source', async () => {
    const portal = await service.openPortal()
    const content = `${tickets(20_000)}\n`
    const { id, status, json } = await portal.upload('My tickets.csv', content)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id,
      file_name: 'My tickets.csv',
      size: Buffer.byteLength(content),
      received: Buffer.byteLength(content),
      state: 'ready',
      is_connected: false,
      problems: [],
      tables: [
        {
          file: 'My tickets.csv',
          entity: 'tickets',
          rows: 20_000,
          encoding: 'utf-8',
          delimiter: ',',
          has_header: true,
          key: { column: 0, by: 'id' },
          columns: [
            { header: 'id', as: 'id' },
            { header: 'subject', as: 'field', field: 'subject' },
            { header: 'description', as: 'field', field: 'description' },
          ],
        },
      ],
    })
    expect(json.entities.map(({ name }) => name)).not.toContain('attachments')
    expect(json.entities.find(({ name }) => name === 'comments')?.fields).toContainEqual({
      name: 'ticket',
      type: 'relation',
      many: false,
      required: true,
      to: ['tickets'],
    })
    const connected = await portal.connectSource(id)
    expect(connected).toEqual({ status: 200, json: { account: { name: 'My tickets.csv' } } })
    expect((await portal.look(id)).is_connected).toBe(true)
    expect((await portal.act('GET', '')).json.source.access).toBe('checked')
    await portal.connectDestination()
    await portal.until('waiting_to_start_sample_migration')
  })

  test('is stored sealed, each chunk bound to its place', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('tickets.csv', tickets(3_000))
    const chunks = await chunksOf(service, id)
    expect(chunks.length).toBeGreaterThan(3)
    for (const { sealed_bytes: bytes } of chunks) expect(bytes.includes('lorem')).toBe(false)
    const row = await service.db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('subject')
    expect(JSON.stringify(row)).not.toContain('tickets.csv')
    await service.db
      .updateTable('upload_chunks')
      .set({ sealed_bytes: (chunks[0] as { sealed_bytes: Buffer }).sealed_bytes })
      .where('upload_id', '=', id)
      .where('file', '=', 0)
      .where('position', '=', 1)
      .execute()
    const upload = await requireUpload(service.db, service.keyRing, { importId: portal.id, uploadId: id })
    const read = async () => {
      for await (const _ of openFiles(service.db, upload)({ number: 0, size: upload.size }));
    }
    await expect(read()).rejects.toThrow('does not open')
  })

  test('continues after a broken connection, from the position that the server reports', async () => {
    const portal = await service.openPortal()
    const bytes = Buffer.from(tickets(8_000))
    const { id } = await portal.begin('tickets.csv', bytes.length)
    const part = bytes.subarray(0, 7 * unit)
    await cutOff(portal, id, part, 2 * unit + 1000)
    const { received } = await vi.waitFor(
      async () => {
        const upload = await portal.look(id)
        expect(upload.received).toBe(2 * unit)
        return upload
      },
      { timeout: 300_000 },
    )
    const early = await portal.finish(id)
    expect(early).toEqual({
      status: 422,
      json: { upload: [`is not complete: ${received} of ${bytes.length} bytes are there. Send the rest`] },
    })
    expect((await portal.sendPart(id, received, bytes.subarray(received, 7 * unit))).status).toBe(200)
    expect((await portal.sendPart(id, 7 * unit, bytes.subarray(7 * unit))).status).toBe(200)
    const done = await portal.finish(id)
    expect([done.status, done.json.tables[0]?.rows]).toEqual([200, 8_000])
  })

  test.each<[string, number, number, string]>([
    ['before the place', 0, unit, 'offset'],
    ['after the place', 2 * unit, unit, 'offset'],
    ['at no place', 5, unit, 'offset'],
    ['too long', unit, 3 * unit, 'length'],
    ['no multiple of the unit', unit, 1000, 'length'],
    ['of nothing', unit, 0, 'length'],
  ])('refuses a part that is %s', async (_name, offset, length, property) => {
    const portal = await service.openPortal()
    const { id } = await portal.begin('tickets.csv', 3 * unit + 7)
    await portal.sendPart(id, 0, Buffer.alloc(unit, 'a'))
    const answer = await portal.sendPart(id, offset, Buffer.alloc(length, 'a'))
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, [property]])
    expect((await portal.look(id)).received).toBe(unit)
  })

  test('refuses a part that exceeds the limit', async () => {
    const portal = await service.openPortal()
    const { id, part_bytes: most } = await portal.begin('tickets.csv', 30 * MiB)
    const answer = await portal.sendPart(id, 0, Buffer.alloc(most + unit, 'a'))
    expect(answer).toEqual({ status: 422, json: { length: [`must be at most ${most}`] } })
  })

  test('keeps one of two identical parts that arrive at once', async () => {
    const portal = await service.openPortal()
    const bytes = Buffer.from(tickets(8_000)).subarray(0, 8 * unit)
    const { id } = await portal.begin('tickets.csv', bytes.length)
    const answers = await Promise.all(Array.from({ length: 4 }, () => portal.sendPart(id, 0, bytes)))
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
    for (let { received } = await portal.look(id); received < bytes.length; ) {
      const next = await portal.sendPart(id, received, bytes.subarray(received))
      expect(next.status).toBe(200)
      received = next.json.received
    }
    const chunks = await chunksOf(service, id)
    expect(chunks).toHaveLength(8)
    const done = await portal.finish(id)
    expect(done.json.tables[0]?.entity).toBe('tickets')
  })

  test('is refused when it is over the limit, empty, or has no name', async () => {
    const portal = await service.openPortal()
    const start = async (file_name: unknown, size: unknown) =>
      (await portal.act('POST', '/uploads', { file_name, size })).json
    expect(await start('big.csv', 40 * MiB + 1)).toEqual({
      size: ['is over the limit of 40 MiB. Zip big.csv, or split it and import one part at a time'],
    })
    expect(await start('empty.csv', 0)).toEqual({ size: ['is 0: empty.csv is empty. Please export it again'] })
    expect(Object.keys(await start(' ', 1.5))).toEqual(['file_name', 'size'])
    expect(Object.keys(await start('a\u0000b', '1'))).toEqual(['file_name'])
    expect((await start('../../etc/C:\\x\\contacts.csv', 5)).file_name).toBe('contacts.csv')
  })

  test('belongs to one import: no other cookie opens it, nor any other site', async () => {
    const [portal, other] = [await service.openPortal(), await service.openPortal()]
    const { id } = await portal.upload('tickets.csv', 'id,subject\n1,Mine')
    expect((await other.act('GET', `/uploads/${id}`)).status).toBe(404)
    expect((await other.act('POST', `/uploads/${id}/finish`, {})).status).toBe(404)
    expect((await other.sendPart(id, 0, Buffer.from('x'))).status).toBe(404)
    expect((await other.act('PUT', `/uploads/${id}/tables`, { tables: [] })).status).toBe(404)
    expect((await other.connectSource(id)).status).toBe(404)
    const stolen = await fetch(`${portal.base}/uploads/${id}`, { headers: { cookie: other.cookie } })
    expect(stolen.status).toBe(401)
    for (const [method, path] of [
      ['POST', '/uploads'],
      ['POST', `/uploads/${id}/finish`],
      ['PUT', `/uploads/${id}/tables`],
    ] as const) {
      expect((await portal.act(method, path, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
    }
    const put = await portal.act('PUT', `/uploads/${id}/content?offset=0`, Buffer.from('x'), {
      origin: 'https://evil.example',
    })
    expect(put.status).toBe(400)
    for (const odd of ['upl_', '..', '%00', `upl_${'z'.repeat(26)}`]) {
      expect((await portal.act('GET', `/uploads/${odd}`)).status).toBeGreaterThanOrEqual(400)
      expect((await portal.act('GET', `/uploads/${odd}`)).status).toBeLessThan(500)
    }
    const form = await portal.act('PUT', `/uploads/${id}/content?offset=0`, {})
    expect(form.status).toBe(400)
  })

  test('is offered to every partner, for each of its families', async () => {
    expect(await service.asPartner('GET', '/tools')).toContainEqual({
      name: 'csv',
      slug: 'csv',
      label: 'CSV files',
      families: ['helpdesk', 'project', 'blog', 'crm'],
    })
  })

  test('is refused for tools that have accounts', async () => {
    const portal = await service.openPortal({ source_tool: 'fernhill' })
    const answer = await portal.act('POST', '/uploads', { file_name: 'a.csv', size: 5 })
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, ['upload']])
    const missing = await (await service.openPortal()).act('PUT', '/accounts/source', { token: 'x' })
    expect(missing).toEqual({ status: 422, json: { upload: ["can't be blank"] } })
  })
})
