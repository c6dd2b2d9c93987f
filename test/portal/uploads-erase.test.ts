import { afterAll, beforeAll, expect, test } from 'vitest'
import { endImport } from '../../service/src/imports/end-import.ts'
import { sweepUploads } from '../../service/src/uploads/erase-uploads.ts'
import { type CsvService, chunksOf, startCsvService, tickets } from './csv-service.ts'

const unit = 256 * 1024

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

describe('an upload is erased', () => {
  const erasedChunks = async (uploadId: string) => {
    const row = await service.db
      .selectFrom('uploads')
      .select(['state', 'sealed_key', 'sealed_name', 'sealed_findings'])
      .where('id', '=', uploadId)
      .executeTakeFirst()
    expect(row ?? { state: 'erased', sealed_key: null, sealed_name: null, sealed_findings: null }).toEqual({
      state: 'erased',
      sealed_key: null,
      sealed_name: null,
      sealed_findings: null,
    })
    await sweepUploads(service.db)
    expect(await chunksOf(service, uploadId)).toEqual([])
    expect(await service.db.selectFrom('uploads').select('id').where('id', '=', uploadId).execute()).toEqual([])
  }

  test('when another one is made the source, and not before', async () => {
    const portal = await service.openPortal()
    const { id: first } = await portal.upload('tickets.csv', tickets(2_000))
    await portal.connectSource(first)
    const { id: unfinished } = await portal.begin('tickets.csv', 5 * unit)
    await portal.sendPart(unfinished, 0, Buffer.alloc(unit, 'a'))
    const { id: second } = await portal.upload('other tickets.csv', tickets(3))
    await erasedChunks(unfinished)
    expect((await portal.act('GET', '/uploads')).json.uploads.map(({ id }: { id: string }) => id)).toEqual([
      second,
      first,
    ])
    expect((await portal.connectSource(second)).json).toEqual({ account: { name: 'other tickets.csv' } })
    expect((await portal.act('GET', `/uploads/${first}`)).status).toBe(404)
    await erasedChunks(first)
  })

  test('when its import is cancelled', async () => {
    const portal = await service.openPortal()
    const { id } = await portal.upload('tickets.csv', tickets(2_000))
    await portal.connectSource(id)
    await endImport(service.db, portal.id, 'cancelled')
    expect((await portal.act('GET', `/uploads/${id}`)).status).toBe(404)
    await erasedChunks(id)
  })

  test('when nobody goes on with it for a day, unless it is the source', async () => {
    const [one, two] = [await service.openPortal(), await service.openPortal()]
    const { id: unfinished } = await one.begin('tickets.csv', 5 * unit)
    await one.sendPart(unfinished, 0, Buffer.alloc(unit, 'a'))
    const { id: source } = await two.upload('tickets.csv', tickets(3))
    await two.connectSource(source)
    await sweepUploads(service.db)
    expect((await one.look(unfinished)).received).toBe(unit)
    await service.db
      .updateTable('uploads')
      .set({ touched_at: new Date(Date.now() - 25 * 60 * 60 * 1000) })
      .where('id', 'in', [unfinished, source])
      .execute()
    await sweepUploads(service.db)
    await erasedChunks(unfinished)
    expect((await two.look(source)).state).toBe('ready')
  })
})
