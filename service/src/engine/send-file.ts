import type { Readable } from 'node:stream'
import type { Reader, WriteOutcome } from '../connectors/contract/contract.ts'
import { FileMissingError } from '../errors.ts'
import type { FamilyRecord } from '../families/record.ts'
import { tapBytes } from '../outbound/tap-bytes.ts'
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
  const limit = mapping.destination.maxFileBytes ?? Number.POSITIVE_INFINITY
  const refuse = (code: string, message: string): WriteOutcome => ({
    key: outgoing.key,
    result: 'refused',
    code,
    message,
  })
  const tooLarge = (size: number | null): WriteOutcome | null =>
    size !== null && size > limit
      ? refuse(
          'file_too_large',
          `The file has ${inMegabytes(size)}; the destination accepts files up to ${inMegabytes(limit)}.`,
        )
      : null
  const announced = typeof record.fields.size === 'number' ? record.fields.size : null
  const refusal = tooLarge(announced)
  if (refusal) return refusal
  const file = await openWhole(reader, record, announced).catch((error: unknown) => {
    if (error instanceof FileMissingError) return null
    throw error
  })
  if (!file) return refuse('file_missing', 'The source no longer has this file.')
  const late = tooLarge(file.size)
  if (late) {
    file.body.on('error', () => {}).destroy()
    return late
  }
  const { body, count } = countBytes(file.body, limit)
  const outcome = await writer.writeFile(record.entity, { ...outgoing, ...file, body }).catch((error: unknown) => {
    if (count() > limit) return null
    throw error
  })
  if (outcome?.result === 'written') {
    if (announced !== null && count() !== announced) warnings.push('file_size_differs')
    return outcome
  }
  if (outcome && count() <= limit) return outcome
  const most = inMegabytes(limit)
  return refuse('file_too_large', `The file has more than ${most}, which is the most that the destination accepts.`)
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

/** Ends the body with an error at the first byte above the limit, since a file of unknown length may never end. */
function countBytes(source: Readable, limit: number): { body: Readable; count: () => number } {
  let bytes = 0
  const body = tapBytes(source, {
    onPiece(piece) {
      bytes += piece.length
      if (bytes > limit) throw new Error('the file is larger than the destination accepts')
    },
  })
  return { body, count: () => bytes }
}
