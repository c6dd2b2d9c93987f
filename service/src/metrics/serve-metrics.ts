import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ListenAddress } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { countSignals } from './count-signals.ts'
import { gaugeDatabase } from './gauge-database.ts'

export interface MetricsParts {
  role: string
  version: string
  /** Names of the tools that this process has connectors for. */
  tools: readonly string[]
  /** By their use. A pool that is opened later may be added. */
  pools: Map<string, Pool>
  /** Asked for the numbers that only the database knows. */
  pool: Pool
}

export interface ServedMetrics {
  url: string
  stop(): Promise<void>
}

/** Serves the numbers of this process to Prometheus, on a listener of their own: they are not for the public. */
export async function serveMetrics(address: ListenAddress, parts: MetricsParts): Promise<ServedMetrics> {
  const registry = new Registry()
  const stopCounting = countSignals(registry, parts)
  const database = gaugeDatabase(registry, parts.pool)
  gaugePools(registry, parts.pools)
  new Gauge({
    name: 'wherry_info',
    help: 'The version and the role of this process.',
    labelNames: ['version', 'role'],
    registers: [registry],
  }).set({ version: parts.version, role: parts.role }, 1)
  collectDefaultMetrics({ register: registry })

  const server = createServer(async (request, response) => {
    const isAsked = request.url?.split('?')[0] === '/metrics' && /^(GET|HEAD)$/.test(request.method ?? '')
    if (!isAsked) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('See /metrics.\n')
    try {
      await database.refresh()
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(request.method === 'HEAD' ? '' : text)
    } catch (error) {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`${(error as Error).name}\n`)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      stopCounting()
      const reason = error.code === 'EADDRINUSE' ? 'another program uses that port' : error.message
      reject(new OperatorError(`WHERRY_METRICS: ${address.host}:${address.port} cannot be listened on: ${reason}.`))
    })
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}/metrics`,
    async stop() {
      stopCounting()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function gaugePools(registry: Registry, pools: ReadonlyMap<string, Pool>): void {
  new Gauge({
    name: 'wherry_database_connections',
    help: 'Connections of the pools of this process. "waiting" counts the work that waits for a connection.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
        this.set({ pool, state: 'total' }, totalCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
}
