import { RetryableError } from '../../errors.ts'
import { plainType, streamForm } from '../../outbound/stream-form.ts'
import { plainWords } from '../../text/plain-words.ts'
import type { OutgoingFile, WriteOutcome } from '../contract.ts'
import type { WordpressApi } from './api.ts'
import { textOf, toMediaRequest } from './from-family.ts'
import { mediaSlugOf } from './mark-record.ts'
import { mediaFile } from './media-file.ts'
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
  const { contentType, size } = file
  const form = { field: 'file', fileName: fileName(file, plainType(contentType)), contentType, size, body }
  const { stream, headers, sent } = streamForm({ ...words, slug: mediaSlugOf(key) }, form)
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
  if (plainWords(raw.caption.raw) === plainWords(words.caption ?? '')) return toOutcome('media', key, answer)
  return toOutcome('media', key, await api.send('POST', `/wp/v2/media/${raw.id}`, { json: words }))
}

function fileName({ fields }: OutgoingFile, type: string): string {
  const name = textOf(fields, 'file_name').slice(-150)
  const extension = extensions[type]
  return /\.[a-z0-9]{1,8}$/i.test(name) || extension === undefined ? name || 'file' : `${name || 'file'}.${extension}`
}
