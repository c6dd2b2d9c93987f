import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request that a test inspects before Harbour handles it. */
export interface SeenRequest {
  method: string
  /** The path below the base URL, without parameters. */
  path: string
  query: Readonly<Record<string, unknown>>
  /** The JSON body. For files it is the stream, which the test must not read. */
  body: unknown
}

/** `drop` breaks the connection before Harbour handles the request, `commit_then_…` afterwards. */
export type Fault =
  | 'ok'
  | 'drop'
  | 'commit_then_drop'
  | 'commit_then_500'
  | { status: number; headers?: Record<string, string> }

export interface Faults {
  latencyMs?: number
  onRequest?: (request: SeenRequest) => Fault | Promise<Fault>
}

/** Adds faults for tests. No HTTP request can cause them. */
export function addFaults(api: FastifyInstance, prefix: string, { latencyMs = 0, onRequest }: Faults): void {
  if (latencyMs === 0 && !onRequest) return
  const faults = new WeakMap<FastifyRequest, Fault>()
  api.addHook('preHandler', async (request, reply) => {
    if (latencyMs > 0) await sleep(latencyMs)
    const fault = (await onRequest?.(seen(request, prefix))) ?? 'ok'
    faults.set(request, fault)
    if (fault === 'drop') {
      request.raw.socket.destroy()
      return reply.hijack()
    }
    if (typeof fault === 'object') {
      return reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .send({ error: 'fault', message: 'A test asked for this.' })
    }
    return undefined
  })
  api.addHook('onSend', async (request, reply, payload) => {
    const fault = faults.get(request)
    if (fault === 'commit_then_drop') request.raw.socket.destroy()
    if (fault !== 'commit_then_500') return payload
    reply.code(500)
    return JSON.stringify({ error: 'fault', message: 'A test asked for this.' })
  })
}

function seen(request: FastifyRequest, prefix: string): SeenRequest {
  return {
    method: request.method,
    path: (request.url.split('?')[0] ?? '').slice(prefix.length),
    query: request.query as Record<string, unknown>,
    body: request.body,
  }
}
