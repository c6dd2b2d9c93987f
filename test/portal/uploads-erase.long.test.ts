import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endImport } from '../../service/src/imports/end-import.ts'
import { sweepUploads } from '../../service/src/uploads/erase-uploads.ts'
import { type CsvService, chunksOf, startCsvService, tickets } from './csv-service.ts'

const unit = 256 * 1024
const longAgo = () => new Date(Date.now() - 25 * 60 * 60 * 1000)

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
  // Once an hour, the service itself would sweep between two steps of a test.
  await sql`delete from pgboss.schedule where name = 'housekeeping'`.execute(service.db)
})
afterAll(() => service.close())

const rowOf = (uploadId: string) =>
  service.db
    .selectFrom('uploads')
    .select(['state', 'sealed_key', 'sealed_findings'])
    .where('id', '=', uploadId)
    .executeTakeFirst()

/** Expects that nothing of the upload can be read, and that after the sweep nothing is stored. */
async function expectErased(uploadId: string): Promise<void> {
  expect(await rowOf(uploadId)).toEqual({
    state: 'erased',
    sealed_key: null,
    sealed_findings: null,
  })
  expect(await chunksOf(service, uploadId)).not.toEqual([])
  await sweepUploads(service.db)
  expect([await chunksOf(service, uploadId), await rowOf(uploadId)]).toEqual([[], undefined])
}

test('an upload is erased when another one becomes the source, and not before', async () => {
  const portal = await service.openPortal()
  const { id: first } = await portal.upload('tickets.csv', tickets(2_000))
  await portal.connectSource(first)
  const { id: unfinished } = await portal.begin('tickets.csv', 5 * unit)
  await portal.sendPart(unfinished, 0, Buffer.alloc(unit, 'a'))
  const { id: second } = await portal.upload('other tickets.csv', tickets(3))
  await expectErased(unfinished)
  const { uploads } = (await portal.act('GET', '/uploads')).json
  expect(uploads.map(({ id }: { id: string }) => id)).toEqual([second, first])
  expect((await portal.connectSource(second)).json).toEqual({ account: { name: 'other tickets.csv' } })
  expect((await portal.act('GET', `/uploads/${first}`)).status).toBe(404)
  await expectErased(first)
})

test.each(['cancelled', 'archived'] as const)('an upload is erased when its import is %s', async (endedAs) => {
  const portal = await service.openPortal()
  const { id } = await portal.upload('tickets.csv', tickets(2_000))
  await portal.connectSource(id)
  await endImport(service.db, portal.id, endedAs)
  expect((await portal.act('GET', `/uploads/${id}`)).status).toBe(404)
  await expectErased(id)
})

test('an upload that nobody continues for a day is erased, unless it is the source', async () => {
  const [one, two] = [await service.openPortal(), await service.openPortal()]
  const { id: unfinished } = await one.begin('tickets.csv', 5 * unit)
  await one.sendPart(unfinished, 0, Buffer.alloc(unit, 'a'))
  const { id: source } = await two.upload('tickets.csv', tickets(3))
  await two.connectSource(source)
  await sweepUploads(service.db)
  expect((await one.look(unfinished)).received).toBe(unit)
  await service.db
    .updateTable('uploads')
    .set({ touched_at: longAgo() })
    .where('id', 'in', [unfinished, source])
    .execute()
  expect(await sweepUploads(service.db)).toMatchObject({ erased: 1, chunks: 1 })
  expect([await chunksOf(service, unfinished), await rowOf(unfinished)]).toEqual([[], undefined])
  expect((await two.look(source)).state).toBe('ready')
})

test("the customer's files are deleted once they are unpacked, and the sweep leaves needed files", async () => {
  const portal = await service.openPortal()
  const { id, json } = await portal.upload('tickets.csv', Buffer.from(`\ufeff${tickets(3_000)}`, 'utf16le'))
  expect(json.tables[0]).toMatchObject({ rows: 3_000, encoding: 'utf-8' })
  const filesOf = async () => [...new Set((await chunksOf(service, id)).map(({ file }) => file))]
  const files = await filesOf()
  expect(files).not.toContain(0)
  await sweepUploads(service.db)
  expect(await filesOf()).toEqual(files)
  // The index is created again; the content stays.
  const again = await portal.chooseTables(id, { file: 'tickets.csv', columns: [{ column: 2, as: 'ignored' }] })
  expect([again.status, again.json.tables[0].rows]).toEqual([200, 3_000])
  const now = await filesOf()
  expect([now.length, now.filter((file) => files.includes(file)).length]).toEqual([2, 1])
})
