import type { Outbound, OutboundRequest } from '../../service/src/outbound/outbound.ts'
import { checkRequest, type OperationShape } from './check-request.ts'

/** The requests that a real tool has. */
export interface KnownRequests {
  operations: readonly OperationShape[]
  /** Converts the address of a request to the form in operations, for tools that name the path in the query. */
  addressOf?(url: URL): URL
}

/**
 * Errors of an outgoing request. Forms and files are sent as streams, which reading would use up, so their parts are
 * not checked.
 */
export function checkLeaving(
  { operations, addressOf = (url) => url }: KnownRequests,
  { method, url, contentType, body }: { method: string; url: URL; contentType: string; body: unknown },
): string[] {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  const isJson = isText && contentType.includes('json')
  const json: unknown = isJson ? JSON.parse(String(body)) : undefined
  const { pathname, search } = addressOf(url)
  return checkRequest(operations, { method, path: `${pathname}${search}`, json, hasBody: isJson })
}

/**
 * Checks every outgoing request before any tool sees it. It is for real servers, which ignore unknown names. A request
 * that the tool does not have fails the call that sent it.
 */
export function checkOutbound(outbound: Outbound, origin: string, known: KnownRequests): Outbound {
  const check = (address: string, { method = 'GET', headers = {}, body }: OutboundRequest) => {
    const url = new URL(address)
    if (url.origin !== new URL(origin).origin) return
    const [, contentType = ''] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? []
    const wrong = checkLeaving(known, { method, url, contentType, body })
    if (wrong.length > 0) throw new Error(`The tool does not know this request:\n${wrong.join('\n')}`)
  }
  return {
    ...outbound,
    async request(address, options) {
      check(address, options)
      return outbound.request(address, options)
    },
    async stream(address, options) {
      check(address, options)
      return outbound.stream(address, options)
    },
  }
}
