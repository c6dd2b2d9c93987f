import type { Outbound, OutboundRequest } from '../../service/src/outbound/outbound.ts'
import { checkRequest, type OperationShape } from './check-request.ts'

/**
 * Checks every request where it leaves us, before any tool sees it; for real servers, which ignore what they do not
 * know.
 * A request that the tool does not know is an error of the call that sent it.
 */
export function checkOutbound(
  outbound: Outbound,
  origin: string,
  operations: readonly OperationShape[],
  addressOf: (url: URL) => URL = (url) => url,
): Outbound {
  const check = (address: string, { method = 'GET', headers = {}, body }: OutboundRequest) => {
    if (new URL(address).origin !== new URL(origin).origin) return
    const url = addressOf(new URL(address))
    const types = Object.entries(headers).flatMap(([name, value]) => (/^content-type$/i.test(name) ? value : []))
    // Forms and files are sent as streams, which cannot be inspected without consuming them.
    const isText = typeof body === 'string' && types.some((type) => type.includes('json'))
    const json: unknown = isText ? JSON.parse(String(body)) : undefined
    const hasBody = isText
    const wrong = checkRequest(operations, { method, path: `${url.pathname}${url.search}`, json, hasBody })
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
