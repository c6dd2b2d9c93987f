import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { Account, AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { startGhost } from './ghost.ts'
import { callGhost, type GhostCall, type SeededGhost, seedGhost } from './ghost-seed.ts'
import { checkTool } from './known-requests.ts'
import { type RememberedSides, rememberSides } from './remember-sides.ts'
import type { LiveTool } from './wordpress.ts'

/**
 * A site to write to and clean up, as JSON: {"instanceUrl", "token", "staffKey"?, "mailFolder"?, "folder"?}. With the
 * word "start", a site is installed and started (as root).
 */
const given = process.env.WHERRY_LIVE_GHOST
export const isGiven = given !== undefined && given !== ''
export const title = isGiven
  ? 'Ghost, live'
  : 'Ghost, live: WHERRY_LIVE_GHOST holds no address and key of a Ghost, as JSON, nor the word "start"'

export interface LiveGhostSite extends LiveTool {
  /** A prefix in the names of all records that a test file creates, so that several files can share a site. */
  prefix: string
  call: GhostCall
  seeded: SeededGhost
  account(access?: AccountAccess): Account
  sides: RememberedSides
  /** The site's folder; null for a site that somebody else started. */
  folder: string | null
}

export async function openGhostSite(): Promise<LiveGhostSite> {
  const prefix = `w${randomBytes(3).toString('hex')}`
  const tool = given === 'start' ? await startGhost(`live-${prefix}`) : useSite(String(given))
  const outbound = checkTool('ghost', createLoopbackOutbound(), tool.url)
  const call = callGhost(tool.access)
  const staffCall = tool.staffKey === null ? null : callGhost({ ...tool.access, token: tool.staffKey })
  const sides = rememberSides()
  return {
    ...tool,
    sides,
    prefix,
    call,
    seeded: await seedGhost(call, staffCall, prefix),
    account: (access = tool.access) => ({ access, outbound, signal: AbortSignal.timeout(600_000), sides }),
    async stop() {
      await outbound.close()
      await tool.stop()
    },
  }
}

/** Uses a given site. Without a mail folder, the number of mails is unknown. */
function useSite(json: string): LiveTool & { staffKey: string | null; folder: string | null } {
  const {
    mailFolder,
    folder = null,
    staffKey = null,
    ...access
  } = JSON.parse(json) as AccountAccess & {
    mailFolder?: string
    folder?: string
    staffKey?: string
  }
  return {
    url: String(access.instanceUrl),
    access: { ...access, username: null },
    staffKey,
    folder,
    mails: async () => (mailFolder === undefined ? Number.NaN : (await readdir(mailFolder)).length),
    stop: async () => {},
  }
}
