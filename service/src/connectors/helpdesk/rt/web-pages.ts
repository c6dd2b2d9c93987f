import { ObstacleError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { OutboundRequest, OutboundStream } from '../../../outbound/outbound.ts'
import { type FormFile, streamForm } from '../../../outbound/stream-form.ts'
import type { Account } from '../../contract/contract.ts'
import { dropBytes as discard } from '../../kit/files.ts'

const usesOfSession = 100

export const signIn = ({ token }: Account['access']) => ({ authorization: `token ${token}` })

/**
 * Request Tracker's web pages, which accept the token, too. REST 2.0 lacks three things: a message that mails nobody,
 * an empty file, and a file in its original bytes.
 */
export function openWebPages({ access, outbound, signal }: Account, base: string) {
  // The session cookie. Without it, every request would add a session to Request Tracker's database. Each form adds its
  // result to the session, so we start a new session after some requests.
  let cookie: string | null = null
  let uses = 0

  const send = async (path: string, request: Omit<OutboundRequest, 'signal'>, expected: readonly number[]) => {
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
    /** Sends the form for messages. 302 means that Request Tracker processed it; the caller must check the effect. */
    async submit(words: readonly (readonly [string, string])[], file: FormFile | null = null): Promise<number> {
      const { stream, headers, sent } = streamForm(words, file)
      const request = { method: 'POST' as const, headers, body: stream }
      const answer = await send('/Ticket/Update.html', request, [403, 404]).catch((error: unknown) => {
        // If the source of the file broke off, the request failed because of it, so the source's error counts.
        throw sent.failure ?? error
      })
      discard(answer)
      return answer.status
    },

    /** The bytes of the attachment at `<transaction>/<attachment>`. Null if it does not exist. */
    async download(place: string): Promise<OutboundStream | null> {
      const answer = await send(`/Ticket/Attachment/${place}/`, { method: 'GET' }, [404])
      if (answer.status === 200) return answer
      discard(answer)
      return null
    },
  }
}

function sessionOf(header: string | string[] | undefined): string | null {
  const first = [header ?? []].flat().find((line) => line.startsWith('RT_SID'))
  return first?.split(';')[0] ?? null
}
