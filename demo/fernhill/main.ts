import { parseArgs } from 'node:util'
import { DEFAULT_REQUESTS_PER_SECOND, DEFAULT_SEEDED_AT, type FernhillOptions, startFernhill } from './fernhill.ts'

const USAGE = `node demo/fernhill/main.ts --data <file> --api-key <key>
  [--port 4001] [--public-url http://127.0.0.1:4001] [--tickets 120] [--rate-limit ${DEFAULT_REQUESTS_PER_SECOND}]
  [--now ${DEFAULT_SEEDED_AT.toISOString()}]`

try {
  const desk = await startFernhill(readOptions())
  console.log(`Fernhill Desk: ${desk.url} (API: ${desk.url}/api/v1)`)
  const stop = () => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    desk.close().then(
      () => console.log('Fernhill Desk has stopped.'),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
} catch (error) {
  fail(error)
}

function readOptions(): FernhillOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4001' },
      data: text,
      'api-key': text,
      'public-url': text,
      tickets: text,
      'rate-limit': text,
      now: text,
    },
  })
  const { data, 'api-key': apiKey, 'public-url': publicUrl, tickets, 'rate-limit': rateLimit, now } = values
  if (!data || !apiKey) throw new Error(`--data and --api-key are needed.\n${USAGE}`)
  const seededAt = now === undefined ? DEFAULT_SEEDED_AT : new Date(now)
  if (Number.isNaN(seededAt.getTime())) throw new Error(`--now must be an ISO 8601 time.\n${USAGE}`)
  return {
    port: wholeNumber('port', values.port),
    dataFile: data,
    apiKey,
    seededAt,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(tickets !== undefined && { tickets: wholeNumber('tickets', tickets) }),
    ...(rateLimit !== undefined && { requestsPerSecond: wholeNumber('rate-limit', rateLimit) }),
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number.\n${USAGE}`)
  return Number(text)
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
