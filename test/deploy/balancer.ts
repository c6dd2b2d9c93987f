import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'

/** A proxy in front of several APIs, which take turns. It retries nothing, so the caller sees each failure. */
export async function startBalancer() {
  const targets = new Map<string, { served: number; underWay: number }>()
  let turn = 0
  const server = createServer((request, response) => {
    const [origin, target] = [...targets][turn++ % targets.size] ?? []
    if (!origin || !target) return void response.writeHead(502).end('no API')
    target.underWay++
    response.on('close', () => {
      target.underWay--
      target.served++
    })
    const { method, url, headers } = request
    const passed = send(`${origin}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', (error) => response.headersSent || response.writeHead(502).end(`${origin}: ${error.message}`))
    request.pipe(passed)
  })
  // Without this, a connection closed for idleness while a slow machine sends on it would look like a failed request.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (origin: string) => void targets.set(origin, { served: 0, underWay: 0 }),
    /** Takes an API out of the proxy, and waits until its requests end. */
    async remove(origin: string): Promise<void> {
      const target = targets.get(origin)
      targets.delete(origin)
      await vi.waitFor(() => expect(target?.underWay).toBe(0), { timeout: 120_000, interval: 20 })
    },
    /** Waits until every API in the proxy has answered this many more requests. */
    async untilServed(more: number): Promise<void> {
      const goals = [...targets.values()].map((target) => ({ target, goal: target.served + more }))
      const reached = () => {
        for (const { target, goal } of goals) expect(target.served).toBeGreaterThanOrEqual(goal)
      }
      await vi.waitFor(reached, { timeout: 600_000, interval: 100 })
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
