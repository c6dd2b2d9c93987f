import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { runCli } from '../../service/src/operator/cli.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { testKeys } from '../support/service.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 240_000 }
let whole: WholeService
let folder: string
beforeAll(async () => {
  whole = await startWholeService()
  folder = mkdtempSync(join(tmpdir(), 'wherry-mappings-'))
}, 120_000)
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

test('a mapping is kept under a name, for the same partner and account only', limit, async () => {
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
  // Another partner's customer sees nothing of it, and neither does another account of the same partner.
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

test('a partner recommends a mapping, and what does not exist here is left out', limit, async () => {
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
})
