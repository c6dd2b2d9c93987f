import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { keepBudgetsEmpty } from '../support/empty-budgets.ts'
import { createClock, dayMs } from '../twins/clock.ts'
import type { Faults } from '../twins/faults.ts'
import { addThread } from '../twins/helpscout/save-thread.ts'
import { startHelpScoutTwin } from '../twins/helpscout/twin.ts'
import { addReply } from '../twins/intercom/parts.ts'
import { startIntercomTwin } from '../twins/intercom/twin.ts'
import { addComment, commentsOf } from '../twins/zendesk/comments.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { type Journey, startJourney } from './journey.ts'
import { smallDesk } from './small-desk.ts'

/** A destination whose tickets other programs can write notes into. */
export interface NotedDesk {
  tool: string
  url: string
  username?: string
  token: string
  faults: Faults
  all(): string[]
  /** Tickets that still take notes. */
  tickets(): string[]
  /** A note of another program, which comes by the API as ours do. */
  addNote(ticketId: string, text: string): void
  textsOf(ticketId: string): string[]
  /** Our key in a ticket. */
  keyOf(ticketId: string): string
  /** The path of the request that makes a ticket. */
  making: string
  passTime(): void
}

type Cleanup = AsyncDisposableStack

async function zendesk(cleanup: Cleanup): Promise<NotedDesk> {
  const twin = await startZendeskTwin({}, createClock())
  cleanup.defer(() => twin.close())
  const { account } = twin
  const bot = Number(account.users.list()[0]?.id)
  return {
    ...{ tool: 'zendesk', url: twin.url, faults: twin.faults },
    ...{ username: twin.access.username, token: twin.access.token },
    all: () => account.tickets.list().map(({ id }) => id),
    tickets: () => account.tickets.list(({ status }) => status !== 'closed').map(({ id }) => id),
    addNote(id, text) {
      addComment(account, Number(id), { html_body: `<p>${text}</p>`, public: false }, account.now(), bot)
    },
    textsOf: (id) => commentsOf(account, Number(id)).map(({ html }) => html),
    keyOf: (id) => String(account.tickets.get(id)?.external_id),
    making: '/api/v2/imports/tickets',
    passTime: () => twin.clock.advance(3 * 60_000),
  }
}

async function helpscout(cleanup: Cleanup): Promise<NotedDesk> {
  const twin = await startHelpScoutTwin({}, createClock())
  cleanup.defer(() => twin.close())
  const { account } = twin
  const bot = account.users.list()[0]
  if (!bot) throw new Error('Help Scout has no users')
  return {
    ...{ tool: 'helpscout', url: twin.url, faults: twin.faults },
    ...{ username: twin.access.username, token: twin.access.token },
    all: () => account.conversations.list().map(({ id }) => id),
    tickets: () => account.conversations.list().map(({ id }) => id),
    addNote(id, text) {
      const conversation = account.conversations.get(id)
      if (conversation) addThread(account, conversation, 'note', { text: `<p>${text}</p>` }, bot)
    },
    textsOf: (id) => (account.conversations.get(id)?.threads ?? []).map(({ body }) => body ?? ''),
    keyOf: (id) => account.conversations.get(id)?.threads.find(({ body }) => /wherry/.test(body ?? ''))?.body ?? '',
    making: '/v2/conversations',
    passTime: () => twin.clock.advance(3 * 60_000),
  }
}

async function intercom(cleanup: Cleanup): Promise<NotedDesk> {
  const clock = createClock({ startsAt: new Date(Date.now() - 9 * dayMs).toISOString() })
  const twin = await startIntercomTwin({}, clock)
  cleanup.defer(() => twin.close())
  clock.advance(9 * dayMs)
  const { account } = twin
  const bot = account.admins.list()[0]?.id
  return {
    ...{ tool: 'intercom', url: twin.url, token: twin.access.token, faults: twin.faults },
    all: () => account.tickets.list().map(({ id }) => id),
    tickets: () => account.tickets.list().map(({ id }) => id),
    addNote(id, text) {
      const note = { message_type: 'note', type: 'admin', admin_id: bot, body: `<p>${text}</p>` }
      addReply(account, id, { ...note, skip_notifications: true }, false)
    },
    textsOf: (id) => account.partsOf(id).map(({ body }) => body ?? ''),
    keyOf: (id) => String(account.tickets.get(id)?.attributes['Wherry key']),
    making: '/tickets',
    passTime: () => twin.clock.advance(10 * 60_000),
  }
}

export const notedDesks = { zendesk, helpscout, intercom }

/** Starts a migration from Fernhill Desk into this destination. */
export async function startNoted(cleanup: Cleanup, desk: NotedDesk, tickets = 6): Promise<Journey> {
  const { tool, url, username, token } = desk
  const journey = await startJourney({
    between: { source: smallDesk(tickets) },
    destination: { tool, url, ...(username && { username }), connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(token)
  return journey
}

/** Ends all waiting times, for the service and for the tool. */
export async function letTimePass({ db }: Journey, desk: NotedDesk): Promise<void> {
  desk.passTime()
  await sql`update account_paces set blocked_until = '-infinity'`.execute(db)
  await sql`update id_map set sent_at = sent_at - interval '20 minutes' where sent_at is not null`.execute(db)
}

/** Works until the run ends. The mail that a run asks about has not arrived. */
export async function workNoted(
  journey: Journey,
  desk: NotedDesk,
  runId: string,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const stop = keepBudgetsEmpty(journey.db)
  try {
    for (let looks = 0; looks < 6; looks += 1) {
      for (;;) {
        const result = await journey.slice(runId)
        if (result.next === 'nothing') break
        await between()
        await letTimePass(journey, desk)
        await sleep(Math.min(result.afterMs, 20))
      }
      const { status_code, warnings } = await journey.status()
      if (status_code !== 'migration_in_progress' || !JSON.stringify(warnings).includes('look_for_mail')) return
      await journey.resume()
    }
  } finally {
    stop()
  }
}

export const rowsIn = ({ db }: Journey, entity: string) =>
  db
    .selectFrom('id_map')
    .select(['source_id', 'destination_id', 'state', 'code', 'message'])
    .where('entity', '=', entity)
    .orderBy('source_id')
    .execute()
