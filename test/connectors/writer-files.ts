import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, vi } from 'vitest'
import type { OutgoingFile, OutgoingRecord } from '../../service/src/connectors/contract/contract.ts'
import { capabilitiesOf } from '../../service/src/connectors/entity-capabilities.ts'
import type { EntityDefinition } from '../../service/src/families/definition.ts'
import { destinationIdOf, isFileEntity } from './outgoing-records.ts'
import { type Bench, expectStored } from './writer-bench.ts'

const pieceBytes = 64 * 1024
const oddNames = [
  'Größe „L“ – 7.pdf',
  '../../etc/passwd',
  'C:\\boot.ini',
  '出荷 🚢.txt',
  'a&b=c?d#e%20f+g;h.csv',
  'שלום.png',
]

/** A file with every field that the destination accepts. */
export async function fileOf(
  { records, description }: Bench,
  definition: EntityDefinition,
  bytes: Buffer,
  fileName = 'contract.bin',
): Promise<OutgoingFile> {
  const { name: entity } = definition
  const record = await records.record(definition)
  const taken = description.entities[entity]?.fields ?? {}
  const known = { file_name: fileName, size: bytes.length, content_type: 'application/pdf' }
  const fields = Object.fromEntries(Object.entries({ ...record.fields, ...known }).filter(([name]) => name in taken))
  return { ...record, fields, size: bytes.length, contentType: 'application/pdf', body: streamOf(bytes) }
}

export async function checkFiles(bench: Bench): Promise<void> {
  const { writer, records, readFile, countAll } = bench
  const fileEntities = records.definitions.filter(({ name }) => isFileEntity(name))
  if (fileEntities.length === 0)
    throw new Error('the destination takes no files: name this test in `skips` of the twin, with the reason')
  for (const definition of fileEntities) {
    const cases: [Buffer, string][] = [
      [Buffer.alloc(0), 'empty.txt'],
      [randomBytes(3 * pieceBytes + 1), 'large.bin'],
      ...oddNames.map((name): [Buffer, string] => [Buffer.from(name), name]),
    ]
    for (const [bytes, fileName] of cases) {
      for (const isSizeKnown of [true, false]) {
        const file = await fileOf(bench, definition, bytes, fileName)
        const sent = { ...file, size: isSizeKnown ? file.size : null }
        const outcome = await writer.writeFile(definition.name, sent)
        records.remember(definition.name, sent, outcome)
        if (bench.refusesFile?.(fileName, bytes)) {
          expect(outcome, fileName).toMatchObject({ result: 'refused', message: expect.stringMatching(/\w/) })
          continue
        }
        const about = `${definition.name} ${fileName}, ${isSizeKnown ? 'of known size' : 'of unknown size'}`
        const stored = await readFile(definition.name, destinationIdOf(outcome))
        expect(stored.equals(bytes), about).toBe(true)
        await expectStored(bench, definition, [sent], [outcome])
      }
    }
    const file = await fileOf(bench, definition, Buffer.from('first'), 'contract.txt')
    const first = await writer.writeFile(definition.name, file)
    const count = await countAll()
    const isSafe = ['A', 'B'].includes(capabilitiesOf(bench.description, definition.name).deliveryClass)
    const again = {
      ...file,
      revision: file.revision + 1,
      body: streamOf(Buffer.from('first')),
      destinationId: isSafe ? null : destinationIdOf(first),
    }
    const second = await writer.writeFile(definition.name, again)
    records.remember(definition.name, file, second)
    expect(destinationIdOf(second)).toBe(destinationIdOf(first))
    expect(await countAll(), `${definition.name} again`).toBe(count)
  }
}

/**
 * Sends each record again, changed twice. A record that the tool finds by another field, such as name or author, is not
 * created again.
 */
export async function checkSentAgain(bench: Bench): Promise<void> {
  const { writer, records, users, description, countAll } = bench
  for (const definition of records.definitions) {
    const { name } = definition
    const isFile = isFileEntity(name)
    const make = () =>
      isFile ? fileOf(bench, definition, Buffer.from('again'), 'again.txt') : records.record(definition)
    const send = async (record: OutgoingRecord | OutgoingFile) => {
      if ('body' in record) {
        const outcome = await writer.writeFile(name, record)
        records.remember(name, record, outcome)
        return outcome
      }
      return (await records.write(name, [record]))[0]
    }
    const one = await make()
    const first = await send(one)
    // A record that existed before is not ours to change.
    if (first?.result !== 'written') continue
    const count = await countAll()
    for (const user of [...users, undefined]) {
      const other = await make()
      const author = 'uploaded_by' in (description.entities[name]?.fields ?? {}) && user ? { uploaded_by: user } : {}
      // A record keeps its parent; only its other fields change.
      const parent = definition.parent === undefined ? {} : { [definition.parent]: one.fields[definition.parent] }
      const fields = { ...other.fields, ...author, ...parent }
      const again = await send({ ...other, key: one.key, destinationId: destinationIdOf(first), fields })
      // A record that is private by now may not change a copy that customers read.
      const isKept = again?.result === 'refused' && again.code === 'not_protected'
      const id = again && 'destinationId' in again ? again.destinationId : null
      expect(isKept ? first.destinationId : id, `${name} by ${user}`).toBe(first.destinationId)
      expect(await countAll(), `${name} by ${user}`).toBe(count)
    }
  }
}

export async function checkAbortedFile(bench: Bench): Promise<void> {
  const { writer, records, countAll } = bench
  const definition = records.definitions.find(({ name }) => isFileEntity(name))
  if (!definition)
    throw new Error('the destination takes no files: name this test in `skips` of the twin, with the reason')
  for (const isSizeKnown of [true, false]) {
    const whole = await fileOf(bench, definition, Buffer.alloc(8 * pieceBytes))
    const count = await countAll()
    const gone = new Error('the source is gone')
    const body = Readable.from(breakOff(gone), { objectMode: false })
    const sent = { ...whole, size: isSizeKnown ? whole.size : null, body }
    await expect(writer.writeFile(definition.name, sent)).rejects.toBe(gone)
    // The tool may count a change a little later than we do.
    await vi.waitFor(async () => expect(await countAll()).toBe(count), { timeout: 300_000 })
    expect(await writer.find(definition.name, [records.sought(definition, sent, null)])).toEqual([])
  }
}

function streamOf(bytes: Buffer): Readable {
  const pieces = function* () {
    for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
  }
  return Readable.from(pieces(), { objectMode: false })
}

async function* breakOff(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.alloc(pieceBytes)
  throw error
}
