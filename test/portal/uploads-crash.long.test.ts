import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { csv } from '../../service/src/connectors/files/index.ts'
import { sweepUploads } from '../../service/src/uploads/erase-uploads.ts'
import { openUpload } from '../../service/src/uploads/open-upload.ts'
import { zipOf } from '../connectors/csv-upload.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { type CsvService, chunksOf, startCsvService, tickets } from './csv-service.ts'

let service: CsvService
beforeAll(async () => {
  // Only the workers started below read uploads.
  service = await startCsvService({ role: 'api' })
})
afterAll(() => service.close())

/** Starts a worker that dies when it reaches a point for the nth time. Resolves when it is dead. */
async function dieAt(point: string, nth: number): Promise<void> {
  const script = join(checkoutDir, 'test/portal/crash-reader.ts')
  const program = startProgram(process.execPath, [script, service.databaseUrl, testKeys, point, String(nth)])
  const died = new Promise((resolve) => program.child.on('exit', (_code, signal) => resolve(signal)))
  expect(await died, program.output()).toBe('SIGKILL')
  await program.finished
}

const archive = () =>
  zipOf([
    { name: 'tickets.csv', content: tickets(2_000) },
    {
      name: 'comments.csv',
      content: tickets(1_500).replace('id,subject,description', 'id,ticket_id,body').replaceAll(',Ticket ', ','),
    },
  ])

test('an upload whose readers keep being killed is read completely by the next', { timeout: 900_000 }, async () => {
  const portal = await service.openPortal()
  const bytes = archive()
  const { id, part_bytes: most } = await portal.begin('export.zip', bytes.length)
  for (let at = 0; at < bytes.length; at += most) await portal.sendPart(id, at, bytes.subarray(at, at + most))
  expect((await portal.act('POST', `/uploads/${id}/finish`, {})).status).toBe(202)
  await dieAt('chunk kept', 1)
  expect((await portal.look(id)).state).toBe('reading')
  expect(await portal.connectSource(id)).toEqual({
    status: 422,
    json: { upload: ['is still being read: try again in a moment'] },
  })
  await dieAt('chunk kept', 5)
  await dieAt('findings committed', 1)
  const worker = await service.start('worker')
  try {
    const upload = await vi.waitFor(
      async () => {
        const seen = await portal.look(id)
        expect(seen.state).toBe('ready')
        return seen
      },
      { timeout: 300_000, interval: 300 },
    )
    expect(upload.tables.map(({ file, rows }) => [file, rows])).toEqual([
      ['tickets.csv', 2_000],
      ['comments.csv', 1_500],
    ])
    await sweepUploads(service.db)
    // Content and index of two tables, and nothing from the dead workers.
    const files = new Set((await chunksOf(service, id)).map(({ file }) => file))
    expect(files.size).toBe(4)
    const stored = await openUpload(service, { importId: portal.id, uploadId: id })
    const reader = await csv.source?.open({ upload: stored } as never)
    const records = await readAll(async (cursor) => {
      if (!reader) throw new Error('CSV files are no source')
      return reader.read('comments', cursor, {})
    })
    expect(new Set(records.map(({ sourceId }) => sourceId)).size).toBe(1_500)
    expect(records.at(-1)?.fields.ticket).toEqual({ entity: 'tickets', sourceId: '1499' })
  } finally {
    await worker.stop()
  }
})
