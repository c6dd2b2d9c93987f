import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { createClock, dayMs, minuteMs } from '../../twins/clock.ts'
import { saveConversation } from '../../twins/helpscout/save-conversation.ts'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { startHelpScoutTwin } from '../../twins/helpscout/twin.ts'
import { startIntercomTwin } from '../../twins/intercom/twin.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** Works while minutes pass between slices, because Intercom's search lags behind. */
async function workOn({ db, slice }: Journey, runId: string, pass: () => void): Promise<void> {
  for (;;) {
    const { next, ...wait } = await slice(runId)
    if (next === 'nothing') return
    await sql`update account_paces set blocked_until = '-infinity'`.execute(db)
    await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(db)
    pass()
    await sleep('afterMs' in wait ? Math.min(Number(wait.afterMs), 20) : 20)
  }
}

test('a conversation that begins with a note arrives in Intercom where customers do not see it', {
  timeout: 900_000,
}, async () => {
  const source = await startHelpScoutTwin()
  cleanup.defer(() => source.close())
  const { account, staff } = source
  const nora = saveCustomer(account, { firstName: 'Nora', emails: [{ value: 'nora@example.com', type: 'work' }] })
  const customer = { id: Number(nora.id) }
  const past = { imported: true, createdAt: '2020-02-02T10:00:00Z' }
  const inbox = { type: 'email', status: 'active', mailboxId: Number(staff.support.id), imported: true, customer }
  const note = { type: 'note', user: Number(account.users.list()[0]?.id), text: 'Nobody may see this', ...past }
  const thanks = { type: 'customer', customer, text: 'Thanks', ...past, createdAt: '2020-02-02T11:00:00Z' }
  saveConversation(account, { subject: 'Secret', ...inbox, threads: [note, thanks] })
  saveConversation(account, { subject: 'Open', ...inbox, threads: [thanks, { ...note, createdAt: thanks.createdAt }] })
  source.clock.advance(minuteMs)

  const clock = createClock({ startsAt: new Date(Date.now() - 9 * dayMs).toISOString() })
  const twin = await startIntercomTwin({}, clock)
  cleanup.defer(() => twin.close())
  const { username, token, more } = source.access
  const journey = await startJourney({
    source: { tool: 'helpscout', url: source.url, username, more },
    destination: { tool: 'intercom', url: twin.url, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(token)
  await journey.connectDestination(twin.access.token)
  const pass = () => clock.advance(10 * minuteMs)
  twin.faults.next('POST', '/tickets', { kind: 'lost' }, 2)
  const runId = await journey.start('full')
  expect(await crashAt(journey, runId, 'first batch sent', 3)).toBe(true)
  await workOn(journey, runId, pass)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  // Intercom's API makes no teams.
  const others = warnings.filter(({ entity }: { entity: string }) => entity !== 'groups')
  expect(JSON.stringify(others)).not.toMatch(/"(unknown|doubled|differs|edited|refused|not_protected|held)"/)

  const tickets = twin.account.tickets.list()
  const shown = tickets.map(({ id, isShared, attributes }) => ({
    ...{ title: attributes._default_title_, isShared },
    parts: twin.account
      .partsOf(id)
      .filter(({ body }) => body !== null)
      .map(({ partType, body }) => [
        partType,
        String(body)
          .replace(/<[^>]*>/g, ' ')
          .trim(),
      ]),
  }))
  expect(shown.toSorted((a, b) => String(a.title).localeCompare(String(b.title)))).toEqual([
    { title: 'Open', isShared: true, parts: [['note', expect.stringContaining('Nobody may see this')]] },
    {
      title: 'Secret',
      isShared: false,
      parts: [['note', expect.stringMatching(/— Nora, nora@example\.com.*Thanks/s)]],
    },
  ])
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'lost:kept_for_agents', count: 1 }))

  await workOn(journey, await journey.start('undo'), pass)
  expect(twin.account.tickets.list()).toEqual([])
  expect(twin.notifications).toEqual([])
  twin.expectNoViolations()
})
