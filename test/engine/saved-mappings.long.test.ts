import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { runCli } from '../../service/src/operator/cli.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { testKeys } from '../support/service.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
let whole: WholeService
let folder: string
beforeAll(async () => {
  whole = await startWholeService()
  folder = mkdtempSync(join(tmpdir(), 'wherry-mappings-'))
}, 900_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await whole.close()
})

const openPlanned = async (token?: string): Promise<Portal> => {
  const portal = await whole.openPortal({}, token)
  await portal.connect()
  await portal.look('/plan')
  return portal
}
const savedOf = async (portal: Portal) => (await portal.act('GET', '/saved-mappings')).json
const wherry = (...args: string[]) =>
  runCli(args, { DATABASE_URL: whole.config.databaseUrl ?? '', WHERRY_KEYS: testKeys, WHERRY_LOG_LEVEL: 'silent' })

test('a mapping is saved under a name, only for the same partner and account', limit, async () => {
  const first = await openPlanned()
  expect((await first.act('POST', '/saved-mappings', { name: 'Ours' })).json).toHaveProperty('name')
  const changes = {
    entities: {
      tickets: { fields: { channel: { to: null }, 'custom:order_number': { to: null } }, constants: { subject: '-' } },
    },
  }
  expect((await first.act('PUT', '/mapping', { version: 0, changes })).status).toBe(200)
  const again = { entities: { tickets: { fields: { channel: { to: null } } } } }
  expect((await first.act('PUT', '/mapping', { version: 1, changes: again })).status).toBe(200)
  for (const name of ['', ' ', 'x'.repeat(101), 5]) {
    expect((await first.act('POST', '/saved-mappings', { name } as object)).status).toBe(422)
  }
  expect((await first.act('POST', '/saved-mappings', { name: 'Ours' })).status).toBe(201)
  expect((await first.act('POST', '/saved-mappings', { name: 'Ours' })).status).toBe(201)

  const { versions } = await savedOf(first)
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
  expect(versions[0].differences).toEqual([
    { path: ['entities', 'tickets', 'fields', 'custom:order_number', 'to'], before: null },
    { path: ['entities', 'tickets', 'constants', 'subject'], before: '-' },
  ])

  const second = await openPlanned()
  expect((await savedOf(second)).mappings).toMatchObject([
    { name: 'Ours', is_partners: false, changes: again, dropped: [] },
  ])
  // A customer of another partner does not see the mapping, and neither does another account of the same partner.
  const other = await createPartner(
    whole.db,
    { connectors, keyRing: parseKeyRing(testKeys) },
    { name: 'Other', destination: 'open', families: ['helpdesk'] },
  )
  const third = await openPlanned(other.api_token)
  expect((await savedOf(third)).mappings).toEqual([])
  await whole.db
    .updateTable('imports')
    .set({ destination_account: 'somebody else' })
    .where('id', '=', second.id)
    .execute()
  expect((await savedOf(second)).mappings).toEqual([])
})

test(
  'a partner recommends a mapping, and its fields that do not exist in this import are left out',
  limit,
  async () => {
    const portal = await openPlanned()
    const { partner_id: partnerId } = await whole.db
      .selectFrom('imports')
      .select('partner_id')
      .where('id', '=', portal.id)
      .executeTakeFirstOrThrow()
    const file = join(folder, 'mapping.json')
    const change = { fields: { channel: { to: null }, 'custom:nosuch': { to: 'number' } }, constants: { subject: '-' } }
    writeFileSync(file, JSON.stringify({ entities: { tickets: change }, default_user: 'u1' }))
    const set = ['partner', 'mapping', 'set', partnerId, '--name', 'Best practice', '--file', file]
    expect(await wherry(...set)).toBe(1)
    expect(await wherry(...set, '--source', 'nosuch', '--family', 'helpdesk')).toBe(1)
    expect(await wherry(...set, '--source', 'fernhill', '--family', 'helpdesk')).toBe(0)
    const { mappings } = await savedOf(portal)
    const [recommended] = mappings.filter(({ is_partners }: { is_partners: boolean }) => is_partners)
    expect(recommended).toMatchObject({
      name: 'Best practice',
      changes: { entities: { tickets: { fields: { channel: { to: null } }, constants: { subject: '-' } } } },
      dropped: ['entities.tickets.fields.custom:nosuch'],
    })
    const used = await portal.act('PUT', '/mapping', { version: 0, changes: recommended.changes })
    expect(used.status).toBe(200)
    writeFileSync(file, '{"entities": []}')
    expect(await wherry(...set, '--source', 'fernhill', '--family', 'helpdesk')).toBe(1)
    expect(await wherry('partner', 'mapping', 'set', partnerId, '--name', 'From there', '--import', portal.id)).toBe(0)
    expect(await wherry('partner', 'mapping', 'remove', recommended.id)).toBe(0)
    expect(await wherry('partner', 'mapping', 'show', recommended.id)).toBe(1)
    expect((await savedOf(portal)).mappings.map(({ name }: { name: string }) => name)).toContain('From there')
  },
)

test(
  'people who enter a name are named with their actions, a saved mapping can be removed, and versions are compared',
  limit,
  async () => {
    const portal = await openPlanned()
    const change = (version: number, to: string | null) =>
      portal.act('PUT', '/mapping', { version, changes: { entities: { tickets: { fields: { channel: { to } } } } } })
    expect((await change(0, null)).status).toBe(200)
    const put = (name: unknown, cookie = portal.cookie) =>
      fetch(`${whole.origin}/portal/imports/${portal.id}/visitor`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ name }),
      })
    expect((await put('x'.repeat(101))).status).toBe(422)
    const told = await put('Ann Lee')
    expect(told.status).toBe(204)
    const cookie = `${portal.cookie}; ${String(told.headers.get('set-cookie')).split(';')[0]}`
    const asAnn = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${whole.origin}/portal/imports/${portal.id}${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    }
    expect((await asAnn('GET', '/visitor')).json).toEqual({ name: 'Ann Lee' })
    const changes = { entities: { tickets: { constants: { subject: '-' } } } }
    expect((await asAnn('PUT', '/mapping', { version: 1, changes })).status).toBe(200)
    const { id } = (await asAnn('POST', '/saved-mappings', { name: 'Of Ann' })).json
    const saved = await savedOf(portal)
    expect(saved.versions.map(({ saved_by }: { saved_by: string | null }) => saved_by)).toEqual(['Ann Lee', null])
    expect(saved.mappings.find((one: { id: string }) => one.id === id)).toMatchObject({ saved_by: 'Ann Lee' })

    const { activity } = (await portal.act('GET', '/activity')).json
    const ofMapping = activity.filter(({ act }: { act: string }) => act.startsWith('mapping '))
    expect(ofMapping).toMatchObject([
      { act: 'mapping kept', name: 'Ann Lee' },
      { act: 'mapping changed', name: 'Ann Lee', differences: expect.arrayContaining([expect.anything()]) },
      { act: 'mapping changed', name: null, differences: [{ after: null }] },
    ])

    const compare = (from: unknown, to: unknown) => portal.act('GET', `/mapping/differences?from=${from}&to=${to}`)
    expect((await compare(0, 2)).json).toEqual({
      changes,
      differences: [{ path: ['entities', 'tickets', 'constants', 'subject'], after: '-' }],
    })
    expect((await compare(2, 2)).json.differences).toEqual([])
    expect((await compare(0, 9)).status).toBe(404)
    expect((await compare('x', 1)).status).toBe(422)

    const other = await openPlanned()
    await whole.db.updateTable('imports').set({ destination_account: 'other' }).where('id', '=', other.id).execute()
    expect((await other.act('DELETE', `/saved-mappings/${id}`, {})).status).toBe(404)
    expect((await portal.act('DELETE', `/saved-mappings/${id}`, {})).status).toBe(204)
    expect((await portal.act('DELETE', `/saved-mappings/${id}`, {})).status).toBe(404)

    // The log names people only by ids. Erasing the import removes their names.
    const { rows } = await sql<{ log: string }>`
    select string_agg(details::text, ' ') as log from audit_log where subject = ${portal.id}`.execute(whole.db)
    expect(rows[0]?.log).not.toContain('Ann')
    const readPlan = async () => {
      const { rows } = await sql<{ kept: string }>`
      select coalesce(string_agg(losses::text || fields::text, ''), '') as kept
      from plan_entities where import_id = ${portal.id}`.execute(whole.db)
      return rows[0]?.kept
    }
    // The plan's examples of titles and values are removed, too.
    expect(await readPlan()).toContain('title')
    expect((await portal.act('POST', '/cancel', {})).status).toBe(204)
    expect(await readPlan()).toMatch(/^(\[\]\{\})+$/)
    expect(await whole.db.selectFrom('visitors').selectAll().where('import_id', '=', portal.id).execute()).toEqual([])
  },
)
