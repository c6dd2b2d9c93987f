import iconv from 'iconv-lite'
import { createGiveWay } from '../../give-way.ts'
import type { CsvFile } from './list-files.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const sniffedBytes = 64 * 1024

/**
 * Detects the encoding from the whole file, because a single "ü" in the last row can decide. A file that is not Unicode
 * is read as Windows-1252, the encoding of spreadsheets.
 */
export async function detectEncoding(file: CsvFile): Promise<Encoding> {
  const wide = detectUtf16(await readHead(await file.open(0)))
  if (wide) return wide
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    const giveWay = createGiveWay()
    for await (const chunk of await file.open(0)) {
      await giveWay()
      utf8.decode(chunk, { stream: true })
    }
    utf8.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return 'windows-1252'
    }
    throw error
  }
}

/** Reads the beginning of a file, long enough for a guess. */
export async function readHead(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    length += chunk.length
    if (length >= sniffedBytes) break
  }
  return Buffer.concat(read).subarray(0, sniffedBytes)
}

function detectUtf16(head: Buffer): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  // Without a byte order mark: Western text in UTF-16 has a zero in every second byte, and other text has no zeros.
  const zeros = [0, 0]
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const many = head.length * 0.2
  if (odd > many && even < many / 10) return 'utf-16le'
  return even > many && odd < many / 10 ? 'utf-16be' : null
}

/**
 * The encoding in which the CSV parser must read the bytes of `openAsParsed`. For Windows-1252 the parser reads each
 * byte as one character.
 */
export function parserEncoding(encoding: Encoding): 'latin1' | 'utf8' {
  return encoding === 'windows-1252' ? 'latin1' : 'utf8'
}

/** Converts the parser's output to text. */
export function toText(cell: string, encoding: Encoding): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is the same in both, and by far the most.
  if (encoding !== 'windows-1252' || /^[\x00-\x7f]*$/.test(cell)) return cell
  return iconv.decode(Buffer.from(cell, 'latin1'), 'windows-1252')
}

/**
 * Opens the bytes from a position on, in an encoding where separators and line ends are single bytes. UTF-16 is
 * converted to UTF-8; its positions are those of the UTF-8 text, and everything before the position is read again.
 */
export async function openAsParsed(file: CsvFile, encoding: Encoding, from: number): Promise<AsyncIterable<Buffer>> {
  if (encoding === 'utf-8' || encoding === 'windows-1252') return file.open(from)
  return skip(toUtf8(await file.open(0), encoding), from)
}

async function* toUtf8(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let toSkip = bytes
  for await (const chunk of chunks) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip)
    toSkip = Math.max(0, toSkip - chunk.length)
  }
}
