import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { OperatorError } from './errors.ts'
import { isMailAddress } from './mail-address.ts'

export const checkoutDir = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export interface Config {
  host: string
  port: number
  /** Public address of the service, without a slash at the end; null means: derived from where it listens. */
  origin: string | null
  /** Null means: the embedded Postgres in `home`. */
  databaseUrl: string | null
  /** The server itself, past a pooler at `databaseUrl`; null means: `databaseUrl`. */
  databaseDirectUrl: string | null
  databasePoolSize: number
  home: string
  /** Key ring as text, see key-ring.ts; null means: the file `keys` in `home`, made at the first start. */
  keys: string | null
  /** Instead: a program and its arguments, whose standard output is the key ring. */
  keysCommand: string[] | null
  /** Accepted requests per partner in any one second; 0 lifts the limit. */
  rateLimit: number
  /** Failed authentications per address in ten seconds before it is slowed down; ten times as many get a 429. */
  failedAuthLimit: number
  /** Largest file that a customer may upload. */
  uploadLimitBytes: number
  allowedNetworks: AllowedNetwork[]
  /** Folders and packages with connectors of the operator's own. */
  connectors: string[]
  trustProxy: string[]
  /** Null means: mails stay in the outbox. */
  smtpUrl: string | null
  /** Set if there is a mail server. */
  mailFrom: Mailbox | null
  logLevel: string
  /** Address at which this process serves its metrics to Prometheus; null when it does not. */
  metrics: ListenAddress | null
  /** Collector of traces, by OTLP over HTTP; null means: nothing is traced. */
  traces: string | null
  /** Card payments; null when they are not offered. */
  stripe: StripeConfig | null
  /** Whether customers can pay by invoice. */
  invoices: boolean
  /**
   * Whether `npm start` runs the demo beside the service; auto means: on an embedded database that was empty at
   * first.
   */
  demo: DemoWish
}

export interface ListenAddress {
  host: string
  port: number
}

export interface StripeConfig {
  secretKey: string
  webhookSecret: string
  apiBase: string
}

export interface Mailbox {
  name: string
  address: string
}

export type DemoWish = 'auto' | 'on' | 'off'

/** A network, optionally one port of it, that outbound requests may reach although it is not public. */
export interface AllowedNetwork {
  address: ipaddr.IPv4 | ipaddr.IPv6
  prefixLength: number
  port: number | null
}

type Environment = Record<string, string | undefined>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The only reader of the environment. Names every problem at once, so that one edit is enough. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const read = <T>(name: string, fallback: T, parse: (text: string) => T): T => {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
      return fallback
    }
  }
  const stripe = readStripe(read, problems)
  const config: Config = {
    host: read('HOST', '127.0.0.1', (text) => text),
    port: read('PORT', 4000, wholeNumber(0, 65_535)),
    origin: read('WHERRY_ORIGIN', null, parseOrigin),
    databaseUrl: read('DATABASE_URL', null, parseDatabaseUrl),
    databaseDirectUrl: read('WHERRY_DATABASE_DIRECT_URL', null, parseDatabaseUrl),
    databasePoolSize: read('WHERRY_DATABASE_POOL', 10, wholeNumber(2, 1000)),
    home: read('WHERRY_HOME', resolve(checkoutDir, '.wherry'), (text) => resolve(text.replace(/^~(?=\/)/, homedir()))),
    keys: read('WHERRY_KEYS', null, (text) => text),
    keysCommand: read('WHERRY_KEYS_COMMAND', null, parseCommand),
    rateLimit: read('WHERRY_RATE_LIMIT', 10, wholeNumber(0, 1000)),
    failedAuthLimit: read('WHERRY_FAILED_AUTH_LIMIT', 100, wholeNumber(1, 1_000_000)),
    uploadLimitBytes: read('WHERRY_UPLOAD_LIMIT', 2048, wholeNumber(1, 1_000_000)) * 1024 ** 2,
    allowedNetworks: read('WHERRY_ALLOWED_NETWORKS', [], (text) => list(text).map(parseNetwork)),
    connectors: read('WHERRY_CONNECTORS', [], list),
    trustProxy: read('WHERRY_TRUST_PROXY', [], (text) => list(text).map(requireCidr)),
    smtpUrl: read('SMTP_URL', null, parseSmtpUrl),
    mailFrom: read('MAIL_FROM', null, parseMailbox),
    logLevel: read('WHERRY_LOG_LEVEL', 'info', oneOf(logLevels)),
    metrics: read('WHERRY_METRICS', null, parseListenAddress),
    traces: read('OTEL_EXPORTER_OTLP_ENDPOINT', null, parseWebAddress),
    stripe,
    invoices: read('WHERRY_INVOICES', stripe ? 'off' : 'on', oneOf(['on', 'off'])) === 'on',
    demo: read('WHERRY_DEMO', 'auto' as DemoWish, oneOf(['auto', 'on', 'off'])),
  }
  if (config.databaseDirectUrl && !env.DATABASE_URL?.trim()) {
    problems.push('WHERRY_DATABASE_DIRECT_URL must not be set without DATABASE_URL, which names the same database')
  }
  if (config.keys !== null && env.WHERRY_KEYS_COMMAND?.trim()) {
    problems.push('WHERRY_KEYS_COMMAND must not be set beside WHERRY_KEYS: leave one of them out')
  }
  if (!config.stripe && !config.invoices) {
    problems.push('WHERRY_INVOICES must not be off without STRIPE_SECRET_KEY: customers could not pay')
  }
  if (config.smtpUrl && !config.mailFrom && !env.MAIL_FROM?.trim()) {
    problems.push('MAIL_FROM must say whom mails come from, such as Wherry <import@example.com>, when SMTP_URL is set')
  }
  if (config.smtpUrl && !config.origin && !env.WHERRY_ORIGIN?.trim()) {
    problems.push('WHERRY_ORIGIN must be set when SMTP_URL is: mails carry links to it')
  }
  if (config.metrics && config.metrics.port !== 0 && config.metrics.port === config.port) {
    problems.push('WHERRY_METRICS must name another port than PORT: these numbers are not for the public')
  }
  if (problems.length > 0) {
    throw new OperatorError(`The configuration has problems:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
  }
  return config
}

/** Words between spaces or, where a word has spaces of its own, a JSON list of words. No shell reads them. */
function parseCommand(text: string): string[] {
  if (!text.startsWith('[')) return text.split(/\s+/)
  const words = parseJsonList(text)
  if (words?.length && words.every((word): word is string => typeof word === 'string' && word !== '')) return words
  throw new Error('must be a command such as: pass show wherry/keys, or a JSON list of its words')
}

function parseJsonList(text: string): unknown[] | null {
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    return null
  }
}

type Read = <T>(name: string, fallback: T, parse: (text: string) => T) => T

function readStripe(read: Read, problems: string[]): StripeConfig | null {
  // Not quoted in the messages: they are secrets, or a piece of one.
  const secretKey = read('STRIPE_SECRET_KEY', null as string | null, beginsWith('sk_', 'rk_'))
  const webhookSecret = read('STRIPE_WEBHOOK_SECRET', null as string | null, beginsWith('whsec_'))
  const apiBase = read('STRIPE_API_BASE', 'https://api.stripe.com', parseOrigin)
  if (secretKey !== null && webhookSecret !== null) return { secretKey, webhookSecret, apiBase }
  const isTold = problems.some((problem) => problem.startsWith('STRIPE_'))
  if (!isTold && secretKey !== null) problems.push('STRIPE_WEBHOOK_SECRET is missing: STRIPE_SECRET_KEY needs it')
  if (!isTold && webhookSecret !== null) problems.push('STRIPE_SECRET_KEY is missing: STRIPE_WEBHOOK_SECRET needs it')
  return null
}

function beginsWith(...prefixes: string[]) {
  return (text: string): string => {
    if (prefixes.some((prefix) => text.startsWith(prefix))) return text
    throw new Error(`must begin with ${prefixes.join(' or ')}`)
  }
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${text}"`)
    }
    return value
  }
}

function oneOf<T extends string>(values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((candidate) => candidate === text)
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}, not "${text}"`)
    return value
  }
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '')) {
    throw new Error(`must be an http or https origin such as https://import.example.com, not "${text}"`)
  }
  return url.origin
}

function parseWebAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  // Not quoted: the address may carry a password.
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an address such as http://collector:4318')
  return text
}

function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    throw new Error(`must be a host and a port such as 127.0.0.1:9464 or [::1]:9464, not "${text}"`)
  }
  return { host, port: Number(port) }
}

function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    // Not quoted: the address usually carries a password.
    throw new Error('must be an address such as postgres://user:password@host:5432/database')
  }
  return text
}

function parseSmtpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    // Not quoted: the address usually carries a password.
    throw new Error('must be an address such as smtp://user:password@host:587 or smtps://user:password@host:465')
  }
  return text
}

function parseMailbox(text: string): Mailbox {
  const [, name = '', bracketed] = /^([^<>"\r\n]*)<([^<>]+)>$/.exec(text) ?? []
  const address = bracketed ?? text
  if (!isMailAddress(address)) {
    throw new Error(`must be an address such as import@example.com or Wherry <import@example.com>, not "${text}"`)
  }
  return { name: name.trim(), address }
}

function requireCidr(text: string): string {
  try {
    text.includes('/') ? ipaddr.parseCIDR(text) : ipaddr.parse(text)
  } catch {
    throw new Error(`must list addresses or networks such as 10.0.0.0/8, not "${text}"`)
  }
  return text
}

export function parseNetwork(text: string): AllowedNetwork {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d+))?$/.exec(text) ?? []
  // An IPv6 network needs brackets only with a port.
  const isBareV6 = plain !== undefined && text.split(':').length > 2
  const network = isBareV6 ? text : (bracketed ?? plain ?? text)
  const port = isBareV6 || portText === undefined ? null : Number(portText)
  try {
    if (port !== null && (port < 1 || port > 65_535)) throw new Error()
    const cidr = network.includes('/') ? network : `${network}/${network.includes(':') ? 128 : 32}`
    const [address, prefixLength] = ipaddr.parseCIDR(cidr)
    return { address, prefixLength, port }
  } catch {
    throw new Error(
      `must list networks such as 10.0.0.0/8, 127.0.0.1:4002 (one port) or [::1]:4002, not "${text.slice(0, 100)}"`,
    )
  }
}
