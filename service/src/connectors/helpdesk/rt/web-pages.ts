import { Readable } from 'node:stream'
import { ObstacleError } from '../../../errors.ts'
import { createGiveWay } from '../../../give-way.ts'
import { slicesOf } from '../../../json-pieces.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { baseUrl, signIn } from './api.ts'

/** A file of a form, whose size is known beforehand. */
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
 * The pages that people use, which take the token too. Three things are only possible here: a message that mails nobody,
 * a file without bytes, and a file in the bytes in which it came.
 */
export function openWebPages(account: Account) {
  const { access, outbound, signal } = account
  const base = baseUrl(account)
  // Without it every request would leave a session of its own in Request Tracker's database. One for all of them would
  // grow without end: every form leaves its result in it.
  let cookie: string | null = null
  let uses = 0

  const send = async (
    path: string,
    request: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string | Readable },
    expected: readonly number[],
  ): Promise<OutboundStream> => {
    const headers = {
      ...signIn(access),
      // A form is taken only from a page of the address that it is configured with.
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
    /** Sends a form. `recorded` means that it was carried out; whether it did what was asked must be looked up. */
    async submit(path: string, fields: readonly (readonly [string, string])[], file?: FormFile): Promise<FormAnswer> {
      const boundary = `wherry-${crypto.randomUUID()}`
      const part = (head: string, text: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n${text}`
      const words = fields.map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`)).join('')
      // Names are made harmless before (`toFileName`): nothing in them ends the header.
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

    /** The bytes of an attachment; null when there is none. */
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
      // A text may be long, and to make bytes of it takes time.
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
  // Destroyed unread, it reports an error that nobody else would listen to.
  body.on('error', () => {}).destroy()
}
