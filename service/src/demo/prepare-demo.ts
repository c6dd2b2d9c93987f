import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setOAuthClient } from '../authorizations/oauth-clients.ts'
import { type AllowedNetwork, type Config, checkoutDir, parseNetwork } from '../config.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { families } from '../families/index.ts'
import type { KeyRing } from '../key-ring.ts'
import { brandPartner } from '../partners/brand-partner.ts'
import { createPartner } from '../partners/create-partner.ts'
import { type DemoSettings, demoClientId, keepDemoSettings, readDemoSettings } from './demo-settings.ts'
import { findPort, isPortFreeSoon } from './find-port.ts'

const usualPorts = { fernhill: 4001, harbour: 4002 }
/** The colours of Harbour's own pages, set as for any partner. */
const harbourColour = '#0d6b57'
const harbourLogo = resolve(checkoutDir, 'demo/harbour/logo.svg')

export interface PreparedDemo {
  settings: DemoSettings
  /** Programs whose port is held by someone else, so that they cannot start. */
  blocked: readonly ('fernhill' | 'harbour')[]
  /** Addresses that the service must be allowed to reach. */
  networks: AllowedNetwork[]
}

export interface DemoParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  onNotice: (line: string) => void
}

/** Loads the demo's settings, or creates them, if the demo is wanted. Starts nothing. */
export async function prepareDemo(config: Config, parts: DemoParts): Promise<PreparedDemo | null> {
  if (config.demo === 'off' || (config.demo === 'auto' && config.databaseUrl !== null)) return null
  const kept = readDemoSettings(config.home)
  if (kept && (await isAtWork(parts.db, kept.partner.id))) return resumeDemo(await offerSignIn(config, parts, kept))
  if (config.demo === 'auto' && (await hasPartners(parts.db))) return null
  return setUpDemo(config, parts, kept)
}

async function resumeDemo(settings: DemoSettings): Promise<PreparedDemo> {
  const names = ['fernhill', 'harbour'] as const
  const free = await Promise.all(names.map((name) => isPortFreeSoon(settings[name].port)))
  return {
    settings,
    blocked: names.filter((_name, index) => !free[index]),
    networks: names.filter((_name, index) => free[index]).map((name) => networkOf(settings[name].port)),
  }
}

async function setUpDemo(config: Config, parts: DemoParts, kept: DemoSettings | null): Promise<PreparedDemo> {
  const { db, keyRing, connectors, onNotice } = parts
  const choose = async (label: string, wanted: number, taken: number[]) => {
    const port = await findPort(wanted, taken)
    if (port !== wanted) onNotice(`Port ${wanted} is in use by another program, so ${label} takes ${port}.`)
    return port
  }
  const fernhill = await choose('Fernhill Desk', kept?.fernhill.port ?? usualPorts.fernhill, [config.port])
  const harbour = await choose('Harbour', kept?.harbour.port ?? usualPorts.harbour, [config.port, fernhill])
  const partner = await createPartner(
    db,
    { connectors, keyRing },
    {
      name: 'Harbour',
      destination: 'open',
      families: [...families],
      webhookUrl: `http://127.0.0.1:${harbour}/webhooks/wherry`,
    },
  )
  await brandPartner(db, partner.id, { accent: harbourColour, logo: await readFile(harbourLogo) })
  const settings: DemoSettings = {
    partner,
    fernhill: { port: fernhill, api_key: kept?.fernhill.api_key ?? newSecret('desk') },
    harbour: { port: harbour, token: kept?.harbour.token ?? newSecret('harbour') },
  }
  return {
    settings: await offerSignIn(config, parts, settings),
    blocked: [],
    networks: [networkOf(fernhill), networkOf(harbour)],
  }
}

/** Customers can sign in to Fernhill Desk, which knows us by this client. */
async function offerSignIn(config: Config, parts: DemoParts, settings: DemoSettings): Promise<DemoSettings> {
  if (settings.fernhill.oauth_secret !== undefined) return settings
  const secret = newSecret('oauth')
  const instance = `http://127.0.0.1:${settings.fernhill.port}`
  await setOAuthClient(parts.db, parts, { tool: 'fernhill', instance, clientId: demoClientId, secret })
  const complete = { ...settings, fernhill: { ...settings.fernhill, oauth_secret: secret } }
  keepDemoSettings(config.home, complete)
  return complete
}

/** One port of this machine, exactly as WHERRY_ALLOWED_NETWORKS would name it. */
const networkOf = (port: number) => parseNetwork(`127.0.0.1:${port}`)

const newSecret = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

async function isAtWork(db: Db, partnerId: string): Promise<boolean> {
  const partner = await db
    .selectFrom('partners')
    .select('id')
    .where('id', '=', partnerId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return partner !== undefined
}

async function hasPartners(db: Db): Promise<boolean> {
  return (await db.selectFrom('partners').select('id').limit(1).executeTakeFirst()) !== undefined
}
