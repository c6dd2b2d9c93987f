import { Readable } from 'node:stream'
import { RetryableError } from '../errors.ts'
import type { Outbound, OutboundRequest } from './outbound.ts'

/** A token that changes while an account is used. */
export interface TokenSource {
  /** The token with which the account was opened. The connector puts it into requests. */
  first: string
  /** Returns the current token. */
  fresh(): Promise<string>
  /** Returns the token after `stale`, which the account has refused. Throws if there is none. */
  renew(stale: string): Promise<string>
}

interface Answer {
  status: number
}

/** More than one, because the new token may end as well, for example while the request waits for its turn. */
const mostRenewals = 3

/**
 * A client for an account whose token changes. In a request with the first token, the newest one replaces it. After a
 * refusal the token is renewed, and the request is sent again.
 */
export function renewOutbound(outbound: Outbound, tokens: TokenSource): Outbound {
  const ask = async <A extends Answer, O extends OutboundRequest>(
    options: O,
    act: (options: O) => Promise<A>,
    discard: (answer: A) => void,
  ): Promise<A> => {
    if (!carries(options, tokens.first)) return act(options)
    let token = await tokens.fresh()
    for (let renewals = 0; ; renewals += 1) {
      const answer = await act(withToken(options, tokens.first, token))
      if (answer.status !== 401 || renewals === mostRenewals) return answer
      discard(answer)
      token = await tokens.renew(token)
      if (options.body instanceof Readable) {
        // The body has been read. The caller can send it again with the new token.
        throw new RetryableError('the token of an account was renewed')
      }
    }
  }
  return {
    guard: outbound.guard,
    close: () => outbound.close(),
    request: (url, options) =>
      ask(
        options,
        (given) => outbound.request(url, given),
        () => {},
      ),
    stream: (url, options) =>
      ask(
        options,
        (given) => outbound.stream(url, given),
        ({ body }) => body.on('error', () => {}).destroy(),
      ),
  }
}

const carries = ({ headers = {} }: OutboundRequest, token: string) =>
  token !== '' && Object.values(headers).some((value) => value.includes(token))

function withToken<O extends OutboundRequest>(options: O, first: string, token: string): O {
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [name, value.replaceAll(first, token)])
  return { ...options, headers: Object.fromEntries(headers) as Record<string, string> }
}
