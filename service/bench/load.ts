import { Client, type Dispatcher } from 'undici'
import { answerParent } from './run-child.ts'

export interface LoadTarget {
  path: string
  authorization: string
}

export interface LoadJob {
  origin: string
  /** Targets, requested in this order and repeatedly. */
  targets: LoadTarget[]
  /** Connections. Each has one open request at a time. */
  concurrency: number
  /** Requests that are sent first and not counted. */
  warmUp: number
  /** Limits of the load. The first limit reached ends it. */
  requests: number
  seconds: number
}

export interface LoadResult {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

answerParent((job: LoadJob) => generateLoad(job))

async function generateLoad(job: LoadJob): Promise<LoadResult> {
  if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(job.origin)) throw new Error(`${job.origin} is not on this machine`)
  const clients = Array.from({ length: job.concurrency }, () => new Client(job.origin, { pipelining: 1 }))
  const targets = job.targets.map(({ path, authorization }) => ({
    path,
    method: 'GET' as const,
    headers: { authorization },
  }))
  let sent = 0
  const nextTarget = (): Dispatcher.DispatchOptions => {
    const target = targets[sent % targets.length]
    sent += 1
    if (!target) throw new Error('there is nothing to ask for')
    return target
  }
  const limitMs = job.seconds * 1000
  try {
    await everyLane(clients, job.warmUp, limitMs, nextTarget)
    const startedAt = performance.now()
    const latencies = await everyLane(clients, job.requests, limitMs, nextTarget)
    const tookMs = performance.now() - startedAt
    latencies.sort()
    const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
    return {
      requests: latencies.length,
      perSecond: (latencies.length / tookMs) * 1000,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    }
  } finally {
    await Promise.all(clients.map((client) => client.destroy()))
  }
}

/** Returns the latency of every request in milliseconds. */
async function everyLane(
  clients: Client[],
  requests: number,
  limitMs: number,
  nextTarget: () => Dispatcher.DispatchOptions,
): Promise<Float64Array> {
  const latencies: number[] = []
  const endAt = performance.now() + limitMs
  let started = 0
  const lane = async (client: Client) => {
    while (started < requests && performance.now() < endAt) {
      started += 1
      const askedAt = performance.now()
      await ask(client, nextTarget())
      latencies.push(performance.now() - askedAt)
    }
  }
  await Promise.all(clients.map(lane))
  return Float64Array.from(latencies)
}

/** Uses undici's lowest level, because the load generator shares the processor with the measured servers. */
function ask(client: Client, target: Dispatcher.DispatchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0
    client.dispatch(target, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData() {},
      onResponseEnd() {
        if (status === 200) resolve()
        else reject(new Error(`${target.path} was answered with ${status}`))
      },
      onResponseError(_controller, error) {
        reject(error)
      },
    })
  })
}
