import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Check } from './check.ts'
import { expectFields, expectSame, expectThat, SkippedError } from './expectations.ts'
import { filePath, fileRequest, type SentFile } from './protocol-client.ts'

const mebibyte = 1024 * 1024
/** Larger files are not tested, because that would take too long. */
const largestTried = 200 * mebibyte
const noticeMs = 250
export const shortFile = Buffer.from('A short file.')
const oddNames = [
  'Rechnung Nr. 7 – Größe „L“.pdf',
  '../../etc/passwd',
  'C:\\boot.ini',
  '出荷 🚢.txt',
  'a&b=c?d#e%20f+g;"h".csv',
]

export const fileChecks: Check[] = [
  {
    name: 'a file of 1 MB arrives whole, and is found with its size and sha256',
    run: async (bench) => sendAndFind(bench, await newFile(bench, randomBytes(mebibyte))),
  },
  {
    name: 'a file of unknown length arrives complete',
    async run(bench) {
      const { size: _unknown, ...file } = await newFile(bench, randomBytes(100_000))
      await sendAndFind(bench, file)
    },
  },
  {
    name: 'a file of no bytes is a file',
    run: async (bench) => sendAndFind(bench, await newFile(bench, Buffer.alloc(0))),
  },
  {
    name: 'a file of type application/json is bytes like any other',
    async run(bench) {
      const file = await newFile(bench, Buffer.from('{"not": "ours"'))
      await sendAndFind(bench, { ...file, contentType: 'application/json' })
    },
  },
  {
    name: 'comes back unchanged: odd file names',
    async run(bench) {
      for (const file_name of oddNames) {
        await sendAndFind(bench, { ...(await newFile(bench, Buffer.from(file_name))), file_name })
      }
    },
  },
  {
    name: 'the same file again replaces the bytes',
    async run(bench) {
      const first = await newFile(bench, Buffer.from('first'))
      const { id } = await sendAndFind(bench, first)
      const other = await newFile(bench, Buffer.from('and second'))
      const second = await sendAndFind(bench, { ...other, external_id: first.external_id }, 'updated')
      expectSame('the same id', id, second.id)
    },
  },
  {
    name: 'a file that belongs to nothing is refused, and leaves what was there',
    async run(bench) {
      const { client, specimens } = bench
      const offer = specimens.chooseFiles('a parent', ({ entity }) => entity === 'attachments')
      const file = await specimens.file(offer, shortFile)
      const lost = { ...file, more: { ...file.more, parent: `${specimens.prefix}/nothing` } }
      const answer = await client.putFile(lost)
      expectThat(answer.result === 'refused', 'refused', answer)
      expectSame('the code', 'unknown_relation', answer.code)
      expectSame('files found', [], await client.find(file.entity, [file.external_id]))
      const { version } = await sendAndFind(bench, file)
      expectSame('result', 'refused', (await client.putFile({ ...lost, file_name: 'other.bin' })).result)
      expectSame('version', version, (await client.find(file.entity, [file.external_id]))[0]?.version)
    },
  },
  {
    name: 'a file that is too large is refused, and leaves nothing',
    async run(bench) {
      const limit = bench.description.limits.file_bytes ?? null
      if (limit === null) throw new SkippedError('limits.file_bytes is not given')
      if (limit > largestTried) throw new SkippedError(`limits.file_bytes is over ${largestTried}`)
      const size = limit + 1
      const file = { ...(await newFile(bench, Buffer.alloc(0))), size, open: () => zeroes(size) }
      const answer = await bench.client.putFile(file)
      expectThat(answer.result === 'refused', '413, or 200 with refused', answer)
      expectSame('code', 'too_large', answer.code)
      expectSame('files found', [], await bench.client.find(file.entity, [file.external_id]))
    },
  },
  {
    name: 'an upload that breaks off leaves nothing',
    async run(bench) {
      for (const isLengthTold of [true, false]) {
        const { size: _whole, ...file } = await newFile(bench, Buffer.alloc(0))
        const broken = { ...file, ...(isLengthTold && { size: mebibyte }), open: () => Readable.from(breakOff()) }
        const answer = await bench.client.request(filePath(broken), fileRequest(broken)).catch(() => null)
        expectThat(answer === null || answer.status >= 400, 'no success for half a file', answer)
        // The destination may notice the broken connection a little later.
        await sleep(noticeMs)
        expectSame('files found', [], await bench.client.find(file.entity, [file.external_id]))
      }
    },
  },
  {
    name: 'files are deleted as records are',
    async run(bench) {
      const { client } = bench
      const file = await newFile(bench, Buffer.from('short-lived'))
      const { external_id } = file
      const { version } = await sendAndFind(bench, file)
      expectSame('results', ['changed'], await client.remove(file.entity, [{ external_id, version: `${version}x` }]))
      expectSame('results', ['deleted'], await client.remove(file.entity, [{ external_id, version }]))
      expectSame('results', ['missing'], await client.remove(file.entity, [{ external_id }]))
      expectSame('files found', [], await client.find(file.entity, [external_id]))
    },
  },
]

/** A file for the first entity that accepts files. */
async function newFile({ specimens }: Bench, bytes: Buffer): Promise<SentFile> {
  return specimens.file(
    specimens.chooseFiles('any field', () => true),
    bytes,
  )
}

export async function sendAndFind({ client }: Bench, file: SentFile, expected: 'created' | 'updated' = 'created') {
  const bytes = Buffer.concat(await file.open().toArray())
  const proof = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const answer = await client.putFile(file)
  expectThat(answer.result !== 'refused' && answer.result === expected, expected, answer)
  expectSame('size and sha256', proof, { size: answer.size, sha256: answer.sha256.toLowerCase() })
  const found = await client.find(file.entity, [file.external_id])
  const [one] = found
  expectThat(one !== undefined && found.length === 1, 'one file', found)
  expectSame('version', answer.version, one.version)
  const { parent } = file.more
  const sha256 = String(one.fields.sha256).toLowerCase()
  expectFields({ ...(parent && { parent }), file_name: file.file_name, ...proof }, { ...one.fields, sha256 })
  return answer
}

function zeroes(size: number): Readable {
  const piece = Buffer.alloc(64 * 1024)
  const pieces = function* () {
    for (let left = size; left > 0; left -= piece.length) yield left < piece.length ? piece.subarray(0, left) : piece
  }
  return Readable.from(pieces(), { objectMode: false })
}

async function* breakOff(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(200_000)
  throw new Error('broken off on purpose')
}
