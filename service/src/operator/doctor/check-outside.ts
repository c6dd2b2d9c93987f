import { lookup } from 'node:dns/promises'
import type { Config } from '../../config.ts'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { broken, type Finding, fine, reasonOf, worth } from './finding.ts'

const limitMs = 5_000

export function checkOutside(config: Config, name: string): Promise<Finding[]> {
  return Promise.all([checkMail(config), checkNames(name), checkNetworks(config), checkOrigin(config)])
}

/** Connects to the mail server and signs in, without sending a mail. */
async function checkMail({ smtpUrl }: Config): Promise<Finding> {
  const check = 'mail'
  if (smtpUrl === null) return fine(check, 'No mail server is set: mails stay in the outbox ("wherry mail list").')
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    dnsTimeout: limitMs,
    socketTimeout: limitMs,
  })
  const { host } = new URL(smtpUrl)
  try {
    await transport.verify()
    return fine(check, `The mail server ${host} accepts us.`)
  } catch (error) {
    const fix = 'Check host, port, user and password in SMTP_URL, and that this machine may connect to that port.'
    return broken(check, `The mail server ${host} does not accept us: ${reasonOf(error)}.`, fix)
  } finally {
    transport.close()
  }
}

async function checkNames(name: string): Promise<Finding> {
  const check = 'names'
  try {
    const addresses = await Promise.race([lookup(name, { all: true }), late()])
    return fine(check, `${name} resolves to ${addresses[0]?.address ?? 'nothing'}.`)
  } catch (error) {
    return broken(
      check,
      `The name ${name} does not resolve: ${reasonOf(error)}.`,
      'Check /etc/resolv.conf. In a network without public names, pass one of yours: "wherry doctor --resolve desk.example.com".',
    )
  }
}

function late(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs).unref()
  })
}

/** Addresses that requests of customers or partners must never reach. */
const dangerous = [
  ['this machine', 'http://127.0.0.1:22/'],
  ['the metadata service of clouds', 'http://169.254.169.254/'],
  ['private networks', 'http://10.0.0.1/'],
] as const

async function checkNetworks({ allowedNetworks }: Config): Promise<Finding> {
  const check = 'refused networks'
  const guard = createAddressGuard(allowedNetworks)
  const open = dangerous.filter(([, url]) => {
    try {
      guard.vetUrl(new URL(url))
      return true
    } catch {
      return false
    }
  })
  if (open.length === 0) return fine(check, 'Requests into private networks are refused.')
  return worth(
    check,
    `WHERRY_ALLOWED_NETWORKS lets customers and partners make the service connect to ${open.map(([what]) => what).join(', ')}.`,
    'Name single hosts and ports instead of whole networks, such as 10.0.0.7:443.',
  )
}

async function checkOrigin({ origin, port, host }: Config): Promise<Finding> {
  const check = 'origin'
  // With port 0 the service chooses any free port, so the address is unknown.
  if (origin === null && port === 0) return fine(check, 'WHERRY_ORIGIN is not set, and PORT is any free one.')
  const address = origin ?? `http://${host === '0.0.0.0' || host === '127.0.0.1' ? '127.0.0.1' : host}:${port}`
  const failure = await askHealth(address)
  if (failure !== null) {
    const fix =
      'Check that the API runs, that the proxy passes requests on, and that WHERRY_ORIGIN is its public address.'
    return broken(check, `${address}/healthz does not answer as it should: ${failure}.`, fix)
  }
  if (origin === null)
    return worth(
      check,
      `The API answers at ${address}, but WHERRY_ORIGIN is not set: links point to localhost.`,
      'Set WHERRY_ORIGIN to the address that partners and customers use.',
    )
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:' || /^(localhost|127\.|\[::1\])/.test(hostname)) return fine(check, `${origin} answers.`)
  return worth(
    check,
    `${origin} answers without encryption: tokens and links can be read on the way.`,
    'Put a proxy that speaks TLS in front, and set WHERRY_ORIGIN to its https address.',
  )
}

/** Null if the address answers, otherwise the reason. */
async function askHealth(address: string): Promise<string | null> {
  try {
    const answer = await fetch(`${address}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) })
    const text = await answer.text()
    return answer.status === 200 && text.includes('"ok"') ? null : `status ${answer.status}`
  } catch (error) {
    return reasonOf((error as Error).cause ?? error)
  }
}
