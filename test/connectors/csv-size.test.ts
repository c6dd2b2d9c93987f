import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type CsvUpload, createCsvReader, detectTables } from '../../service/src/connectors/csv/index.ts'

const MiB = 1024 * 1024
const rowBytes = 200

// Without collecting first, a measurement shows how lazy the collector is and not what is held.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A file that exists nowhere: any part of it is made when it is asked for. */
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

test('a file of many pages is read completely', { timeout: 300_000 }, async () => {
  const { rows, read } = await measure(5 * MiB)
  expect(rows).toBe(Math.floor((5 * MiB) / rowBytes) - 1)
  expect(read).toBe(rows)
})

test.runIf(process.env.WHERRY_BIG === '1')(
  '200 MB are read holding only a bounded part of them',
  { timeout: 1_800_000 },
  async () => {
    const { rows, read, heldMiB } = await measure(200 * MiB)
    console.info(`held at most ${Math.round(heldMiB)} MiB for ${rows} rows`)
    expect(read).toBe(rows)
    expect(heldMiB).toBeLessThan(100)
  },
)
