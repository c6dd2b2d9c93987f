import { expect } from 'vitest'
import { type Journey, startJourney } from '../../engine/journey.ts'
import type { Tamper } from '../../engine/tampering-proxy.ts'
import { createClock } from '../../twins/clock.ts'
import { startZendeskTwin, type ZendeskTwin } from '../../twins/zendesk/twin.ts'

export const deskTickets = 12

/** The desk with only its first tickets, because every record takes its own requests. */
export const smallDesk: Tamper = async ({ method, path }, pass) => {
  const answer = await pass()
  const [, name = ''] = /^\/api\/v1\/(\w+)$/.exec(path) ?? []
  if (method !== 'GET' || answer.status !== 200 || name === '') return answer
  const json = JSON.parse(String(answer.body)) as { data?: Record<string, number>[]; counts?: object }
  const isThere = (record: Record<string, number>) =>
    name === 'tickets'
      ? Number(record.id) <= deskTickets
      : name === 'comments'
        ? Number(record.ticket_id) <= deskTickets
        : true
  const counts = { ...json.counts, tickets: deskTickets }
  const changed = { ...json, ...(json.data && { data: json.data.filter(isThere) }), ...(json.counts && { counts }) }
  return { ...answer, body: JSON.stringify(changed) }
}

export async function startTwin(cleanup: AsyncDisposableStack, clock = createClock()): Promise<ZendeskTwin> {
  const twin = await startZendeskTwin({}, clock)
  cleanup.defer(() => twin.close())
  return twin
}

/**
 * Starts a migration from Fernhill Desk to Zendesk, which asks the customer to check the mail after the first ticket.
 */
export async function startToZendesk(cleanup: AsyncDisposableStack, source: Tamper = smallDesk) {
  const twin = await startTwin(cleanup)
  const { url, username, token } = { url: twin.url, ...twin.access }
  const journey = await startJourney({
    between: { source },
    destination: { tool: 'zendesk', url, username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(token)
  return { twin, journey }
}

export async function workThrough(journey: Journey, runId: string): Promise<void> {
  await journey.work(runId)
  for (let looks = 0; looks < 5 && (await journey.status()).status_code === 'migration_in_progress'; looks += 1) {
    expect((await journey.status()).warnings).toContainEqual(expect.objectContaining({ code: 'look_for_mail' }))
    await journey.resume()
    await journey.work(runId)
  }
}

export const rowsOf = ({ db }: Journey, entity: string) =>
  db
    .selectFrom('id_map')
    .select(['source_id', 'destination_id', 'state', 'code'])
    .where('entity', '=', entity)
    .execute()
