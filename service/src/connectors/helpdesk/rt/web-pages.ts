import { Readable } from 'node:stream'
import { ObstacleError } from '../../../errors.ts'
import { createGiveWay } from '../../../give-way.ts'
import { slicesOf } from '../../../json-pieces.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { baseUrl, signIn } from './api.ts'

/** A file in a form. Its size must be known before sending. */
export interface FormFile {
  name: string
  contentType: string
  size: number
  body: Readable
}

export type FormAnswer = 'recorded' | 'page shown' | 'not found' | 'refused'

const usesOfSession = 100

export type WebPages = ReturnType<typeof openWebPages>

/**
 * Request Tracker's web pages, which accept the token, too. REST 2.0 lacks three things: a message that mails nobody,
 * an empty file, and a file in its original bytes.
 */
export function openWebPages(account: Account) {
  const { access, outbound, signal } = account
  const base = baseUrl(account)
  // The session cookie. Without it, every request would add a session to Request Tracker's database. Each form adds its
  // result to the session, so we start a new session after some requests.
  let cookie: string | null = null
  let uses = 0

  const send = async (
    path: string,
    request: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string | Readable },
    expected: readonly number[],
  ): Promise<OutboundStream> => {
    const headers = {
      ...signIn(access),
      // Request Tracker accepts a form only with a referer of its configured address.
      referer: `${base}/`,
      ...(cookie === null ? {} : { cookie }),
      ...request.headers,
    }
    const answer = await streamFromTool(outbound, `${base}${path}`, { ...request, headers, signal }, [302, ...expected])
    uses = (uses + 1) % usesOfSession
    cookie = uses === 0 ? null : (sessionOf(answer.headers['set-cookie']) ?? cookie)
    if (answer.status === 302 && /\/NoAuth\/Login/i.test(String(answer.headers.location))) {
      discard(answer)
      throw new ObstacleError(
        'web_pages_closed',
        'customer',
        'The pages of Request Tracker do not accept the token. Make its address reachable without another sign-in in front.',
      )
    }
    return answer
  }

  return {
    /** Sends a form. `recorded` means that Request Tracker processed it; the caller must check the effect. */
    async submit(path: string, fields: readonly (readonly [string, string])[], file?: FormFile): Promise<FormAnswer> {
      const boundary = `wherry-${crypto.randomUUID()}`
      const part = (head: string, text: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n${text}`
      const words = fields.map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`)).join('')
      // `toFileName` already removed characters that could end the header.
      const attach = (name: string) => `name="Attach"; filename="${name}"`
      const head = file ? part(attach(file.name), `content-type: ${file.contentType}\r\n\r\n`) : ''
      const opening = `${words}${head}`
      const closing = Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`)
      const answer = await send(
        path,
        {
          method: 'POST',
          headers: {
            'content-type': `multipart/form-data; boundary=${boundary}`,
            'content-length': String(Buffer.byteLength(opening) + (file?.size ?? 0) + closing.length),
          },
          body: toReadable(opening, file?.body, closing),
        },
        [403, 404],
      )
      discard(answer)
      if (answer.status === 302) return 'recorded'
      if (answer.status === 404) return 'not found'
      return answer.status === 403 ? 'refused' : 'page shown'
    },

    /** The bytes of an attachment. Null if it does not exist. */
    async download(transactionId: string, attachmentId: string): Promise<OutboundStream | null> {
      const path = `/Ticket/Attachment/${encodeURIComponent(transactionId)}/${encodeURIComponent(attachmentId)}/`
      const answer = await send(path, { method: 'GET' }, [404])
      if (answer.status === 200) return answer
      discard(answer)
      return null
    },
  }
}

function toReadable(opening: string, body: Readable | undefined, closing: Buffer): Readable {
  return Readable.from(
    (async function* () {
      // Converting a long text to bytes takes time, so other work runs between the slices.
      const giveWay = createGiveWay()
      for (const slice of slicesOf(opening)) {
        await giveWay()
        yield Buffer.from(slice)
      }
      if (body) yield* body
      yield closing
    })(),
    { objectMode: false },
  )
}

function sessionOf(header: string | string[] | undefined): string | null {
  const first = [header ?? []].flat().find((line) => line.startsWith('RT_SID'))
  return first?.split(';')[0] ?? null
}

function discard({ body }: OutboundStream): void {
  // A stream destroyed before it was read emits an error, which nobody else handles.
  body.on('error', () => {}).destroy()
}
