import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { Account, AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { checkTool } from './known-requests.ts'
import { type LiveTool, startWordpress } from './wordpress.ts'
import { type Call, callAs, type Seeded, seedWordpress } from './wordpress-seed.ts'

/**
 * A site to write to and clean up, as JSON: {"instanceUrl", "username", "token", "mailFolder"?, "folder"?}. With the
 * word "start", a site is installed and started (Debian, as root).
 */
const given = process.env.WHERRY_LIVE_WORDPRESS
export const isGiven = given !== undefined && given !== ''
export const title = isGiven
  ? 'WordPress, live'
  : 'WordPress, live: WHERRY_LIVE_WORDPRESS holds no address and access of a WordPress, as JSON, nor the word "start"'

export interface LiveSite extends LiveTool {
  /** A prefix in the names of all records that a test file creates, so that several files can share a site. */
  prefix: string
  call: Call
  seeded: Seeded
  account(access?: AccountAccess): Account
  /** The site's folder; null for a site that somebody else started. */
  folder: string | null
}

export async function openSite(): Promise<LiveSite> {
  const prefix = `w${randomBytes(3).toString('hex')}`
  const tool = given === 'start' ? await startWordpress(`live-${prefix}`) : useSite(String(given))
  const outbound = checkTool('wordpress', createLoopbackOutbound(), tool.url)
  const call = callAs(tool.access)
  return {
    ...tool,
    prefix,
    call,
    seeded: await seedWordpress(call, prefix),
    account: (access = tool.access) => ({ access, outbound, signal: AbortSignal.timeout(600_000) }),
    async stop() {
      await outbound.close()
      await tool.stop()
    },
  }
}

/** Uses a given site. Without a mail folder, the number of mails is unknown. */
function useSite(json: string): LiveTool & { folder: string | null } {
  const given = JSON.parse(json) as AccountAccess & { mailFolder?: string; folder?: string }
  const { mailFolder, folder = null, ...access } = given
  return {
    folder,
    url: String(access.instanceUrl),
    access,
    mails: async () => (mailFolder === undefined ? Number.NaN : (await readdir(mailFolder)).length),
    stop: async () => {},
  }
}

export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('something that must be there is not')
  return value
}
