import { errorFrom, WherryError } from './errors.ts'
import { sendWithRetries } from './send-with-retries.ts'
import type {
  CreatedImport,
  Family,
  Import,
  ImportEntry,
  LinkedImport,
  Mapping,
  NewImport,
  NewMapping,
  Tool,
} from './types.ts'
import { webCrypto } from './web-crypto.ts'

export interface WherryOptions {
  /** The address of the API, such as `https://import.example.com/api/v2.1`, or of its sandbox. */
  baseUrl: string
  apiToken: string
  /** Number of retries after 429, a 5xx or no answer at all. Default: 3. */
  retries?: number
  /** The time limit for one attempt. Default: 30 seconds. */
  timeoutMs?: number
  /** For tests and unusual platforms. Default: the platform's `fetch`. */
  fetch?: typeof fetch
  /** For tests: waits between attempts. */
  wait?: (ms: number) => Promise<void>
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** The endpoints of the partner API. Every call is safe to repeat, and is repeated after a temporary failure. */
export function createWherry(options: WherryOptions) {
  const {
    apiToken,
    retries = 3,
    timeoutMs = 30_000,
    fetch: send = fetch,
    wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  } = options
  const base = options.baseUrl.replace(/\/+$/, '')

  const sendOnce = async ({ method, path, body, headers }: Call) => {
    const response = await send(`${base}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${btoa(`${apiToken}:`)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { response, text: await response.text() }
  }
  const call = async (request: Call): Promise<{ response: Response; body: unknown }> => {
    const { response, text } = await sendWithRetries(() => sendOnce(request), { retries, wait })
    const body = parseJson(text)
    if (!response.ok) throw errorFrom(response, body)
    return { response, body }
  }
  const read = async <T>(request: Call): Promise<T> => {
    const { response, body } = await call(request)
    if (typeof body === 'object' && body !== null) return body as T
    throw new WherryError({
      status: response.status,
      code: 'unexpected_answer',
      message: `The answer is no JSON: is ${base} the address of the API?`,
    })
  }
  const importPath = (id: string) => `/imports/${encodeURIComponent(id)}`
  const decide = async (id: string, word: 'accept' | 'reject'): Promise<void> => {
    await call({ method: 'POST', path: `${importPath(id)}/payment/${word}` })
  }

  return {
    listTools: (family?: Family) =>
      read<Tool[]>({ method: 'GET', path: `/tools${family === undefined ? '' : `?family=${family}`}` }),
    /**
     * Creates one import, even if the request is sent several times. With your own key, even repeated calls create
     * only one.
     */
    createImport: async (input: NewImport, { idempotencyKey }: { idempotencyKey?: string } = {}) =>
      read<CreatedImport>({
        method: 'POST',
        path: '/imports',
        body: input,
        headers: { 'idempotency-key': idempotencyKey ?? (await newKey()) },
      }),
    listImports: (destinationUsername: string) =>
      read<ImportEntry[]>({
        method: 'GET',
        path: `/imports?destination_username=${encodeURIComponent(destinationUsername)}`,
      }),
    getImport: (id: string) => read<Import>({ method: 'GET', path: importPath(id) }),
    /** Issues a new link. The earlier link stops working, and everybody is signed out of the portal. */
    issueLink: (id: string) => read<LinkedImport>({ method: 'POST', path: `${importPath(id)}/link` }),
    acceptSponsorship: (id: string) => decide(id, 'accept'),
    rejectSponsorship: (id: string) => decide(id, 'reject'),
    listMappings: () => read<Mapping[]>({ method: 'GET', path: '/mappings' }),
    /** Stores a mapping. It replaces the one with the same name, tool and family. */
    provideMapping: (input: NewMapping) => read<Mapping>({ method: 'POST', path: '/mappings', body: input }),
    removeMapping: async (id: string): Promise<void> => {
      await call({ method: 'DELETE', path: `/mappings/${encodeURIComponent(id)}` })
    },
  }
}

export type Wherry = ReturnType<typeof createWherry>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function newKey(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
