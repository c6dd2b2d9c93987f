import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import type { OutgoingFile, WriteOutcome } from '../contract.ts'
import type { WordpressApi } from './api.ts'
import { textOf, toMediaRequest } from './from-family.ts'
import { mediaSlugOf } from './mark-record.ts'
import { mediaFile } from './media-file.ts'
import { plainText } from './read-html.ts'
import { takeWhole } from './schema.ts'
import { toOutcome } from './write-records.ts'

/** Files without an extension get the one of their type: WordPress goes by the name alone. */
const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
}

/** One file with all that is known of it, in one request. Its bytes cannot be changed later, only its words. */
export async function sendFile(api: WordpressApi, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, body } = file
  const words = toMediaRequest(file)
  if (destinationId !== null) {
    body.on('error', () => {}).destroy()
    return toOutcome('media', key, await api.send('POST', `/wp/v2/media/${Number(destinationId)}`, { json: words }))
  }
  const { stream, headers, sent } = writeForm({ ...words, slug: mediaSlugOf(key) }, file)
  let answer: Awaited<ReturnType<typeof api.send>>
  try {
    answer = await api.send('POST', '/wp/v2/media', { headers, stream })
  } catch (error) {
    // When the source broke off, the request fails as a consequence; what happened there is what decides.
    throw sent.failure ?? error
  } finally {
    body.destroy()
  }
  if (answer.result === 'refused') return toOutcome('media', key, answer)
  const raw = takeWhole('media', answer.json)
  const stored = mediaFile(raw)?.size ?? null
  if (!sent.isWhole || (stored !== null && stored !== sent.bytes)) {
    throw new RetryableError(`WordPress stored ${stored} bytes of a file of ${sent.bytes}`)
  }
  // Without a caption WordPress takes the one that a camera or program wrote into the picture.
  if (plainText(raw.caption.raw) === plainText(words.caption ?? '')) return toOutcome('media', key, answer)
  return toOutcome('media', key, await api.send('POST', `/wp/v2/media/${raw.id}`, { json: words }))
}

/** As a browser sends it: web servers stream this to a file, while a bare body has to fit into memory. */
function writeForm(words: Record<string, string>, file: OutgoingFile) {
  const boundary = `wherry-${randomUUID()}`
  const part = (head: string, text: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n${text}`
  const fields = Object.entries(words).map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`))
  const type =
    /^[\w.+-]+\/[\w.+-]+$/.exec(file.contentType?.split(';')[0]?.trim() ?? '')?.[0] ?? 'application/octet-stream'
  const name = fileName(file, type)
  const head = Buffer.from(
    `${fields.join('')}${part(`name="file"; filename="${name}"`, `Content-Type: ${type}\r\n\r\n`)}`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const sent = { bytes: 0, isWhole: false, failure: null as unknown }
  async function* write() {
    yield head
    try {
      for await (const chunk of file.body as AsyncIterable<Buffer>) {
        sent.bytes += chunk.length
        yield chunk
      }
    } catch (error) {
      sent.failure = error
      throw error
    }
    sent.isWhole = true
    yield tail
  }
  return {
    sent,
    stream: Readable.from(write(), { objectMode: false }),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(file.size === null ? {} : { 'content-length': String(head.length + file.size + tail.length) }),
    },
  }
}

function fileName({ fields }: OutgoingFile, type: string): string {
  const name = textOf(fields, 'file_name')
    .replace(/[\p{Cc}"\\/]/gu, '-')
    .slice(-150)
  const extension = extensions[type]
  return /\.[a-z0-9]{1,8}$/i.test(name) || extension === undefined ? name || 'file' : `${name || 'file'}.${extension}`
}
