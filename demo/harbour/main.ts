import { parseArgs } from 'node:util'
import { runUntilStopped } from '../run-until-stopped.ts'
import type { WherryAccess } from './follow-imports.ts'
import { type HarbourOptions, startHarbour } from './harbour.ts'

const USAGE = `node demo/harbour/main.ts --data <file> --token <API token>
  [--port 4002] [--public-url http://127.0.0.1:4002] [--admin-key <key>] [--max-file-bytes 20971520] [--carries]
  [--wherry-url http://localhost:4000/api/v2.1 --wherry-token <API token> --webhook-secret <secret>]
In the environment instead: HARBOUR_TOKEN, WHERRY_URL, WHERRY_TOKEN, WHERRY_WEBHOOK_SECRET.`

await runUntilStopped(
  'Harbour',
  async () => startHarbour(readOptions()),
  ({ url, baseUrl }) => `Harbour: ${url} (destination protocol: ${baseUrl})`,
)

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
      carries: { type: 'boolean' },
      'wherry-url': text,
      'wherry-token': text,
      'webhook-secret': text,
    },
  })
  const { env } = process
  const {
    data,
    token = env.HARBOUR_TOKEN,
    'public-url': publicUrl,
    'admin-key': adminKey,
    'max-file-bytes': maxFileBytes,
  } = values
  if (!data || !token) throw new Error(`--data and --token are needed.\n${USAGE}`)
  const wherry = readAccess({
    baseUrl: values['wherry-url'] ?? env.WHERRY_URL,
    apiToken: values['wherry-token'] ?? env.WHERRY_TOKEN,
    webhookSecret: values['webhook-secret'] ?? env.WHERRY_WEBHOOK_SECRET,
  })
  return {
    port: wholeNumber('port', values.port),
    dataFile: data,
    token,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(adminKey !== undefined && { adminKey }),
    ...(maxFileBytes !== undefined && { maxFileBytes: wholeNumber('max-file-bytes', maxFileBytes) }),
    ...(values.carries && { carries: true }),
    ...(wherry && { wherry }),
  }
}

/** The three options are needed together: with fewer, half of the import page would not work. */
function readAccess({ baseUrl, apiToken, webhookSecret }: { [K in keyof WherryAccess]: string | undefined }) {
  if (!baseUrl && !apiToken && !webhookSecret) return null
  if (!baseUrl || !apiToken || !webhookSecret || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new Error(`--wherry-url (http or https), --wherry-token and --webhook-secret belong together.\n${USAGE}`)
  }
  return { baseUrl, apiToken, webhookSecret }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`--${name} must be a whole number.\n${USAGE}`)
  return Number(text)
}
