import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameAccount } from '../../service/src/accounts/name-account.ts'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { testKeys } from '../support/service.ts'
import { deskKey, harbourToken, type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
const keyRing = parseKeyRing(testKeys)
let whole: WholeService
beforeAll(async () => {
  whole = await startWholeService()
}, 900_000)
afterAll(() => whole.close())

const twinWarning = async (portal: Portal) => {
  const { warnings = [] } = await whole.asPartner('GET', `/imports/${portal.id}`)
  return warnings.find(({ code }: { code: string }) => code === 'imported_before') ?? null
}
const twin = async (portal: Portal) => (await portal.act('GET', '')).json.twin

test(
  'a second import of the same accounts shows a warning before it writes, until the first is undone',
  limit,
  async () => {
    const begun = Date.now()
    const first = await whole.openPortal()
    await first.connect()
    await first.look('/plan')
    expect(await twinWarning(first)).toBeNull()
    const sampled = await first.run('sample', 'sample_migration_completed')
    const records = Object.values(sampled.items as Record<string, number>).reduce((sum, count) => sum + count)

    const second = await whole.openPortal({ destination_username: 'somebody.else@example.com' })
    await second.connect()
    const { ran_at: ranAt } = await twin(second)
    expect(Date.parse(ranAt)).toBeGreaterThanOrEqual(begun)
    expect(await twinWarning(second)).toEqual({
      code: 'imported_before',
      entity: 'import',
      count: 1,
      message: `Another import copied ${records} records from this source account to this destination account and ran last on ${ranAt.slice(0, 10)}. This import copies them a second time.`,
    })
    expect(await twin(second)).toEqual({ imports: 1, records, ran_at: ranAt, is_under_way: false })
    // The first import has no warning, because it came before the second.
    expect(await twinWarning(first)).toBeNull()
    expect(await twin(first)).toBeNull()

    // A customer of another partner gets no warning.
    const other = await createPartner(
      whole.db,
      { connectors, keyRing },
      { name: 'Other', destination: 'open', families: ['helpdesk'] },
    )
    const stranger = await whole.openPortal({}, other.api_token)
    await stranger.connect()
    expect(await twin(stranger)).toBeNull()
    const rows = await whole.db.selectFrom('warnings').selectAll().where('import_id', '=', stranger.id).execute()
    expect(rows).toEqual([])

    // A record that no longer exists needs no warning.
    await first.run('undo', 'migration_cleaned')
    expect(await twin(second)).toBeNull()
    expect(await twinWarning(second)).toBeNull()
    await second.look('/plan')
    await second.run('sample', 'sample_migration_completed')
    expect(await twinWarning(second)).toBeNull()
    // Now the first import shows the warning, because starting it again would duplicate records.
    expect(await twin(first)).toMatchObject({ imports: 1 })
  },
)

test('an import that has ended still causes the warning, as long as its records exist', limit, async () => {
  const before = await whole.db.selectFrom('imports').select('id').where(sql<boolean>`items <> '{}'`).execute()
  expect(before).toHaveLength(1)
  await endImport(whole.db, String(before[0]?.id), 'cancelled')
  const third = await whole.openPortal()
  await third.connect()
  expect(await twinWarning(third)).toMatchObject({ code: 'imported_before', count: 1 })
})

test('an account has the same name for everyone who opens it, and no two accounts share a name', async () => {
  const access: AccountAccess = { instanceUrl: 'https://desk.example/api', username: null, token: 'secret' }
  const name = (changes: Partial<AccountAccess>, id: string | null = null, tool = 'open') =>
    nameAccount({ db: whole.db, keyRing }, tool, { ...access, ...changes }, id)
  const byToken = await name({})
  expect(byToken).toMatch(/^[0-9a-f]{64}$/)
  // Neither the user name nor the spelling of the address matters.
  expect(await name({ username: 'ann' })).toBe(byToken)
  expect(await name({ instanceUrl: 'https://DESK.example/api/' })).toBe(byToken)
  const byId = await name({}, '7')
  expect(await name({ token: 'another', instanceUrl: 'https://desk.example/' }, '7')).toBe(byId)
  const oauth = { grantId: 'g1', instance: '', refreshToken: null, renewAt: null }
  const different = await Promise.all([
    name({}),
    name({ token: 'another' }),
    name({ instanceUrl: 'https://desk.example/other' }),
    name({}, null, 'fernhill'),
    name({}, '7'),
    name({}, '8'),
    name({ instanceUrl: 'https://elsewhere.example/api' }, '7'),
    name({ oauth }),
    name({ token: 'renewed', oauth: { ...oauth, grantId: 'g2' } }),
    name({ instanceUrl: null, token: null, uploadId: 'upl_1' }),
    name({ instanceUrl: null, token: null, uploadId: 'upl_2' }),
  ])
  expect(new Set(different).size).toBe(different.length)
  expect(await name({ token: 'renewed', oauth })).toBe(await name({ oauth }))
})

test('no secret of an account is stored with its name', async () => {
  const { rows } = await sql<{ row: string }>`select row_to_json(imports)::text as row from imports`.execute(whole.db)
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) {
    expect(row).not.toContain(deskKey)
    expect(row).not.toContain(harbourToken)
  }
})
