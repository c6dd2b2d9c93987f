import { pipeline, type Readable, Transform } from 'node:stream'
import type { OutgoingRecord, Reader, WriteOutcome } from '../connectors/contract.ts'
import { FileMissingError } from '../errors.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { RunContext } from './run-context.ts'

interface Sendable {
  record: FamilyRecord
  outgoing: OutgoingRecord
  warnings: string[]
}

const openTries = 3

/** Entities whose records are files: their bytes travel beside the record. */
export const isFileEntity = (entity: string) => entity === 'attachments' || entity === 'media'

/**
 * Sends all of a page, as many requests at once as the destination bears. The first error stops further sending; what
 * was sent before it has its outcome all the same.
 */
export async function sendBatches<S extends Sendable>(
  context: RunContext,
  entity: string,
  page: S[],
): Promise<{ outcomes: WriteOutcome[]; unsent: S[]; failure: { error: unknown } | null }> {
  const { batchSize, concurrency } = context.mapping.destination.capabilities
  const isFiles = isFileEntity(entity)
  const size = isFiles ? 1 : batchSize
  const batches = Array.from({ length: Math.ceil(page.length / size) }, (_, index) =>
    page.slice(index * size, (index + 1) * size),
  )
  const outcomes: WriteOutcome[] = []
  const failures: unknown[] = []
  const sender = async () => {
    for (let batch = batches[0]; batch !== undefined && failures.length === 0; batch = batches[0]) {
      try {
        batches.shift()
        await context.run.lease.beforeSend()
        outcomes.push(...(await send(context, entity, batch, isFiles)))
        await context.crashPoint('first batch sent')
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, batches.length) }, sender))
  const unsent = batches.flat()
  return { outcomes, unsent, failure: failures.length === 0 ? null : { error: failures[0] } }
}

async function send(context: RunContext, entity: string, batch: Sendable[], isFile: boolean): Promise<WriteOutcome[]> {
  const [first] = batch
  if (!isFile || !first)
    return context.writer.write(
      entity,
      batch.map(({ outgoing }) => outgoing),
    )
  return [await sendFile(context, first)]
}

/** The bytes go straight from the source to the destination; nothing of them stays with us. */
async function sendFile(
  { reader, writer, mapping }: RunContext,
  { record, outgoing, warnings }: Sendable,
): Promise<WriteOutcome> {
  const limit = mapping.destination.maxFileBytes
  const tooLarge = (size: number | null): WriteOutcome | null =>
    limit !== null && size !== null && size > limit
      ? {
          key: outgoing.key,
          result: 'refused',
          code: 'file_too_large',
          message: `${size} bytes; the destination takes ${limit}`,
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
    const message = 'The source does not have this file any more.'
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

/** A source that hands out a file of another length than it said is asked again before anything of it is sent. */
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
  // What goes wrong with the source goes wrong with what is read here.
  pipeline(source, body, () => {})
  return { body, count: () => bytes }
}
