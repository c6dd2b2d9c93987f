import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { loadConnectors } from '../../service/src/connectors/load-connectors.ts'

export const appKey = 'ab'.repeat(16)
export const userToken = 'desk/token.1'

/**
 * A desk that needs two secrets, and has a sign-in with every peculiarity: regions, no PKCE, the secret in the body.
 */
export async function startKeyedDesk() {
  const asked: { path: string; headers: Record<string, unknown>; body: string }[] = []
  const tokens = new Set([userToken])
  let refreshes = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const path = String(request.url)
    asked.push({ path, headers: request.headers, body })
    const say = (status: number, json: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(json))
    }
    if (path.endsWith('/token')) {
      const given = new URLSearchParams(body)
      const isFine = given.get('client_secret') === 'desk-secret' && !given.has('code_verifier')
      if (!isFine || request.headers.authorization) return say(401, { error: 'invalid_client' })
      const isRefresh = given.get('grant_type') === 'refresh_token'
      if (isRefresh) refreshes++
      const access_token = isRefresh ? `renewed-${refreshes}` : `token-of-${given.get('code')}`
      tokens.add(access_token)
      const nonsense = refreshes > 1 ? { api_domain: { eu: true }, expires_in: 1e300 } : {}
      const isBare = isRefresh || given.get('code') === 'bare'
      const more = isBare ? nonsense : { api_domain: `http://${request.headers.host}/eu` }
      return say(200, { access_token, token_type: 'bearer', refresh_token: 'again', scope: 'read', ...more })
    }
    const token = String(request.headers.authorization).replace('Bearer ', '')
    const isKeyed = request.headers['x-app-key'] === appKey || token !== userToken
    return tokens.has(token) && isKeyed ? say(200, { name: 'Garden support' }) : say(401, { error: 'unauthorized' })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    /** Revokes the token. */
    revoke: (token: string) => tokens.delete(token),
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

const code = (url: string) => `
  export default (kit) => ({
    tool: 'keyed', label: 'Keyed Desk', families: ['helpdesk'], movesBetweenInstances: false,
    words: {
      en: {
        app_key: { label: 'App key', hint: 'In Keyed Desk: Settings, Apps.', mismatch: 'An app key has 32 characters.' },
        token: { label: 'User token' },
      },
      de: { app_key: { label: 'App-Schlüssel', hint: 'In Keyed Desk: Settings, Apps.', mismatch: 'Ein App-Schlüssel hat 32 Zeichen.' } },
    },
    source: {
      requires: [
        'instanceUrl',
        { name: 'app_key', isSecret: true, pattern: '[0-9a-f]{32}', example: '${'0123'.repeat(8)}', link: '/settings/apps' },
        { name: 'token', link: 'https://keyed.example/tokens' },
      ],
      oauth: {
        isPerInstance: false, regions: ['EU', 'US'], scopes: ['read'], usesPkce: false, sendsSecretInBody: true,
        keeps: ['api_domain'],
        at: (region) => ({
          issuer: '${url}', authorization: '${url}/' + region + '/authorize', token: '${url}/' + region + '/token',
        }),
      },
      checkAccount: async ({ access, outbound, signal }) => {
        const headers = { authorization: 'Bearer ' + access.token, 'x-app-key': access.more?.app_key ?? '' }
        const base = access.more?.api_domain ?? access.instanceUrl
        const { status, json } = await kit.callTool(outbound, base + '/me', { headers, signal }, [401])
        if (status === 401) throw new kit.AccountRefusedError('Keyed Desk does not accept this.')
        return { name: json.name }
      },
      open: () => ({
        count: async () => ({}), users: async () => ({ items: [], next: null }), customFields: async () => [],
        read: async () => ({ items: [], warnings: [], next: null }),
        openFile: async () => { throw new kit.FileMissingError('none') },
      }),
    },
  })`

/** The desk's connector, loaded from a folder of the operator. */
export async function loadKeyedDesk(url: string): Promise<Connector> {
  const folder = await mkdtemp(join(tmpdir(), 'keyed-'))
  try {
    await writeFile(join(folder, 'index.mjs'), code(url))
    const { connectors, leftOut } = await loadConnectors([folder])
    const [connector] = connectors.slice(-1)
    if (leftOut.length > 0 || !connector) throw new Error(JSON.stringify(leftOut))
    return connector
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
