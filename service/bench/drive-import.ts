import { randomUUID } from 'node:crypto'

/** The fields of an import that the benchmarks read. */
export interface SeenImport {
  id: string
  token: string
  status_code: string
  progress: { done: number; total: number | null }
  warnings?: { code: string; entity: string; message: string }[]
  items: Record<string, number>
}

export interface DrivenImport {
  id: string
  /** Reads the import through the partner API. */
  read(): Promise<SeenImport>
  /** Opens the import's portal page. */
  open(): Promise<void>
  /** Acts in the portal as the customer. */
  act(method: string, path: string, body: object): Promise<void>
}

/** Creates an import over HTTP as the partner, and connects both accounts as the customer in the portal. */
export async function driveImport(
  { origin, apiToken }: { origin: string; apiToken: string },
  { desk, sink }: { desk: string; sink: string },
): Promise<DrivenImport> {
  const authorization = `Basic ${btoa(`${apiToken}:`)}`
  const json = { 'content-type': 'application/json' }
  const asPartner = async (method: string, path: string, body?: object): Promise<SeenImport> => {
    const answer = await fetch(`${origin}/api/v2.1${path}`, {
      method,
      headers: { authorization, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as SeenImport
  }
  const created = await asPartner('POST', '/imports', { source_tool: 'fernhill', start_full: true })
  const session = await fetch(`${origin}/portal/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ id: created.id, token: created.token }),
  })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const inPortal = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/portal/imports/${created.id}${path}`, {
      method,
      headers: { ...json, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
  }
  await inPortal('PUT', '/accounts/source', { instance_url: desk, token: randomUUID() })
  await inPortal('PUT', '/accounts/destination', { instance_url: sink, token: randomUUID() })
  return {
    id: created.id,
    read: () => asPartner('GET', `/imports/${created.id}`),
    open: () => inPortal('GET', ''),
    act: inPortal,
  }
}
