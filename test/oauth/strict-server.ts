import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerAbout, type VendorName, vendors } from './vendors.ts'

export const client = { id: '0123456789abcdef', secret: 'client-secret-of-ours' }

interface Grant {
  vendor: VendorName
  account: number
  scope: string
  isOver: boolean
}
interface Code {
  grant: Grant
  redirectUri: string
  challenge: string | null
  isUsed: boolean
}
interface Answer {
  status: number
  body: unknown
}
interface Asked {
  method: string
  path: string
  form: Record<string, string>
  headers: IncomingMessage['headers']
}

/** RFC 6749, 2.3.1: both parts are form-encoded. */
const readBasic = (header = '') => decodeURIComponent(atob(header.replace('Basic ', '')))

/**
 * The sign-in of every vendor on one address, each under `/<its host>`. As strict as RFC 6749 and RFC 9700 allow:
 * codes work once, redirect addresses match exactly, and a code or rotated refresh token that is used again ends the
 * grant.
 */
export async function startStrictServer() {
  const codes = new Map<string, Code>()
  const refreshes = new Map<string, { grant: Grant; isUsed: boolean }>()
  const tokens = new Map<string, Grant>()
  const grants: Grant[] = []
  const asked: Asked[] = []
  const server = {
    url: '',
    redirectUri: '',
    /** The account whose owner consents. */
    account: 1,
    /** The owner's answer. */
    isAllowed: true,
    /** The scope that the owner allows; all that was asked for if null. */
    scope: null as string | null,
    asked,
    /** Changes the next answer of a token endpoint, after the server has acted. May wait, or throw to cut the line. */
    change: null as ((answer: Answer) => Answer | Promise<Answer>) | null,
    /** Answers a request for tokens without acting on it. */
    instead: null as Answer | null,
    /** Changes the answers of the APIs. */
    changeApi: null as ((answer: Answer) => Answer) | null,
    /** Ends the access tokens, as time does. */
    expire: () => tokens.clear(),
    /** Ends every grant, as its owner can. */
    withdraw: () => {
      for (const grant of grants) grant.isOver = true
    },
    /** Whether the vendor still knows the grant of this account. */
    hasGrant: (vendor: VendorName, account: number) =>
      grants.some((one) => one.vendor === vendor && one.account === account && !one.isOver),
    isOpen: (token: string) => tokens.get(token)?.isOver === false,
    close: () => new Promise<void>((done) => http.close(() => done())),
  }

  const issue = (grant: Grant): Answer => {
    const { rotates, answer = {} } = vendors[grant.vendor]
    const access_token = randomBytes(16).toString('hex')
    tokens.set(access_token, grant)
    const known = [...refreshes].find(([, one]) => one.grant === grant && !one.isUsed)?.[0]
    const refresh_token = rotates === null ? undefined : (known ?? randomBytes(20).toString('hex'))
    if (refresh_token) refreshes.set(refresh_token, { grant, isUsed: false })
    const told = { token_type: 'bearer', access_token, refresh_token, scope: grant.scope || undefined, ...answer }
    return { status: 200, body: told }
  }
  const end = (grant: Grant): Answer => {
    grant.isOver = true
    return { status: 400, body: { error: 'invalid_grant' } }
  }
  const no = (error: string, status = 400): Answer => ({ status, body: { error } })

  function authorize(vendor: VendorName, query: URLSearchParams): { location: string } | Answer {
    const { pkce, deniedAs = 'access_denied' } = vendors[vendor]
    const redirectUri = query.get('redirect_uri')
    if (query.get('client_id') !== client.id || redirectUri !== server.redirectUri) return no('invalid_request')
    const state = query.get('state')
    if (query.get('response_type') !== 'code' || !state) return no('invalid_request')
    const challenge = query.get('code_challenge')
    if ((challenge !== null) !== pkce) return no('invalid_request')
    const back = new URL(redirectUri)
    back.searchParams.set('state', state)
    if (!server.isAllowed) back.searchParams.set('error', deniedAs)
    else {
      const code = randomBytes(16).toString('hex')
      const grant = { vendor, account: server.account, scope: server.scope ?? query.get('scope') ?? '', isOver: false }
      grants.push(grant)
      codes.set(code, { grant, redirectUri, challenge, isUsed: false })
      back.searchParams.set('code', code)
    }
    return { location: back.href }
  }

  const isClient = (vendor: VendorName, { headers, form }: Asked) =>
    vendors[vendor].secretIn === 'header'
      ? readBasic(headers.authorization) === `${client.id}:${client.secret}` && form.client_secret === undefined
      : headers.authorization === undefined && form.client_id === client.id && form.client_secret === client.secret

  function token(vendor: VendorName, request: Asked): Answer {
    const { form } = request
    if (!isClient(vendor, request)) return no('invalid_client', 401)
    if (form.grant_type === 'refresh_token') {
      const known = refreshes.get(form.refresh_token ?? '')
      if (!known || known.grant.isOver) return no('invalid_grant')
      if (known.isUsed) return end(known.grant)
      if (vendors[vendor].rotates) {
        known.isUsed = true
        for (const [old, grant] of tokens) if (grant === known.grant) tokens.delete(old)
      }
      return issue(known.grant)
    }
    const code = codes.get(form.code ?? '')
    if (form.grant_type !== 'authorization_code' || !code || code.grant.vendor !== vendor) return no('invalid_grant')
    if (code.isUsed) return end(code.grant)
    code.isUsed = true
    const proof = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url')
    if (form.redirect_uri !== code.redirectUri || (code.challenge !== null && proof !== code.challenge))
      return end(code.grant)
    return issue(code.grant)
  }

  /** At some vendors this removes the app, and with it every grant of the account. */
  function endGrant(vendor: VendorName, grant: Grant | undefined): Answer {
    for (const one of grants) {
      const isSame = vendors[vendor].uninstalls && one.vendor === vendor && one.account === grant?.account
      if (one === grant || isSame) one.isOver = true
    }
    return { status: 200, body: {} }
  }

  /** RFC 7009 */
  function revoke(vendor: VendorName, request: Asked): Answer {
    if (!isClient(vendor, request)) return no('invalid_client', 401)
    const given = request.form.token ?? ''
    // HubSpot revokes refresh tokens only.
    if (tokens.has(given) && vendor === 'hubspot') return no('invalid_request')
    tokens.delete(given)
    const known = refreshes.get(given)
    // Against RFC 7009, which asks for 200.
    if (known?.grant.isOver) return { status: 400, body: { status: 'BAD_REFRESH_TOKEN', message: 'unknown token' } }
    return known ? endGrant(vendor, known.grant) : { status: 200, body: {} }
  }

  function callApi(vendor: VendorName, path: string, { method, headers }: Asked): Answer {
    const grant = tokens.get(String(headers.authorization).replace('Bearer ', ''))
    if (!grant || grant.isOver || grant.vendor !== vendor) return no('unauthorized', 401)
    if (`${method} ${path}` === vendors[vendor].end) return endGrant(vendor, grant)
    const answer = { status: 200, body: answerAbout(path, grant.account) }
    return server.changeApi?.(answer) ?? answer
  }

  const http = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const url = new URL(String(request.url), 'http://unused')
    const [, host = '', ...rest] = url.pathname.split('/')
    const path = `/${rest.join('/')}`
    const found = Object.entries(vendors).find(([, { hosts }]) => hosts.includes(host))
    const vendor = found?.[0] as VendorName
    const rules = found?.[1]
    if (rules && path === rules.authorize) {
      const answer = authorize(vendor, url.searchParams)
      if ('location' in answer) response.writeHead(302, answer).end()
      else response.writeHead(answer.status).end(JSON.stringify(answer.body))
      return
    }
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const form = isForm ? Object.fromEntries(new URLSearchParams(text)) : {}
    const one: Asked = { method: String(request.method), path: `/${host}${path}`, form, headers: request.headers }
    asked.push(one)
    const send = ({ status, body }: Answer) => {
      const isHtml = typeof body === 'string'
      response.writeHead(status, { 'content-type': isHtml ? 'text/html' : 'application/json' })
      response.end(isHtml ? body : JSON.stringify(body))
    }
    if (!rules) return send(no('not_found', 404))
    if (path === rules.revoke) return send(revoke(vendor, one))
    if (path !== rules.token) return send(callApi(vendor, path, one))
    const { change, instead } = server
    Object.assign(server, { change: null, instead: null })
    if (instead) return send(instead)
    try {
      const answer = token(vendor, one)
      send(change ? await change(answer) : answer)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return server
}
