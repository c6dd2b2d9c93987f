import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PortalPlanEntity } from '../../service/src/portal/mapping-contract.ts'
import { type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { openPartial, partial, shortfall } from './partial-desk.ts'

let service: WholeService
let portal: Portal
beforeAll(async () => {
  service = await startWholeService({ connectors: [partial] })
  portal = await openPartial(service)
})
afterAll(() => service?.close())

const warnings = async () => {
  const { json } = await portal.act('GET', '')
  return (json.warnings as { code: string; entity: string; count: number }[])
    .filter(({ code }) => code.endsWith('_by_source') || code === 'list_withheld')
    .map(({ code, entity, count }) => [code, entity, count])
}
const all = (older: number, archived: number) => [
  ['list_withheld', 'articles', 1],
  ['truncated_by_source', 'tickets', older],
  ['withheld_by_source', 'tickets', archived],
]

test('the plan shows both numbers, and the count of the entity excludes withheld records', async () => {
  const plan = await portal.look('/plan')
  const tickets = (plan.entities as PortalPlanEntity[]).find(({ entity }) => entity === 'tickets')
  expect(tickets).toMatchObject({ total: 120, withheld: 57 })
  const told = tickets?.losses.filter(({ code }) => code.endsWith('_by_source'))
  expect(told?.map(({ code, count }) => [code, count])).toEqual([
    ['truncated_by_source', 312],
    ['withheld_by_source', 57],
  ])
  expect(told?.[0]?.examples).toMatchObject([{ number: '1001' }])
  const articles = (plan.entities as PortalPlanEntity[]).find(({ entity }) => entity === 'articles')
  expect(articles?.losses.map(({ code }) => code)).toContain('list_withheld')
})

test('results and report name both numbers, and a later run names its own numbers', async () => {
  await portal.run('sample', 'sample_migration_completed')
  await portal.sponsor()
  await portal.run('full', 'migration_completed')
  expect((await warnings()).sort()).toEqual(all(312, 57))
  const report = await fetch(`${service.origin}/portal/imports/${portal.id}/report.csv`, {
    headers: { cookie: portal.cookie },
  }).then((answer) => answer.text())
  expect(report).toMatch(/tickets.*truncated_by_source truncated_by_source\*312/)
  expect(report).toContain('such as archived ones. They were not copied. (57)')
  expect(report).toContain('does not open a list of these records')

  Object.assign(shortfall, { archived: 0, older: 1, articles: 0 })
  await portal.run('delta', 'migration_completed')
  expect((await warnings()).filter(([code]) => code !== 'truncated_by_source')).toEqual([])
})
