import { parseArgs } from 'node:util'
import { type HarbourOptions, startHarbour } from './harbour.ts'

const USAGE = `node demo/harbour/main.ts --data <file> --token <API token>
  [--port 4002] [--public-url http://127.0.0.1:4002] [--admin-key <key>] [--max-file-bytes 20971520]`

try {
  const harbour = await startHarbour(readOptions())
  console.log(`Harbour: ${harbour.url} (destination protocol: ${harbour.baseUrl})`)
  const stop = () => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    harbour.close().then(
      () => console.log('Harbour has stopped.'),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
} catch (error) {
  fail(error)
}

function readOptions(): HarbourOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4002' },
      data: text,
      token: text,
      'public-url': text,
      'admin-key': text,
      'max-file-bytes': text,
    },
  })
  const { data, token, 'public-url': publicUrl, 'admin-key': adminKey, 'max-file-bytes': maxFileBytes } = values
  if (!data || !token) throw new Error(`--data and --token are needed.\n${USAGE}`)
  return {
    port: wholeNumber('port', values.port),
    dataFile: data,
    token,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(adminKey !== undefined && { adminKey }),
    ...(maxFileBytes !== undefined && { maxFileBytes: wholeNumber('max-file-bytes', maxFileBytes) }),
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`--${name} must be a whole number.\n${USAGE}`)
  return Number(text)
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
