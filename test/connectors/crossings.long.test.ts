import { appendFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Journey, startJourney } from '../engine/journey.ts'
import { createClock, dayMs, minuteMs } from '../twins/clock.ts'
import { seedDesk as seedFreshdesk } from '../twins/freshdesk/seed.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { seedDesk as seedHelpscout } from '../twins/helpscout/seed.ts'
import { startHelpScoutTwin } from '../twins/helpscout/twin.ts'
import { seedCrm as seedHubspot } from '../twins/hubspot/seed.ts'
import { startHubspotTwin } from '../twins/hubspot/twin.ts'
import { seedDesk as seedIntercom } from '../twins/intercom/seed.ts'
import { startIntercomTwin } from '../twins/intercom/twin.ts'
import { seedCrm as seedPipedrive } from '../twins/pipedrive/seed.ts'
import { startPipedriveTwin } from '../twins/pipedrive/twin.ts'
import { seedDesk as seedZendesk } from '../twins/zendesk/seed.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const clockOf = () => createClock({ startsAt: new Date(Date.now() - 9 * dayMs).toISOString() })
const tools = {
  zendesk: async (isSeeded: boolean) => {
    const twin = await startZendeskTwin({}, createClock())
    if (isSeeded) seedZendesk(twin.account, twin.staff)
    return twin
  },
  freshdesk: async (isSeeded: boolean) => {
    const twin = await startFreshdeskTwin({ hasNotifications: false })
    if (isSeeded) seedFreshdesk(twin.account, twin.staff)
    return twin
  },
  helpscout: async (isSeeded: boolean) => {
    const twin = await startHelpScoutTwin()
    if (isSeeded) seedHelpscout(twin.account, twin.staff, twin.files, { hasBadFile: false })
    return twin
  },
  intercom: async (isSeeded: boolean) => {
    const twin = await startIntercomTwin({}, clockOf())
    if (isSeeded) seedIntercom(twin.account, twin.staff)
    return twin
  },
  hubspot: async (isSeeded: boolean) => {
    const twin = await startHubspotTwin()
    if (isSeeded) seedHubspot(twin.account, twin.owners)
    return twin
  },
  pipedrive: async (isSeeded: boolean) => {
    const twin = await startPipedriveTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z' }))
    if (isSeeded) seedPipedrive(twin.account, twin.users)
    return twin
  },
}
type Tool = keyof typeof tools
type Access = { token: string; username?: string; more?: Record<string, string> }

async function workThrough(journey: Journey, twins: { clock?: { advance(ms: number): void } }[], runId: string) {
  for (let looks = 0; looks < 4; looks += 1) {
    while ((await journey.slice(runId)).next !== 'nothing') {
      await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
      await sql`delete from account_buckets`.execute(journey.db)
      await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(
        journey.db,
      )
      for (const { clock } of twins) clock?.advance(3 * minuteMs)
    }
    const { warnings } = await journey.status()
    if (!JSON.stringify(warnings).includes('look_for_mail')) return
    await journey.resume()
  }
}

const desks: Tool[] = ['zendesk', 'freshdesk', 'helpscout', 'intercom', 'hubspot']
const crms: Tool[] = ['pipedrive', 'hubspot']
const pairs = [
  ...crms.flatMap((from) => crms.map((to) => ['crm', from, to] as const)),
  ...desks.flatMap((from) => desks.map((to) => ['helpdesk', from, to] as const)),
].filter(([, from, to]) => from !== to)

test.each(pairs)(
  'a check after a migration of a %s from %s to %s finds no difference',
  limit,
  async (family, from, to) => {
    const source = await tools[from](true)
    cleanup.defer(() => source.close())
    const twin = await tools[to](false)
    cleanup.defer(() => twin.close())
    const [given, taken] = [source.access as Access, twin.access as Access]
    const clocks = [source, twin] as unknown as { clock?: { advance(ms: number): void } }[]
    for (const { clock } of clocks) clock?.advance(10 * minuteMs)
    const partOf = ({ username, more }: Access) => ({ ...(username && { username }), ...(more && { more }) })
    const journey = await startJourney({
      families: [family],
      source: { tool: from, url: source.url, ...partOf(given) },
      destination: { tool: to, url: twin.url, ...partOf(taken), connectors: [] },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource(given.token)
    await journey.connectDestination(taken.token)
    await workThrough(journey, clocks, await journey.start('full'))
    const status = await journey.status()
    await workThrough(journey, clocks, await journey.start('check'))
    const rows = await journey.db
      .selectFrom('id_map')
      .select(['entity', 'source_id', 'code', 'message', 'warned'])
      .where('code', 'in', ['differs', 'edited'])
      .execute()
    const log = process.env.CROSSINGS_LOG
    if (log) appendFileSync(log, `${JSON.stringify([family, from, to, status.status_code, status.items, rows])}\n`)
    expect(status.status_code).toBe('migration_completed')
    expect(rows).toEqual([])
  },
)
