import type { HelpScoutTwin } from './twin.ts'

/** Calls a twin as the owner of the key; returns any answer. */
export function callAs({ bearerAccess: { instanceUrl, token, more } }: HelpScoutTwin) {
  const send = async (origin: string, authorization: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
    const json: any = text === '' ? undefined : JSON.parse(text)
    const id = Number(response.headers.get('resource-id'))
    return { status: response.status, headers: response.headers, json, id }
  }
  const key = `Basic ${Buffer.from(`${more.docs_api_key}:X`).toString('base64')}`
  return {
    call: (method: string, path: string, body?: unknown, bearer = token) =>
      send(instanceUrl, `Bearer ${bearer}`, method, `/v2${path}`, body),
    docs: (method: string, path: string, body?: unknown, authorization = key) =>
      send(more.docs_url, authorization, method, `/v1${path}`, body),
  }
}
