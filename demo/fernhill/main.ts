import { parseArgs } from 'node:util'
import { runUntilStopped } from '../run-until-stopped.ts'
import { DEFAULT_REQUESTS_PER_SECOND, DEFAULT_SEEDED_AT, type FernhillOptions, startFernhill } from './fernhill.ts'

const USAGE = `node demo/fernhill/main.ts --data <file> --api-key <key> (or FERNHILL_API_KEY in the environment)
  [--port 4001] [--public-url http://127.0.0.1:4001] [--tickets 120] [--rate-limit ${DEFAULT_REQUESTS_PER_SECOND}]
  [--now ${DEFAULT_SEEDED_AT.toISOString()}]
  [--oauth-client <id> --oauth-redirect <address>, with FERNHILL_OAUTH_SECRET in the environment]`

await runUntilStopped(
  'Fernhill Desk',
  async () => startFernhill(readOptions()),
  ({ url }) => `Fernhill Desk: ${url} (API: ${url}/api/v1)`,
)

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
      'oauth-client': text,
      'oauth-redirect': text,
    },
  })
  const {
    data,
    'api-key': apiKey = process.env.FERNHILL_API_KEY,
    'public-url': publicUrl,
    tickets,
    'rate-limit': rateLimit,
    now,
  } = values
  if (!data || !apiKey) throw new Error(`--data and --api-key are needed.\n${USAGE}`)
  const seededAt = now === undefined ? DEFAULT_SEEDED_AT : new Date(now)
  if (Number.isNaN(seededAt.getTime())) throw new Error(`--now must be an ISO 8601 time.\n${USAGE}`)
  return {
    port: wholeNumber('port', values.port),
    dataFile: data,
    apiKey,
    seededAt,
    ...(publicUrl !== undefined && { publicUrl }),
    ...readSignIn(values['oauth-client'], values['oauth-redirect']),
    ...(tickets !== undefined && { tickets: wholeNumber('tickets', tickets) }),
    ...(rateLimit !== undefined && { requestsPerSecond: wholeNumber('rate-limit', rateLimit) }),
  }
}

function readSignIn(clientId: string | undefined, redirect: string | undefined): Pick<FernhillOptions, 'signIn'> {
  const clientSecret = process.env.FERNHILL_OAUTH_SECRET
  if (clientId === undefined && redirect === undefined) return {}
  if (!clientId || !redirect || !clientSecret || !URL.canParse(redirect)) {
    throw new Error(`A client needs an id, a secret and the address that people are sent back to.\n${USAGE}`)
  }
  return { signIn: { clientId, clientSecret, clientName: 'Wherry', redirectUris: [redirect] } }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number.\n${USAGE}`)
  return Number(text)
}
