import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { detectTables } from '../../service/src/connectors/files/detect-tables.ts'
import { csv } from '../../service/src/connectors/files/index.ts'
import { createCsvReader } from '../../service/src/connectors/files/reader.ts'
import type { CsvUpload } from '../../service/src/connectors/files/upload.ts'
import { openUpload } from '../../service/src/uploads/open-upload.ts'
import { startCsvService } from '../portal/csv-service.ts'

const MiB = 1024 * 1024
const rowBytes = 200

// Garbage is collected first, so that only live memory is measured.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A virtual file: any part of it is generated on request. */
function generatedUpload(size: number): CsvUpload {
  const header = 'id,subject,status,amount\n'
    .padEnd(rowBytes - 1, ' ')
    .replace(/\n( *)$/, '$1\n')
    .padEnd(rowBytes, '\n')
  const rows = Math.floor(size / rowBytes)
  const rowAt = (index: number) =>
    index === 0
      ? header
      : `${`${index},"Subject, ${index} ${'ü'.repeat(60)}`.padEnd(110, '.')}",open,${String(index % 100).padStart(9, ' ')}\n`
  const bytesOfRow = Buffer.byteLength(rowAt(1))
  const total = Buffer.byteLength(header) + (rows - 1) * bytesOfRow
  const open = ({ start, end } = { start: 0, end: total }) =>
    Readable.from(
      (function* () {
        let at = start
        while (at < end) {
          const first =
            at < Buffer.byteLength(header) ? 0 : 1 + Math.floor((at - Buffer.byteLength(header)) / bytesOfRow)
          const base = first === 0 ? 0 : Buffer.byteLength(header) + (first - 1) * bytesOfRow
          let text = ''
          for (let row = first; row < Math.min(first + 300, rows); row += 1) text += rowAt(row)
          const chunk = Buffer.from(text).subarray(at - base, end - base)
          at += chunk.length
          yield chunk
        }
      })(),
      { objectMode: false },
    )
  return { fileName: 'tickets.csv', size: total, open }
}

async function measure(size: number): Promise<{ rows: number; heldMiB: number; read: number }> {
  const upload = generatedUpload(size)
  collectGarbage()
  const before = process.memoryUsage()
  let most = 0
  const sample = () => {
    collectGarbage()
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    most = Math.max(most, heapUsed - before.heapUsed + external - before.external + arrayBuffers - before.arrayBuffers)
  }
  const timer = setInterval(sample, 1_000)
  try {
    const tables = await detectTables(upload, 'helpdesk')
    const reader = createCsvReader(upload, 'helpdesk', { tables })
    let read = 0
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof reader.read>> = await reader.read('tickets', cursor, {})
      read += page.items.length
      cursor = page.next
    } while (cursor !== null)
    sample()
    return { rows: tables.tables[0]?.rows ?? 0, heldMiB: most / MiB, read }
  } finally {
    clearInterval(timer)
  }
}

test('a file of many pages is read completely', { timeout: 900_000 }, async () => {
  const { rows, read } = await measure(5 * MiB)
  expect(rows).toBe(Math.floor((5 * MiB) / rowBytes) - 1)
  expect(read).toBe(rows)
})

test.runIf(process.env.WHERRY_BIG === '1')(
  '200 MB are read while holding only a bounded part in memory',
  { timeout: 1_800_000 },
  async () => {
    const { rows, read, heldMiB } = await measure(200 * MiB)
    console.info(`held at most ${Math.round(heldMiB)} MiB for ${rows} rows`)
    expect(read).toBe(rows)
    expect(heldMiB).toBeLessThan(100)
  },
)

/**
 * Uploads rows in UTF-16, which the service must convert and store, reads all of them, and measures the memory
 * meanwhile.
 */
async function measureStored(size: number): Promise<{ rows: number; read: number; heldMiB: number }> {
  const service = await startCsvService()
  try {
    const portal = await service.openPortal()
    const row = (index: number) => `${String(index).padStart(9, '0')},${'Subject é '.repeat(11)}\n`
    const rowBytes = 2 * row(0).length
    const header = Buffer.from(`\ufeff${'id,subject'.padEnd(row(0).length - 2)}\n`, 'utf16le')
    const rows = Math.floor(size / rowBytes)
    const total = header.length + rows * rowBytes
    const bytesAt = (start: number, end: number) => {
      const first = Math.max(0, Math.floor((start - header.length) / rowBytes))
      const last = Math.min(rows, Math.ceil((end - header.length) / rowBytes))
      let text = ''
      for (let index = first; index < last; index += 1) text += row(index)
      const body = Buffer.from(text, 'utf16le')
      const at = header.length + first * rowBytes
      return start < header.length
        ? Buffer.concat([header, body]).subarray(start, end)
        : body.subarray(start - at, end - at)
    }
    const { id, part_bytes: most } = await portal.begin('tickets.csv', total)
    collectGarbage()
    const before = process.memoryUsage()
    let held = 0
    const sample = () => {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      held = Math.max(held, heapUsed - before.heapUsed + external - before.external)
    }
    const timer = setInterval(sample, 500)
    try {
      // A part that took too long on a loaded machine continues at the position that the service reports.
      for (let at = 0; at < total; at = (await portal.look(id)).received) {
        await portal.sendPart(id, at, bytesAt(at, Math.min(at + most, total)))
      }
      await portal.act('POST', `/uploads/${id}/finish`, {})
      await vi.waitFor(async () => expect((await portal.look(id)).state).toBe('ready'), {
        timeout: 1_500_000,
        interval: 1_000,
      })
      const upload = await openUpload(service, { importId: portal.id, uploadId: id })
      const reader = await csv.source?.open({ upload } as never)
      if (!reader) throw new Error('CSV files are no source')
      let read = 0
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof reader.read>> = await reader.read('tickets', cursor, {})
        read += page.items.length
        cursor = page.next
      } while (cursor !== null)
      return { rows, read, heldMiB: held / MiB }
    } finally {
      clearInterval(timer)
    }
  } finally {
    await service.close()
  }
}

test('an upload of many chunks is stored and read completely', { timeout: 900_000 }, async () => {
  const { rows, read } = await measureStored(6 * MiB)
  expect([read, rows]).toEqual([rows, Math.floor((6 * MiB) / 242)])
})

test.runIf(process.env.WHERRY_BIG === '1')(
  '100 MB and 25 MB are stored and read with the same memory',
  { timeout: 3_600_000 },
  async () => {
    const small = await measureStored(25 * MiB)
    const large = await measureStored(100 * MiB)
    console.info(`held at most ${Math.round(small.heldMiB)} and ${Math.round(large.heldMiB)} MiB`)
    expect(large.read).toBe(large.rows)
    expect(large.heldMiB).toBeLessThan(small.heldMiB + 60)
  },
)
