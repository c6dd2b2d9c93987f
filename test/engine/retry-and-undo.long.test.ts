import { afterAll, beforeAll, expect, test } from 'vitest'
import { harbourToken, type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
let whole: WholeService
let portal: Portal
beforeAll(async () => {
  whole = await startWholeService()
  portal = await whole.openPortal({ start_full: true })
  await portal.connect()
}, 900_000)
afterAll(() => whole.close())

const recordsWith = async (query: string) => (await portal.act('GET', `/records?${query}`)).json.records

test('a refused record and its children are listed with the reason', limit, async () => {
  const full = await portal.until('migration_completed')
  expect(full.items).toMatchObject({ tickets: 119, comments: 510 })
  const [ticket] = await recordsWith('state=refused&entity=tickets')
  expect(ticket).toMatchObject({ entity: 'tickets', code: 'blank', message: expect.stringMatching(/subject/i) })
  expect(await recordsWith('state=held')).toMatchObject([{ entity: 'comments' }])
  expect((await portal.act('GET', '/records?state=nowhere')).status).toBe(422)
  expect((await portal.act('GET', '/records?limit=0')).status).toBe(422)
  expect((await portal.act('GET', '/records?after=x')).status).toBe(422)
})

test('every record can be listed, page by page', limit, async () => {
  const seen: string[] = []
  let after: string | null = null
  do {
    const page = await portal.act(
      'GET',
      `/records?limit=97${after === null ? '' : `&after=${encodeURIComponent(after)}`}`,
    )
    seen.push(...page.json.records.map(({ entity, source_id }: Record<string, string>) => `${entity}/${source_id}`))
    after = page.json.next
  } while (after !== null)
  expect(seen).toHaveLength(788)
  expect(new Set(seen).size).toBe(788)
})

test('a retry sends only refused records and the records that waited for them', limit, async () => {
  await portal.act('POST', '/runs', { kind: 'plan' })
  await portal.look('/plan')
  // Without a change, the destination refuses the record again.
  const again = await portal.run('retry', 'migration_completed')
  expect(again.items).toMatchObject({ tickets: 119, comments: 510 })
  expect(again.warnings).toContainEqual(expect.objectContaining({ code: 'refused', entity: 'tickets', count: 1 }))
  const changes = { entities: { tickets: { constants: { subject: '(no subject)' } } } }
  expect((await portal.act('PUT', '/mapping', { version: 0, changes })).status).toBe(200)
  const done = await portal.run('retry', 'migration_completed')
  expect(done.items).toMatchObject({ tickets: 120, comments: 511 })
  expect(JSON.stringify(done.warnings)).not.toMatch(/"refused"|"held"/)
  expect(await recordsWith('state=held')).toEqual([])
})

test('a preview lists removable and edited records, and changes nothing', limit, async () => {
  const [one, two] = await recordsWith('entity=tickets&limit=2')
  const edit = await fetch(one.destination_url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ value: 'Edited by hand' }),
  })
  expect(edit.status).toBe(303)
  const gone = await fetch(`${whole.harbour.baseUrl}/records/tickets/delete`, {
    method: 'POST',
    headers: { authorization: `Bearer ${harbourToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ records: [{ external_id: `${portal.id}/tickets/${two.source_id}` }] }),
  })
  expect(gone.status).toBe(200)
  expect((await portal.act('POST', '/runs', { kind: 'preview' })).status).toBe(201)
  const { entities } = await portal.look('/sums')
  expect(entities.tickets.undo).toEqual({ removable: 118, edited: 1, missing: 1 })
  expect(await recordsWith('finding=edited&entity=tickets')).toMatchObject([{ source_id: one.source_id }])
  // The records that the ticket refers to would stay with it.
  expect(await recordsWith('finding=edited&entity=contacts')).toHaveLength(1)
  expect(await recordsWith('finding=missing')).toMatchObject([{ source_id: two.source_id }])
  expect((await whole.asPartner('GET', `/imports/${portal.id}`)).status_code).toBe('migration_completed')
  const view = (await portal.act('GET', `/records/tickets/${one.source_id}`)).json
  expect(view.differences).toEqual(['subject'])
})

test('an undo keeps edited records and lists them, and the import can start over', limit, async () => {
  const cleaned = await portal.run('undo', 'migration_cleaned')
  // The edited ticket stays, with its requester and its group.
  const kept = { contacts: 1, groups: 1, tickets: 1 }
  expect(cleaned.items).toEqual(kept)
  expect(cleaned.warnings.map(({ code, entity }: Record<string, string>) => [code, entity]).sort()).toEqual(
    Object.keys(kept).map((entity) => ['kept', entity]),
  )
  expect(cleaned.progress.done).toBe(cleaned.progress.total)
  expect(await recordsWith('code=edited')).toHaveLength(3)
  expect((await portal.act('POST', '/start-over', {})).json).toEqual({ status_code: 'in_preparation' })
  expect((await portal.act('POST', '/start-over', {})).status).toBe(422)
})

test(
  'starting over copies everything again, and an undo with remove_edited removes the edited record too',
  limit,
  async () => {
    const full = await portal.run('full', 'migration_completed')
    expect(full.items).toMatchObject({ tickets: 120, comments: 511, attachments: 48 })
    const [one] = await recordsWith('entity=tickets&limit=1')
    await fetch(one.destination_url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ value: 'Edited again' }),
    })
    const cleaned = await portal.run('undo', 'migration_cleaned', { remove_edited: true })
    expect(cleaned.items).toEqual({})
    expect(cleaned.warnings ?? []).toEqual([])
  },
)

test('a run can be paused and resumed', limit, async () => {
  const held = await whole.openPortal({ start_full: true })
  await held.connect()
  await held.until('migration_in_progress')
  expect((await held.act('POST', '/pause', {})).status).toBe(204)
  expect((await held.act('POST', '/pause', {})).status).toBe(422)
  const { progress } = await whole.asPartner('GET', `/imports/${held.id}`)
  expect(progress.done).toBeLessThan(788)
  expect((await held.act('POST', '/resume', {})).status).toBe(204)
  expect((await held.until('migration_completed')).items).toMatchObject({ tickets: 119 })
})

test('texts that no database can store are refused, in every field', async () => {
  const bad = [
    ['PUT', '/people', { '1': 'a\u0000' }],
    ['PUT', '/mapping', { version: 1, changes: { entities: { tickets: { constants: { subject: '\ud800' } } } } }],
    ['GET', '/records?entity=%00', undefined],
    ['GET', '/people?after=%00', undefined],
  ] as const
  for (const [method, path, body] of bad)
    expect([path, (await portal.act(method, path, body)).status]).toEqual([path, 422])
})
