import { WherryError } from './errors.ts'
import type { CreatedImport, Family, Import, ImportEntry, NewImport, Tool } from './types.ts'

export interface WherryOptions {
  /** Address of the API, such as `https://import.example.com/api/v2.1`, or its sandbox. */
  baseUrl: string
  apiToken: string
  /** For tests and odd platforms; by default the platform's own. */
  fetch?: typeof fetch
}

/** The six endpoints of the partner API. */
export function createWherry({ baseUrl, apiToken, fetch: send = fetch }: WherryOptions) {
  const base = baseUrl.replace(/\/$/, '')
  const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown, headers = {}): Promise<T> => {
    const answer = await send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${apiToken}:`)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    const json = text !== '' && isJson ? JSON.parse(text) : null
    if (!answer.ok) throw new WherryError(answer, json)
    return json as T
  }
  const importPath = (id: string) => `/imports/${encodeURIComponent(id)}`
  return {
    listTools: (family?: Family) => call<Tool[]>('GET', `/tools${family === undefined ? '' : `?family=${family}`}`),
    /** With a key of your own, a repeated call returns the first import instead of making another. */
    createImport: (input: NewImport, options: { idempotencyKey?: string } = {}) =>
      call<CreatedImport>('POST', '/imports', input, {
        'idempotency-key': options.idempotencyKey ?? crypto.randomUUID(),
      }),
    listImports: (destinationUsername: string) =>
      call<ImportEntry[]>('GET', `/imports?destination_username=${encodeURIComponent(destinationUsername)}`),
    getImport: (id: string) => call<Import>('GET', importPath(id)),
    acceptSponsorship: (id: string) => call<null>('POST', `${importPath(id)}/payment/accept`),
    rejectSponsorship: (id: string) => call<null>('POST', `${importPath(id)}/payment/reject`),
  }
}

export type Wherry = ReturnType<typeof createWherry>
