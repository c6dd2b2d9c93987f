import type Stripe from 'stripe'
import type { StripeConfig } from '../../config.ts'
import type { Outbound } from '../../outbound/outbound.ts'

const timeoutMs = 20_000
/** The largest accepted answer. A checkout session has about 5 kB. */
const maxBytes = 1024 * 1024

/** Stripe's SDK, with our guarded HTTP client. Loaded only if needed, because it takes 37 MB of memory. */
export async function createStripe(config: StripeConfig, outbound: Outbound): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(config.apiBase)
  const isPlain = protocol === 'http:'
  return new Stripe(config.secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchThrough(outbound)),
  })
}

function fetchThrough(outbound: Outbound): typeof fetch {
  return async (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const {
      status,
      statusText,
      headers: answered,
      body,
      isCut,
    } = await outbound.request(String(input), {
      method: init.method === 'POST' ? 'POST' : init.method === 'DELETE' ? 'DELETE' : 'GET',
      headers,
      ...(typeof init.body === 'string' && init.body !== '' && { body: init.body }),
      signal: init.signal ?? AbortSignal.timeout(timeoutMs),
      maxBytes,
    })
    if (isCut) throw new Error('the payment provider answered far more than it should')
    const pairs = Object.entries(answered).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
    )
    return new Response(status === 204 ? null : body, { status, statusText, headers: pairs })
  }
}
