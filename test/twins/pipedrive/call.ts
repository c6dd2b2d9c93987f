import type { PipedriveTwin } from './twin.ts'

/** Sends plain requests to the twin, with its key. */
export function caller(twinOf: () => PipedriveTwin) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const { url, access } = twinOf()
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-api-token': access.token,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
    const json: any = isJson ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, json, data: json?.data, text }
  }
  const get = (path: string) => call('GET', path)
  return {
    call,
    get,
    /** Creates a record and returns its id. */
    make: async (kind: string, body: Record<string, unknown>): Promise<number> =>
      Number((await call('POST', `/api/v2/${kind}`, body)).data.id),
    field: async (kind: string, field_type: string, options?: string[]) => {
      const labels = options && { options: options.map((label) => ({ label })) }
      return (await call('POST', `/api/v2/${kind}Fields`, { field_name: field_type, field_type, ...labels })).data
    },
    ids: async (path: string): Promise<number[]> => ((await get(path)).data as { id: number }[]).map(({ id }) => id),
  }
}
