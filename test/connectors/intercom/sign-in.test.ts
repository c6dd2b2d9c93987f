import { afterEach, expect, test } from 'vitest'
import { exchangeCode } from '../../../service/src/authorizations/oauth-server.ts'
import { intercom } from '../../../service/src/connectors/helpdesk/intercom/index.ts'
import { oauthCode } from '../../twins/intercom/rules.ts'
import { startIntercomTwin } from '../../twins/intercom/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// Tests for people who sign in to Intercom instead of typing a token.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const offer = intercom.source?.oauth
if (!offer) throw new Error('people can sign in to Intercom')

test('each region has its own sign-in', () => {
  for (const [region, part] of Object.entries({ US: '', EU: '.eu', AU: '.au' })) {
    expect(offer.at(region)).toEqual({
      issuer: `https://app${part}.intercom.com`,
      authorization: `https://app${part}.intercom.com/oauth`,
      token: `https://api${part}.intercom.io/auth/eagle/token`,
      ownRevocation: { method: 'POST', url: `https://api${part}.intercom.io/auth/uninstall` },
    })
  }
})

test('a code is exchanged for a token that never expires, which opens the account; a wrong code is refused', async () => {
  const twin = await startIntercomTwin()
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const state = 's'.repeat(43)
  const exchange = (code: string) =>
    exchangeCode(
      {
        offer,
        endpoints: { ...offer.at('US'), token: `${twin.url}/auth/eagle/token` },
        client: { clientId: 'client', secret: 'secret' },
        outbound,
      },
      {
        parameters: new URLSearchParams({ code, state }),
        ...{ state, codeVerifier: '', limitMs: 60_000 },
        redirectUri: 'https://wherry.example/portal/oauth/callback',
      },
    )
  const { accessToken, refreshToken, renewAt } = await exchange(oauthCode)
  expect([refreshToken ?? null, renewAt ?? null]).toEqual([null, null])
  const access = { instanceUrl: twin.url, username: null, token: accessToken }
  const account = { access, outbound, signal: AbortSignal.timeout(60_000) }
  await expect(intercom.source?.checkAccount(account)).resolves.toMatchObject({ id: expect.any(String) })
  await expect(exchange('another')).rejects.toMatchObject({ code: 'authorization_lost' })
  twin.expectNoViolations()
})
