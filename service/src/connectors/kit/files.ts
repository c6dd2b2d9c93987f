import { RetryableError } from '../../errors.ts'
import type { OutboundStream } from '../../outbound/outbound.ts'
import { countSent, plainType, retryTransfer, type SentFile, streamForm } from '../../outbound/stream-form.ts'
import type { OutgoingFile, Reader } from '../contract/contract.ts'
import type { Sending, Sent } from './http.ts'

/** Converts the answer to a download for `Reader.openFile`. */
export function toFile({ headers, body }: OutboundStream): Awaited<ReturnType<Reader['openFile']>> {
  const length = headers['content-length']
  const contentType = headers['content-type']
  const isPacked = headers['content-encoding'] !== undefined
  return {
    size: isPacked || typeof length !== 'string' || !/^\d{1,15}$/.test(length) ? null : Number(length),
    contentType: typeof contentType === 'string' ? contentType : null,
    body: retryTransfer(body),
  }
}

export interface FormRules {
  /** Name of the form's field for the bytes. */
  field: string
  fileName: string
  contentType?: string | null
  /** The other fields of the form. */
  words?: Record<string, string>
  /** Number of stored bytes according to the tool's answer; null if the answer does not say. */
  storedSize?(json: unknown): number | null
}

/**
 * Streams a file as a form. A success counts only if all bytes were sent and the tool reports no other number of stored
 * bytes.
 */
export async function sendForm(
  label: string,
  { body, size, contentType }: Pick<OutgoingFile, 'body' | 'size' | 'contentType'>,
  rules: FormRules,
  send: (sending: Sending) => Promise<Sent>,
): Promise<Sent> {
  const { field, fileName, words = {}, storedSize = () => null } = rules
  const file = { field, fileName, contentType: rules.contentType ?? contentType, size, body }
  const { stream, headers, sent } = streamForm(words, file)
  try {
    const answer = await send({ headers, body: stream })
    if (answer.result === 'refused') return answer
    const stored = storedSize(answer.json)
    if (sent.isWhole && (stored === null || stored === sent.bytes)) return answer
    throw new RetryableError(`${label} stored ${stored ?? 'a part'} of a file of ${sent.bytes} bytes`)
  } catch (error) {
    // When the source breaks off, the request fails too. The source's failure is the cause, so we throw that one.
    throw sent.failure ?? error
  } finally {
    body.destroy()
  }
}

/** Like `sendForm`, for a tool that takes the plain bytes as the body. */
export async function sendBytes(
  label: string,
  { body, size, contentType }: Pick<OutgoingFile, 'body' | 'size' | 'contentType'>,
  storedSize: (json: unknown) => number | null,
  send: (sending: Sending) => Promise<Sent>,
): Promise<Sent> {
  const sent: SentFile = { bytes: 0, isWhole: false, failure: null }
  const headers = {
    'content-type': plainType(contentType),
    ...(size === null ? {} : { 'content-length': String(size) }),
  }
  try {
    const answer = await send({ headers, body: countSent(body, sent) })
    if (answer.result === 'refused') return answer
    const stored = storedSize(answer.json)
    // With a size, the tool may answer before the source says that it has ended.
    const isWhole = sent.isWhole || sent.bytes === size
    if (isWhole && (stored === null || stored === sent.bytes)) return answer
    throw new RetryableError(`${label} stored ${stored ?? 'a part'} of a file of ${sent.bytes} bytes`)
  } catch (error) {
    throw sent.failure ?? error
  } finally {
    body.destroy()
  }
}

/** Closes the source of a file whose bytes are not needed. */
export function dropBytes({ body }: Pick<OutgoingFile, 'body'>): void {
  body.on('error', () => {}).destroy()
}

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

/**
 * Adds the extension of the content type to a name without one, for tools that look only at the name. `types` lists the
 * content types whose extension may be added.
 */
export function nameWithExtension(
  name: string,
  contentType: string | null,
  types: readonly string[] = Object.keys(extensions),
): string {
  const given = name.slice(-150) || 'file'
  const type = plainType(contentType)
  const isNamed = /\.[a-z0-9]{1,8}$/i.test(given) || !types.includes(type)
  return isNamed ? given : `${given}.${extensions[type]}`
}

/** A file name that is safe in headers and forms. */
export const safeFileName = (given: unknown): string =>
  String(given ?? '')
    .replace(/[\p{Cc}"\\/]/gu, '-')
    .trim() || 'file'
