import type { AccountAccess } from '../../../service/src/connectors/contract/contract.ts'

/** Calls a Zendesk as the owner of the access; returns any answer. */
export function callAs({ instanceUrl, username, token }: Partial<AccountAccess>) {
  const authorization = `Basic ${Buffer.from(`${username}/token:${token}`).toString('base64')}`
  return async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const isBytes = body instanceof Uint8Array
    const isForm = body instanceof FormData
    const response = await fetch(new URL(path, `${instanceUrl}/api/v2/`), {
      method,
      redirect: 'manual',
      headers: {
        authorization,
        ...(body !== undefined && !isBytes && !isForm && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: isBytes || isForm ? (body as FormData) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
    const json: any = isJson ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }
}
