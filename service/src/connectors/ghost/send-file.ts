import { RetryableError } from '../../errors.ts'
import { plainType, streamForm } from '../../outbound/stream-form.ts'
import type { OutgoingFile, WriteOutcome } from '../contract.ts'
import type { Answer, GhostApi } from './api.ts'
import { textOf } from './from-family.ts'
import { parseWhole, uploadSchema } from './schema.ts'
import { toRefusal } from './write-records.ts'

/** Files without an extension get the one of their type: Ghost goes by the name. */
const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
}
const types: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', svgz: 'image/svg+xml', ico: 'image/x-icon', avif: 'image/avif' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' },
  ...{ mp3: 'audio/mpeg', wav: 'audio/wav', ogg: 'audio/ogg', m4a: 'audio/x-m4a' },
}
/** A browser would run these as a page of the site. */
const active = new Set(['html', 'htm', 'xhtml', 'shtml', 'js', 'mjs', 'xml', 'xsl', 'css'])

/** One file, and only its bytes: words about it stand where it is used. */
export async function sendFile(api: GhostApi, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, body, contentType, size } = file
  if (destinationId !== null) {
    // There is nothing about a file that could be changed.
    body.on('error', () => {}).destroy()
    return { key, result: 'written', destinationId, url: destinationId, version: null }
  }
  const fileName = nameOf(file)
  const extension = /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (active.has(extension)) {
    body.on('error', () => {}).destroy()
    const message = 'A file of this kind could act as a page of the site, so it is not put there.'
    return { key, result: 'refused', code: 'unsafe_file', message }
  }
  const type = types[extension] ?? plainType(contentType)
  const kind = type.startsWith('image/') ? 'images' : /^(video|audio)\//.test(type) ? 'media' : 'files'
  const form = { field: 'file', fileName, contentType: type, size, body }
  const { stream, headers, sent } = streamForm({}, form)
  let answer: Answer
  try {
    answer = await api.send('POST', `/${kind}/upload/`, { headers, stream })
  } catch (error) {
    // When the source broke off, the request fails as a consequence; what happened there is what decides.
    throw sent.failure ?? error
  } finally {
    body.destroy()
  }
  if (answer.result === 'refused') return toRefusal(key, answer)
  if (!sent.isWhole) throw new RetryableError('Ghost took a part of a file for all of it')
  const made = (answer.json as Record<string, unknown> | null)?.[kind]
  const { url } = parseWhole(uploadSchema, Array.isArray(made) ? made[0] : null, 'a file')
  return { key, result: 'written', destinationId: url, url, version: null }
}

function nameOf({ fields, contentType }: OutgoingFile): string {
  const name = textOf(fields, 'file_name').slice(-150) || 'file'
  const extension = extensions[plainType(contentType)]
  return /\.[a-z0-9]{1,8}$/i.test(name) || extension === undefined ? name : `${name}.${extension}`
}
