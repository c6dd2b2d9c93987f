import type { CountedAnswer, CountedRequest } from './limits.ts'
import type { Outbound, OutboundRequest } from './outbound.ts'

/** A sent request and its answer, if one came. */
export interface Exchange {
  request: CountedRequest
  answer: CountedAnswer | null
}

/** A client that records every exchange. */
export function watchRequests(outbound: Outbound): { outbound: Outbound; exchanges: Exchange[] } {
  const exchanges: Exchange[] = []
  const noted = async <A extends CountedAnswer>(
    url: string,
    { method = 'GET' }: OutboundRequest,
    ask: () => Promise<A>,
  ): Promise<A> => {
    const exchange: Exchange = { request: { method, url: new URL(url) }, answer: null }
    exchanges.push(exchange)
    const answer = await ask()
    exchange.answer = { status: answer.status, headers: answer.headers }
    return answer
  }
  return {
    exchanges,
    outbound: {
      guard: outbound.guard,
      close: () => outbound.close(),
      request: (url, options) => noted(url, options, () => outbound.request(url, options)),
      stream: (url, options) => noted(url, options, () => outbound.stream(url, options)),
    },
  }
}
