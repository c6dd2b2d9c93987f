import { Readable } from 'node:stream'
import type { OutgoingFile, Reader, Upload, WriteOutcome } from '../connectors/contract/contract.ts'
import { FileMissingError, ObstacleError } from '../errors.ts'
import type { FamilyRecord } from '../families/record.ts'
import { tapBytes } from '../outbound/tap-bytes.ts'
import type { Turns } from '../turns.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './sending.ts'
import { answersOtherwise } from './stuck-page.ts'

const openTries = 3
/** Files up to this size are read while they wait for their turn at the destination. */
const mostFetchedAhead = 64 * 1024

const megabytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
const inMegabytes = (bytes: number) => megabytes.format(bytes / 1_000_000)

type FileRefusal = Extract<WriteOutcome, { result: 'refused' }>

/** Writes a file. `turns` limits how many files the destination gets at once. */
export async function sendFile(context: RunContext, sending: Sending, turns: Turns): Promise<WriteOutcome> {
  const { writer } = context
  const { record, warnings } = sending
  const sent = await stream(context, sending, (file) => writer.writeFile(record.entity, file), turns)
  if ('refusal' in sent) return sent.refusal
  if (sent.answer.result === 'written' && sent.isOdd) warnings.push('file_size_differs')
  return sent.answer
}

/** Uploads a file that will be sent inside another record. Null if it has to be written by itself. */
export async function uploadFile(context: RunContext, sending: Sending): Promise<Upload | null> {
  const { writer } = context
  const { record, warnings } = sending
  const sent = await stream(context, sending, async (file) => (await writer.uploadFile?.(record.entity, file)) ?? null)
  if ('refusal' in sent) return null
  if (sent.answer !== null && sent.isOdd) warnings.push('file_size_differs')
  return sent.answer
}

/**
 * Streams a file from the source to the destination. The service stores no byte of it. `isOdd`: the number of bytes is
 * not the one that the source named.
 */
async function stream<T>(
  context: RunContext,
  { record, outgoing }: Sending,
  send: (file: OutgoingFile) => Promise<T>,
  turns: Turns | null = null,
): Promise<{ answer: T; isOdd: boolean } | { refusal: FileRefusal }> {
  const limit = context.mapping.destination.maxFileBytes ?? Number.POSITIVE_INFINITY
  const refuse = (code: string, message: string) => ({
    refusal: { key: outgoing.key, result: 'refused' as const, code, message },
  })
  const tooLarge = (size: number | null) =>
    size !== null && size > limit
      ? refuse(
          'file_too_large',
          `The file has ${inMegabytes(size)}; the destination accepts files up to ${inMegabytes(limit)}.`,
        )
      : null
  const announced = typeof record.fields.size === 'number' ? record.fields.size : null
  const refusal = tooLarge(announced)
  if (refusal) return refusal
  using turn = new DisposableStack()
  const begin = async () => turn.defer((await turns?.take()) ?? (() => {}))
  const open = async () => {
    const file = await openWhole(context.reader, record, announced).catch(async (error: unknown) => {
      if (error instanceof FileMissingError) return refuse('file_missing', 'The source no longer has this file.')
      if (!isUnauthorized(error) || !(await answersOtherwise(context))) throw error
      return refuse('file_missing', 'The source does not hand out this file.')
    })
    const late = 'refusal' in file ? null : tooLarge(file.size)
    if (late && 'body' in file) file.body.on('error', () => {}).destroy()
    return late ?? file
  }
  let file = null
  if (turns && announced !== null && announced <= mostFetchedAhead) {
    const early = await open()
    if ('refusal' in early) return early
    const bytes = await readSmall(early.body)
    if (bytes) file = { ...early, body: bytes }
  }
  await begin()
  file ??= await open()
  if ('refusal' in file) return file
  const { body, count } = countBytes(file.body, limit)
  const sent = await send({ ...outgoing, ...file, contentType: typeOf(file.contentType, record), body }).then(
    (answer) => {
      // A file that only gets another name is not read.
      const isRead = body.readableEnded || count() > 0
      return { answer, isOdd: isRead && announced !== null && count() !== announced }
    },
    (error: unknown) => {
      if (count() <= limit) throw error
    },
  )
  if (sent && count() <= limit) return sent
  const most = inMegabytes(limit)
  return refuse('file_too_large', `The file has more than ${most}, which is the most that the destination accepts.`)
}

/** Stores of files often call every file plain bytes. Then the source's own word counts. */
function typeOf(given: string | null, { fields }: FamilyRecord): string | null {
  const isPlain = given === null || /^(application|binary)\/octet-stream\b/i.test(given.trim())
  return isPlain && typeof fields.content_type === 'string' ? fields.content_type : given
}

/** The source refused the file, or the whole account. */
const isUnauthorized = (error: unknown) => error instanceof ObstacleError && error.code === 'authorization_lost'

/** Opens a file. If its length is not the announced one, the source is asked again before any byte is sent. */
async function openWhole(reader: Reader, record: FamilyRecord, announced: number | null) {
  for (let attempt = 1; ; attempt++) {
    const file = await reader.openFile(record)
    const isOdd = announced !== null && file.size !== null && file.size !== announced
    if (!isOdd || attempt === openTries) return file
    file.body.on('error', () => {}).destroy()
  }
}

/**
 * The bytes of a small file, so that it holds no connection to the source while it waits. Null if there are more than the
 * source said.
 */
async function readSmall(body: Readable): Promise<Readable | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > mostFetchedAhead) return null
    pieces.push(piece)
  }
  return Readable.from(pieces, { objectMode: false })
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
