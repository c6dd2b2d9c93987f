import { pipeline, type Readable, Transform } from 'node:stream'
import type { Reader, WriteOutcome } from '../connectors/contract/contract.ts'
import { FileMissingError } from '../errors.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './sending.ts'

const openTries = 3

const megabytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
const inMegabytes = (bytes: number) => megabytes.format(bytes / 1_000_000)

/** Streams a file from the source to the destination. The service stores no byte of it. */
export async function sendFile(
  { reader, writer, mapping }: RunContext,
  { record, outgoing, warnings }: Sending,
): Promise<WriteOutcome> {
  const limit = mapping.destination.maxFileBytes
  const tooLarge = (size: number | null): WriteOutcome | null =>
    limit !== null && size !== null && size > limit
      ? {
          key: outgoing.key,
          result: 'refused',
          code: 'file_too_large',
          message: `The file has ${inMegabytes(size)}; the destination accepts files up to ${inMegabytes(limit)}.`,
        }
      : null
  const announced = typeof record.fields.size === 'number' ? record.fields.size : null
  const refusal = tooLarge(announced)
  if (refusal) return refusal
  const file = await openWhole(reader, record, announced).catch((error: unknown) => {
    if (error instanceof FileMissingError) return null
    throw error
  })
  if (!file) {
    const message = 'The source no longer has this file.'
    return { key: outgoing.key, result: 'refused', code: 'file_missing', message }
  }
  const late = tooLarge(file.size)
  if (late) {
    file.body.on('error', () => {}).destroy()
    return late
  }
  const { body, count } = countBytes(file.body)
  const outcome = await writer.writeFile(record.entity, { ...outgoing, ...file, body })
  if (outcome.result === 'written' && announced !== null && count() !== announced) warnings.push('file_size_differs')
  return outcome
}

/** Opens a file. If its length is not the announced one, the source is asked again before any byte is sent. */
async function openWhole(reader: Reader, record: FamilyRecord, announced: number | null) {
  for (let attempt = 1; ; attempt++) {
    const file = await reader.openFile(record)
    const isOdd = announced !== null && file.size !== null && file.size !== announced
    if (!isOdd || attempt === openTries) return file
    file.body.on('error', () => {}).destroy()
  }
}

function countBytes(source: Readable): { body: Readable; count: () => number } {
  let bytes = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(null, chunk)
    },
  })
  // A failure of the source also ends the body that is read here.
  pipeline(source, body, () => {})
  return { body, count: () => bytes }
}
