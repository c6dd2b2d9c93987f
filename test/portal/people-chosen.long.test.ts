import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordKey } from '../../service/src/engine/record-key.ts'
import type { PortalPeople } from '../../service/src/portal/mapping-contract.ts'
import { deskKey, harbourToken, type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { findInHarbour } from './find-in-harbour.ts'
import { waitForPlan } from './wait-for-plan.ts'

let service: WholeService
beforeAll(async () => {
  service = await startWholeService()
})
afterAll(() => service.close())

interface DeskTicket {
  id: number
  assignee_id: number | null
}

async function readDesk(): Promise<DeskTicket[]> {
  const tickets: DeskTicket[] = []
  for (let after: string | null = ''; after !== null; ) {
    const answer: Response = await fetch(`${service.fernhill.url}/api/v1/tickets?limit=100${after}`, {
      headers: { authorization: `Bearer ${deskKey}` },
    })
    const { data, next } = (await answer.json()) as { data: DeskTicket[]; next: string | null }
    tickets.push(...data)
    after = next === null ? null : `&after=${encodeURIComponent(next)}`
  }
  return tickets
}

/** The number of this person's tickets, counted in Harbour. */
async function countOwned(portal: Portal, tickets: DeskTicket[], userId: string): Promise<number> {
  const at = { url: service.harbour.baseUrl, token: harbourToken }
  const found = []
  for (let start = 0; start < tickets.length; start += 50) {
    const ids = tickets.slice(start, start + 50).map(({ id }) => String(id))
    found.push(...(await findInHarbour(at, portal.id, 'tickets', ids)).values())
  }
  return found.filter(({ fields }) => fields.assignee === userId).length
}

/** One ticket has no subject, and Harbour refuses it. */
const refusedId = 6
const ownedBy = (people: PortalPeople['people'], tickets: DeskTicket[]) =>
  tickets.filter(
    ({ id, assignee_id }) =>
      id !== refusedId && people.some(({ source_user_id }) => source_user_id === String(assignee_id)),
  )

const unmatchedIn = (imp: { warnings: { code: string; count: number }[] }) =>
  imp.warnings.filter(({ code }) => code === 'user_not_matched').reduce((sum, { count }) => sum + count, 0)

test('people chosen after a sample own their records after the repeated sample and after the full migration', {
  timeout: 900_000,
}, async () => {
  const portal = await service.openPortal()
  await portal.connect()
  const plan = await waitForPlan(portal)
  const sampled = await portal.run('sample', 'sample_migration_completed')
  expect(unmatchedIn(sampled)).toBeGreaterThan(0)
  const tickets = await readDesk()
  expect(await countOwned(portal, tickets, 'u7')).toBe(0)

  const { people } = (await portal.act('GET', '/people')).json as PortalPeople
  const open = people.filter(({ destination_user_id }) => destination_user_id === null)
  // People without an account come first, ordered by the number of their records.
  expect(people.slice(0, open.length)).toEqual(open)
  expect(open.map(({ named_in }) => named_in)).toEqual(open.map(({ named_in }) => named_in).sort((a, b) => b - a))
  expect(people.find(({ name }) => name === 'Björn Åkesson')).toMatchObject({ suggested_user_id: 'u4' })
  const owned = ownedBy(open, tickets)
  expect(owned.length).toBeGreaterThan(0)

  const choices = Object.fromEntries(open.map(({ source_user_id }) => [source_user_id, 'u7']))
  expect((await portal.act('PUT', '/people', choices)).status).toBe(204)
  expect((await portal.act('GET', '/plan')).json.is_outdated).toBe(true)
  const again = await portal.run('sample', 'sample_migration_completed')
  expect(unmatchedIn(again)).toBe(0)
  expect(await countOwned(portal, tickets, 'u7')).toBeGreaterThan(0)

  await portal.sponsor()
  const done = await portal.run('full', 'migration_completed')
  expect(unmatchedIn(done)).toBe(0)
  expect(await countOwned(portal, tickets, 'u7')).toBe(owned.length)

  const foreseen = (one: typeof plan) =>
    one.entities.flatMap(({ losses }) => losses.filter(({ code }) => code === 'user_not_matched'))
  expect(foreseen(plan).length).toBeGreaterThan(0)
  expect((await portal.act('POST', '/runs', { kind: 'plan' })).status).toBe(201)
  expect(foreseen(await waitForPlan(portal))).toEqual([])
})

test('people chosen after the full migration own the copied records once the choice is applied', {
  timeout: 900_000,
}, async () => {
  const portal = await service.openPortal({ start_full: true })
  await portal.sponsor()
  await portal.connect()
  const done = await portal.until('migration_completed')
  expect(unmatchedIn(done)).toBeGreaterThan(0)
  const { people } = (await portal.act('GET', '/people')).json as PortalPeople
  const open = people.filter(({ destination_user_id }) => destination_user_id === null)
  const choices = Object.fromEntries(open.map(({ source_user_id }) => [source_user_id, 'u7']))
  expect((await portal.act('PUT', '/people', choices)).status).toBe(204)
  const applied = await portal.run('retry', 'migration_completed', { remap: true })
  const tickets = await readDesk()
  expect([unmatchedIn(applied), await countOwned(portal, tickets, 'u7')]).toEqual([0, ownedBy(open, tickets).length])
})

test('names of people to be invited later are kept in the records, and owners are reassigned without copying again', {
  timeout: 900_000,
}, async () => {
  const portal = await service.openPortal()
  await portal.connect()
  await waitForPlan(portal)
  const { people } = (await portal.act('GET', '/people')).json as PortalPeople
  const open = people.filter(({ destination_user_id }) => destination_user_id === null)
  const later = Object.fromEntries(open.map(({ source_user_id }) => [source_user_id, { invite_later: true }]))
  expect((await portal.act('PUT', '/people', { [String(open[0]?.source_user_id)]: { invite_later: 1 } })).status).toBe(
    422,
  )
  expect((await portal.act('PUT', '/people', later)).status).toBe(204)
  expect((await portal.act('POST', '/runs', { kind: 'plan' })).status).toBe(201)
  const plan = await waitForPlan(portal)
  const foreseen = plan.entities.flatMap(({ losses }) => losses.filter(({ code }) => code === 'user_kept_as_name'))
  expect(foreseen.flatMap(({ values }) => values.map(({ value }) => value))).toContain(open[0]?.name)

  await portal.sponsor()
  await portal.run('sample', 'sample_migration_completed')
  const done = await portal.run('full', 'migration_completed')
  // A file in Harbour has neither a text nor custom fields.
  const told = done.warnings.filter(({ code }: { code: string }) => code === 'user_not_matched')
  expect(told.map(({ entity }: { entity: string }) => entity)).toEqual(['attachments'])
  const tickets = await readDesk()
  const nameOf = new Map(open.map(({ source_user_id, name }) => [source_user_id, name]))
  const owned = ownedBy(open, tickets)
  const at = { url: service.harbour.baseUrl, token: harbourToken }
  const find = () =>
    findInHarbour(
      at,
      portal.id,
      'tickets',
      owned.slice(0, 50).map(({ id }) => String(id)),
    )
  for (const [key, { fields, custom_fields }] of await find()) {
    const ticket = owned.find(({ id }) => recordKey(portal.id, 'tickets', String(id)) === key)
    expect(fields.assignee ?? null).toBeNull()
    expect(custom_fields?.['kept_name:assignee']).toMatchObject({ value: nameOf.get(String(ticket?.assignee_id)) })
  }
  const view = (await portal.act('GET', `/records/tickets/${owned[0]?.id}`)).json
  expect(view.compared.find(({ name }: { name: string }) => name === 'assignee')).toMatchObject({
    verdict: 'changed',
    reasons: ['user_kept_as_name'],
    to: 'custom:kept_name:assignee',
  })

  const countRecords = () =>
    service.db
      .selectFrom('id_map')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('import_id', '=', portal.id)
      .executeTakeFirstOrThrow()
  const before = await countRecords()
  const chosen = Object.fromEntries(open.map(({ source_user_id }) => [source_user_id, 'u7']))
  expect((await portal.act('PUT', '/people', chosen)).status).toBe(204)
  const applied = await portal.run('retry', 'migration_completed', { remap: true })
  expect(applied.warnings.filter(({ code }: { code: string }) => code.startsWith('user_'))).toEqual([])
  for (const { fields, custom_fields } of (await find()).values()) {
    expect([fields.assignee, custom_fields?.['kept_name:assignee'] ?? null]).toEqual(['u7', null])
  }
  expect(await countRecords()).toEqual(before)
  expect(applied.items).toEqual(done.items)
})
