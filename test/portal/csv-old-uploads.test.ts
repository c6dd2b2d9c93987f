import { afterAll, beforeAll, expect, test } from 'vitest'
import { csv } from '../../service/src/connectors/files/index.ts'
import type { CsvTables } from '../../service/src/connectors/files/table.ts'
import { openUpload } from '../../service/src/uploads/open-upload.ts'
import { requireUpload, sealFindings } from '../../service/src/uploads/upload-rows.ts'
import { type CsvService, startCsvService } from './csv-service.ts'

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

const content = [
  'id,subject,description,created_at',
  '1,Html,<p>Hello</p>,31.12.2024 10:00',
  '2,Plain,"if a<b then c>d\nelse",13/02/2024',
].join('\n')

async function readTickets(ids: { importId: string; uploadId: string }) {
  const upload = await openUpload(service, ids)
  const reader = await csv.source?.open({ access: {}, upload } as never)
  if (!reader) throw new Error('CSV files are no source')
  return reader.read('tickets', null, {})
}

test('an upload that was read before columns had formats still works, and gets them when it is read again', async () => {
  const portal = await service.openPortal()
  const { id: uploadId } = await portal.upload('tickets.csv', content)
  const ids = { importId: portal.id, uploadId }
  const upload = await requireUpload(service.db, service.keyRing, ids)
  const findings = upload.findings as CsvTables
  for (const column of findings.tables.flatMap(({ columns }) => columns)) {
    delete column.text
    delete column.order
    delete column.days
  }
  await service.db
    .updateTable('uploads')
    .set({ sealed_findings: sealFindings(upload, findings) })
    .where('id', '=', uploadId)
    .execute()

  expect((await portal.connectSource(uploadId)).status).toBe(200)
  const old = await readTickets(ids)
  expect(old.items.map(({ createdAt, fields }) => [createdAt, fields.description])).toEqual([
    ['2024-12-31T10:00:00.000Z', { format: 'html', body: '<p>Hello</p>' }],
    [undefined, { format: 'plain', body: 'if a<b then c>d\nelse' }],
  ])
  expect(old.warnings).toMatchObject([{ sourceId: '2', code: 'value_unreadable' }])

  const told = await portal.chooseTables(uploadId, { file: 'tickets.csv', columns: [{ column: 2, text: 'html' }] })
  expect([told.status, told.json.tables[0].columns[2].text]).toEqual([200, 'html'])
  const anew = await readTickets(ids)
  expect([anew.items[1]?.createdAt, anew.warnings]).toEqual(['2024-02-13T00:00:00.000Z', []])
})

test('files whose tables were changed until dates are unclear are not read before the customer has answered', async () => {
  const portal = await service.openPortal()
  const { id: uploadId } = await portal.upload('tickets.csv', 'id,subject,When\n1,A,01/02/2024')
  const ids = { importId: portal.id, uploadId }
  expect((await portal.connectSource(uploadId)).status).toBe(200)
  const choose = (column: object) => portal.chooseTables(uploadId, { file: 'tickets.csv', columns: [column] })
  expect((await choose({ column: 2, as: 'created_at' })).json.tables[0].columns[2].days.order).toBeNull()
  await expect(readTickets(ids)).rejects.toMatchObject({ code: 'days_unclear', mustAct: 'customer' })
  expect((await choose({ column: 2, days: 'dmy' })).status).toBe(200)
  expect((await readTickets(ids)).items[0]?.createdAt).toBe('2024-02-01T00:00:00.000Z')
  const other = await choose({ column: 2, as: 'updated_at' })
  expect(other.json.tables[0].columns[2]).toMatchObject({ as: 'updated_at', days: { order: null } })
})
