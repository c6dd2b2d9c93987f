import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAccess, replaceAccess } from '../../service/src/accounts/sealed-access.ts'
import { setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type Journey, startJourney } from '../engine/journey.ts'
import { testKeys } from '../support/service.ts'
import { oauthClient } from '../twins/hubspot/oauth.ts'
import { type HubspotTwin, startHubspotTwin } from '../twins/hubspot/twin.ts'

// Runs into an account whose access tokens end all the time, and whose refresh tokens work once.

const limit = { timeout: 900_000 }
const keyRing = parseKeyRing(testKeys)
let cleanup: AsyncDisposableStack
let twin: HubspotTwin
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  twin = await startHubspotTwin()
  cleanup.defer(() => twin.close())
})
afterEach(() => cleanup.disposeAsync())

/** Makes the twin strict: a token ends after this many requests, and a refresh token works once. */
function makeStrict(requestsPerToken = 9) {
  const strict = { refreshToken: '', renewals: 0, left: 0, loses: (_renewal: number) => false }
  const signIn = () => {
    strict.left = requestsPerToken
    strict.refreshToken = randomUUID()
    return { token: twin.oauth.install().access_token, refreshToken: strict.refreshToken }
  }
  twin.faults.when(({ url }) => {
    if (url.pathname !== '/oauth/2026-03/token') {
      strict.left -= 1
      if (strict.left === 0) twin.oauth.uninstall()
      return null
    }
    return {
      kind: 'instead',
      respond(response, { bytes }) {
        const given = new URLSearchParams(bytes.toString()).get('refresh_token')
        const isKnown = given === strict.refreshToken && given !== ''
        // A used refresh token ends the grant.
        if (!isKnown) strict.refreshToken = ''
        const { token: access_token, refreshToken: refresh_token } = isKnown
          ? signIn()
          : { token: '', refreshToken: '' }
        strict.renewals += 1
        if (strict.loses(strict.renewals)) {
          response.destroy()
          return
        }
        response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' })
        const told = { token_type: 'bearer', access_token, refresh_token, expires_in: 1800 }
        response.end(JSON.stringify(isKnown ? told : { error: 'invalid_grant', status: 'BAD_REFRESH_TOKEN' }))
      },
    }
  })
  return { strict, signIn }
}

type Tokens = { token: string; refreshToken: string }

/** The customer signs in. */
async function connect({ db, importId }: Journey, { token, refreshToken }: Tokens): Promise<void> {
  const oauth = { grantId: randomUUID(), instance: '', refreshToken, renewAt: null }
  const access = { instanceUrl: twin.url, username: null, token, oauth }
  await db.transaction().execute((tx) => replaceAccess(tx, keyRing, { importId, role: 'destination', access }))
}

async function start(signIn: () => Tokens): Promise<Journey> {
  const journey = await startJourney({ destination: { tool: 'hubspot', url: twin.url, connectors: [] } })
  cleanup.defer(() => journey.close())
  const client = { tool: 'hubspot', instance: null, clientId: oauthClient.id, secret: oauthClient.secret }
  await setOAuthClient(journey.db, { keyRing, connectors }, client)
  await journey.connectSource()
  await journey.connectDestination(twin.access.token)
  await connect(journey, signIn())
  return journey
}

/** Each record of the desk is there once. The ticket without a subject gets one from the connector. */
async function expectEachOnce(journey: Journey): Promise<void> {
  expect((await journey.status()).status_code).toBe('migration_completed')
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['entity', 'destination_id'])
    .where('state', '=', 'written')
    .execute()
  const ids = rows.map(({ entity, destination_id }) => `${entity} ${destination_id}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(twin.account.things.tickets.size()).toBe(120)
  expect(rows.filter(({ entity }) => entity === 'tickets')).toHaveLength(120)
  expect(twin.account.files.size()).toBe(rows.filter(({ entity }) => entity === 'attachments').length)
}

test('a run whose tokens end every few requests, also during uploads, copies each record once', limit, async () => {
  const { strict, signIn } = makeStrict()
  const journey = await start(signIn)
  await journey.work(await journey.start('full'))
  expect(strict.renewals).toBeGreaterThan(10)
  await expectEachOnce(journey)
})

test('after a lost renewal the run pauses, says so, and goes on when the customer has signed in', limit, async () => {
  const { strict, signIn } = makeStrict()
  const journey = await start(signIn)
  strict.loses = (renewal) => renewal === 4
  const runId = await journey.start('full')
  await journey.work(runId)
  const { warnings } = await journey.status()
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'authorization_lost', entity: 'run' }))
  const held = await findAccess(journey.db, keyRing, journey.importId, 'destination')
  for (const secret of [held?.token, held?.oauth?.refreshToken]) expect(JSON.stringify(warnings)).not.toContain(secret)
  await connect(journey, signIn())
  expect(await journey.resume()).toBe(true)
  await journey.work(runId)
  await expectEachOnce(journey)
})
