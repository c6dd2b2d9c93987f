import type { Outbound, OutboundRequest } from '../../service/src/outbound/outbound.ts'
import { checkRequest, type OperationShape } from './check-request.ts'

/** A tool's requests, as real servers know them. */
export interface KnownRequests {
  operations: readonly OperationShape[]
  /** The address of a request as operations know it, for tools that name the path in the query. */
  addressOf?(url: URL): URL
}

/** Errors of a request that leaves us. Forms and files go out as streams: reading their parts would use them up. */
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
 * Checks every request where it leaves us, before any tool sees it; for real servers, which ignore what they do not
 * know.
 * A request that the tool does not know is an error of the call that sent it.
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
