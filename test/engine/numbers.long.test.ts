import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PortalImport } from '../../service/src/portal/contract.ts'
import type { PortalRecord, PortalSums } from '../../service/src/portal/records-contract.ts'
import { fernhillCounts, presentIn } from './check-harbour.ts'
import { openHarbour } from './harbour-client.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
let whole: WholeService
let portal: Portal
beforeAll(async () => {
  whole = await startWholeService()
  portal = await whole.openPortal()
  await portal.connect()
  await portal.look('/plan')
}, 900_000)
afterAll(() => whole?.close())

const sumOf = (numbers: Record<string, number>) => Object.values(numbers).reduce((sum, one) => sum + one, 0)
const filled = (numbers: Record<string, number>) =>
  Object.fromEntries(Object.entries(numbers).filter(([, one]) => one > 0))

/** Harbour's own counts, by entity. */
async function inHarbour(): Promise<Record<string, number>> {
  const there: Record<string, number> = {}
  for (const key of await presentIn(whole)) {
    const entity = String(key.split('/')[1])
    there[entity] = (there[entity] ?? 0) + 1
  }
  return there
}

async function look() {
  const imp: PortalImport = (await portal.act('GET', '')).json
  const sums: PortalSums = (await portal.act('GET', '/sums')).json
  const of = (state: string) =>
    filled(
      Object.fromEntries(Object.entries(sums.entities).map(([entity, { states }]) => [entity, states[state] ?? 0])),
    )
  const found = Object.values(sums.entities).reduce((sum, { states }) => sum + sumOf(states), 0)
  return { imp, sums, of, found }
}

/** Expects that all numbers of the portal about the same thing are equal. */
async function expectOneTruth() {
  const there = await inHarbour()
  const seen = await look()
  const { imp, of } = seen
  const partner = await whole.asPartner('GET', `/imports/${portal.id}`)
  expect(imp.items).toEqual(there)
  expect(of('written')).toEqual(there)
  expect([partner.items, partner.progress]).toEqual([imp.items, imp.progress])
  const parts = imp.run?.entities.reduce((sum, { done }) => sum + done, 0)
  expect([imp.run?.kind, parts]).toEqual([imp.run?.kind, imp.progress.done])
  const lists = imp.warnings.filter(({ code }) => !code.includes(':'))
  for (const { code, entity, count } of lists) {
    const { records } = (await portal.act('GET', `/records?code=${code}&entity=${entity}`)).json
    const words = `${entity} ${code}`
    expect([words, (records as PortalRecord[]).length]).toEqual([words, count])
  }
  return seen
}

const checkedOf = ({ entities }: PortalSums) =>
  Object.fromEntries(
    Object.entries(entities).map(([entity, { checked }]) => [entity, checked.same + checked.different] as const),
  )

test('all numbers agree with both tools, from the sample to the next sample', limit, async () => {
  await portal.run('sample', 'sample_migration_completed')
  const first = await expectOneTruth()
  expect(first.of('removed')).toEqual({})
  // The verification reads back the whole sample, including files.
  expect(filled(checkedOf(first.sums))).toEqual(first.of('written'))

  await portal.sponsor()
  await portal.run('full', 'migration_completed')
  const full = await expectOneTruth()
  expect(full.found).toBe(sumOf(fernhillCounts))
  expect(full.imp.progress).toEqual({ done: full.found, total: full.found })
  const read = sumOf(checkedOf(full.sums))
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(sumOf(full.of('written')))

  await openHarbour({ harbour: whole.harbour, importId: portal.id }).change('tickets', '3', { subject: 'Other words' })
  expect(await portal.act('POST', '/runs', { kind: 'check' })).toMatchObject({ status: 201 })
  const checked = await vi.waitFor(
    async () => {
      const seen = await look()
      expect(seen.sums.check).toMatchObject({ state: 'finished' })
      return seen
    },
    { timeout: 300_000, interval: 200 },
  )
  expect(filled(checkedOf(checked.sums))).toEqual(checked.of('written'))
  expect(checked.sums.check?.done).toBe(sumOf(checked.of('written')))
  expect(checked.sums.entities.tickets?.checked.different).toBe(1)
  await expectOneTruth()

  await portal.act('POST', '/runs', { kind: 'preview' })
  const preview: PortalSums = await portal.look('/sums')
  const findings = Object.values(preview.entities).reduce((sum, { undo }) => sum + (undo.edited ?? 0), 0)
  await portal.run('undo', 'migration_cleaned')
  const undone = await expectOneTruth()
  expect(sumOf(undone.of('written'))).toBe(findings)
  expect(findings).toBeGreaterThan(0)
  expect(undone.found).toBe(full.found)

  expect((await portal.act('POST', '/start-over', {})).status).toBe(200)
  await portal.run('sample', 'sample_migration_completed')
  const second = await expectOneTruth()
  expect(second.of('removed')).toEqual({})
  expect(second.of('refused')).toEqual(first.of('refused'))
  expect(second.of('held')).toEqual(first.of('held'))
})
