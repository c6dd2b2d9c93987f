import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

interface Caller {
  origin: string
  apiToken: string
}

/** Sends requests. `failures` gets each answer with an unexpected status. */
export function createCaller({ origin, apiToken }: Caller, failures: string[]) {
  const call = async (
    method: string,
    path: string,
    expected: number,
    headers: Record<string, string>,
    body?: object,
  ) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status !== expected) failures.push(`${method} ${path}: ${answer.status} ${text}`)
    const json = text === '' ? null : JSON.parse(text)
    return { status: answer.status, json, cookie: String(answer.headers.get('set-cookie')).split(';')[0] ?? '' }
  }
  const authorization = `Basic ${btoa(`${apiToken}:`)}`
  const asPartner = (method: string, path: string, expected: number, body?: object, headers = {}) =>
    call(method, `/api/v2.1${path}`, expected, { authorization, ...headers }, body)
  return {
    asPartner,
    createImport: (body: object) =>
      asPartner('POST', '/imports', 201, { source_tool: 'fernhill', ...body }, { 'idempotency-key': randomUUID() }),
    /** Opens the portal as the customer's browser does. */
    async openPortal(imp: { id: string; token: string }) {
      const { cookie } = await call('POST', '/portal/session', 204, {}, { id: imp.id, token: imp.token })
      return (method: string, path: string, expected: number, body?: object) =>
        call(method, `/portal/imports/${imp.id}${path}`, expected, { cookie }, body)
    },
  }
}

export type LoadCaller = ReturnType<typeof createCaller>

/**
 * Partners and customers who send requests without a break until the load is stopped: reads, writes, and the portal.
 */
export function startLoad(caller: LoadCaller, failures: string[]) {
  const created: { id: string; name: string }[] = []
  const stopping = new AbortController()
  const goOn = async (act: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      await act(turn).catch((error: Error) => failures.push(String(error.cause ?? error)))
      await sleep(50)
    }
  }
  const write = async (turn: number) => {
    const name = `customer-${turn}@example.com`
    const { json } = await caller.createImport({ destination_username: name })
    created.push({ id: json.id, name })
    const portal = await caller.openPortal(json)
    await portal('PUT', '/visitor', 204, { name })
    await portal('GET', '', 200)
    await caller.asPartner('POST', `/imports/${json.id}/payment/accept`, 200)
  }
  const read = async (turn: number) => {
    const imp = created[turn % Math.max(1, created.length)]
    if (!imp) return
    await caller.asPartner('GET', `/imports/${imp.id}`, 200)
    await caller.asPartner('GET', `/imports?destination_username=${encodeURIComponent(imp.name)}`, 200)
  }
  const working = Promise.all([goOn(write), goOn(read), goOn(read)])
  return {
    created,
    async stop(): Promise<void> {
      stopping.abort()
      await working
    },
  }
}
