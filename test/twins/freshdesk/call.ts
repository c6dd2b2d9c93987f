import type { AccountAccess } from '../../../service/src/connectors/contract/contract.ts'

/** Calls a Freshdesk as the owner of the key; returns any answer. */
export function callAs({ instanceUrl, token }: Partial<AccountAccess>) {
  const authorization = `Basic ${Buffer.from(`${token}:X`).toString('base64')}`
  return async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(new URL(path, `${instanceUrl}/api/v2/`), {
      method,
      redirect: 'manual',
      headers: { authorization, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...more },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
    const json: any = isJson && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }
}
