import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAccess, replaceAccess } from '../../../service/src/accounts/sealed-access.ts'
import { setOAuthClient } from '../../../service/src/authorizations/oauth-clients.ts'
import { exchangeCode } from '../../../service/src/authorizations/oauth-server.ts'
import { hubspot } from '../../../service/src/connectors/crm/hubspot/index.ts'
import { connectors } from '../../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../../service/src/key-ring.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { testKeys } from '../../support/service.ts'
import { minuteMs } from '../../twins/clock.ts'
import { firstVersionEnds, oauthClient } from '../../twins/hubspot/oauth.ts'
import { seedCrm } from '../../twins/hubspot/seed.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// HubSpot accounts that people signed in to, with tokens that are valid for 30 minutes.

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

/** An import from HubSpot whose customer has signed in there. */
async function startSignedIn(): Promise<{ journey: Journey; first: string }> {
  seedCrm(twin.account, twin.owners)
  twin.clock.advance(minuteMs)
  const journey = await startJourney({ families: ['crm'], source: { tool: 'hubspot', url: twin.url } })
  cleanup.defer(() => journey.close())
  const { db, importId } = journey
  await db.updateTable('imports').set({ family: 'crm' }).execute()
  const client = { tool: 'hubspot', instance: null, clientId: oauthClient.id, secret: oauthClient.secret }
  await setOAuthClient(db, { keyRing, connectors }, client)
  const { access_token: token, refresh_token: refreshToken } = twin.oauth.install()
  await journey.connectSource(token)
  const oauth = { grantId: 'grant', instance: '', refreshToken, renewAt: null }
  const access = { instanceUrl: twin.url, username: null, token, oauth }
  await db.transaction().execute((tx) => replaceAccess(tx, keyRing, { importId, role: 'source', access }))
  await journey.connectDestination()
  return { journey, first: token }
}

/** Calls `act` once, before the first page of deals is read. */
const beforeDeals = (act: () => void) => {
  let isDone = false
  return twin.faults.when(({ url }) => {
    if (!isDone && url.pathname === '/crm/v3/objects/deals') {
      isDone = true
      act()
    }
    return null
  })
}

test('a run continues when its token expires in the middle, and no record is missing', limit, async () => {
  const { journey, first } = await startSignedIn()
  beforeDeals(() => twin.clock.advance(31 * minuteMs))
  await journey.work(await journey.start('full'))
  const { status_code, items } = await journey.status()
  expect(status_code).toBe('migration_completed')
  expect(twin.oauth.renewals()).toBe(1)
  const { companies, contacts, deals } = twin.account.things
  expect(items).toMatchObject({ accounts: companies.size(), contacts: contacts.size(), deals: deals.size() })
  const access = await findAccess(journey.db, keyRing, journey.importId, 'source')
  expect(access?.token).not.toBe(first)
})

test('when the app is removed in HubSpot, the run pauses and asks the customer to sign in', limit, async () => {
  const { journey } = await startSignedIn()
  beforeDeals(() => twin.oauth.uninstall())
  await journey.work(await journey.start('full'))
  const { warnings } = await journey.status()
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'authorization_lost', entity: 'run' }))
})

test('a code is exchanged for tokens once, also after HubSpot has shut down the first version of its sign-in', async () => {
  twin.clock.advance(Date.parse(firstVersionEnds) + minuteMs - twin.clock.now())
  const offer = hubspot.source?.oauth
  if (!offer) throw new Error('nobody can sign in')
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const redirectUri = 'https://wherry.example/portal/oauth/callback'
  const query = { response_type: 'code', client_id: oauthClient.id, redirect_uri: redirectUri, state: 's'.repeat(43) }
  const path = `${twin.url}/oauth/authorize?${new URLSearchParams({ ...query, scope: offer.scopes.join(' ') })}`
  const { headers } = await fetch(path, { redirect: 'manual' })
  const parameters = new URL(String(headers.get('location'))).searchParams
  const exchange = () =>
    exchangeCode(
      {
        offer,
        endpoints: offer.at(twin.url),
        client: { clientId: oauthClient.id, secret: oauthClient.secret },
        outbound,
      },
      { parameters, state: query.state, codeVerifier: '', redirectUri, limitMs: 60_000 },
    )
  const { accessToken, refreshToken, renewAt } = await exchange()
  expect([refreshToken, renewAt]).toEqual([expect.any(String), expect.any(String)])
  const asked = await fetch(`${twin.url}/crm/v3/owners`, { headers: { authorization: `Bearer ${accessToken}` } })
  expect(asked.status).toBe(200)
  await expect(exchange()).rejects.toMatchObject({ code: 'authorization_lost' })
})
