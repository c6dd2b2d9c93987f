import { Readable } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import type { OutboundStream } from '../../outbound/outbound.ts'
import { plainType, retryTransfer, streamForm } from '../../outbound/stream-form.ts'
import type { OutgoingFile, Reader } from '../contract/contract.ts'
import type { Sending, Sent } from './http.ts'

/** The answer to a download, as `Reader.openFile` hands it out. */
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
  /** The form's field with the bytes. */
  field: string
  fileName: string
  contentType?: string | null
  /** The other fields of the form. */
  words?: Record<string, string>
  /** Bytes that the tool has stored, by its answer; null where it does not tell. */
  storedSize?(json: unknown): number | null
}

/**
 * Sends a file as a form, streamed. An answer that calls itself a success counts only once all bytes have left, and the
 * tool tells no other number of them.
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
    // When the source broke off, the request fails as a consequence: the failure of the source decides.
    throw sent.failure ?? error
  } finally {
    body.destroy()
  }
}

/** The same for a tool that takes the bytes alone. */
export async function sendBytes(
  label: string,
  { body, size, contentType }: Pick<OutgoingFile, 'body' | 'size' | 'contentType'>,
  storedSize: (json: unknown) => number | null,
  send: (sending: Sending) => Promise<Sent>,
): Promise<Sent> {
  const sent = { bytes: 0, isWhole: false, failure: null as unknown }
  async function* read() {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        sent.bytes += chunk.length
        yield chunk
      }
    } catch (error) {
      sent.failure = error
      throw error
    }
    sent.isWhole = true
  }
  const headers = {
    'content-type': plainType(contentType),
    ...(size === null ? {} : { 'content-length': String(size) }),
  }
  try {
    const answer = await send({ headers, body: Readable.from(read(), { objectMode: false }) })
    if (answer.result === 'refused') return answer
    const stored = storedSize(answer.json)
    if (sent.isWhole && (stored === null || stored === sent.bytes)) return answer
    throw new RetryableError(`${label} stored ${stored ?? 'a part'} of a file of ${sent.bytes} bytes`)
  } catch (error) {
    throw sent.failure ?? error
  } finally {
    body.destroy()
  }
}

/** For a file whose bytes are not needed: the source is let go. */
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

/** A name with an extension, for tools that go by the name alone. `types` are those whose extension may be added. */
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

/** A name that headers and forms can carry. */
export const safeFileName = (given: unknown): string =>
  String(given ?? '')
    .replace(/[\p{Cc}"\\/]/gu, '-')
    .trim() || 'file'
