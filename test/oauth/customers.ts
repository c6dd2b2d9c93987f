import { findAccess } from '../../service/src/accounts/sealed-access.ts'
import { setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { readConfig } from '../../service/src/config.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { startTestService } from '../support/service.ts'
import { client, startStrictServer } from './strict-server.ts'
import { connectorsAt, type VendorName, vendorNames, vendors } from './vendors.ts'

/** The service with a client at every vendor, and customers who sign in there. */
export async function startCustomers() {
  await using cleanup = new AsyncDisposableStack()
  const server = await startStrictServer()
  cleanup.defer(() => server.close())
  const connectors = connectorsAt(() => server.url)
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  const service = await startTestService({ connectors, config: { rateLimit: 0, allowedNetworks } })
  cleanup.defer(() => service.close())
  const outbound = createOutbound(allowedNetworks)
  cleanup.defer(() => outbound.close())
  const { db, keyRing, origin } = service
  server.redirectUri = `http://localhost:${service.port}/portal/oauth/callback`
  const partner = await service.createPartner({ families: ['helpdesk', 'crm'] })
  for (const tool of vendorNames) {
    const instance = tool === 'zendesk' ? String(vendors.zendesk.place) : null
    await setOAuthClient(db, { keyRing, connectors }, { tool, instance, clientId: client.id, secret: client.secret })
  }

  /** A customer who has opened an import from this tool. */
  async function open(tool: VendorName) {
    const body = { source_tool: tool, family: vendors[tool].family }
    const { json: created } = await partner.call('POST', '/api/v2.1/imports', body)
    const session = await fetch(`${origin}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: created.id, token: created.token }),
    })
    const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
    const id: string = created.id
    const act = async (method: string, path: string, payload?: object) => {
      const answer = await fetch(`${origin}/portal/imports/${id}${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie },
        ...(payload && { body: JSON.stringify(payload) }),
      })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    }
    const begin = async () =>
      String((await act('POST', '/accounts/source/sign-in', { instance: vendors[tool].place ?? '' })).json.redirect_to)
    /** Answers at the vendor; the address to which the vendor sends the browser back. */
    const consent = async (address?: string) => {
      const answer = await fetch(address ?? (await begin()), { redirect: 'manual' })
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`the vendor answered ${answer.status} ${await answer.text()}`)
      return location
    }
    /** Comes back; how that ended: nothing if the account is connected. */
    const comeBack = async (address: string, own = cookie) => {
      const answer = await fetch(address, { redirect: 'manual', headers: { cookie: own } })
      return String(answer.headers.get('location')).replace(`/imports/${id}`, '')
    }
    return {
      id,
      cookie,
      act,
      begin,
      consent,
      comeBack,
      signIn: async () => comeBack(await consent()),
      access: () => findAccess(db, keyRing, id, 'source'),
      state: async () => (await act('GET', '')).json.source as { access: string; account: string | null },
    }
  }
  const running = cleanup.move()
  return {
    ...{ server, db, outbound, open },
    /** Everything that was logged. */
    log: service.log,
    parts: { db, keyRing, connectors, outbound },
    close: () => running.disposeAsync(),
  }
}

export type Customers = Awaited<ReturnType<typeof startCustomers>>
export type Customer = Awaited<ReturnType<Customers['open']>>
