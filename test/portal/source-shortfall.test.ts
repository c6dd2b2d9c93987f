import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connector, Reader, RecordPage } from '../../service/src/connectors/contract.ts'
import { fernhill } from '../../service/src/connectors/fernhill/index.ts'
import type { PortalPlanEntity } from '../../service/src/portal/mapping-contract.ts'
import { deskKey, harbourToken, type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'

const { source } = fernhill
if (!source) throw new Error('Fernhill Desk is a source')
/** How many tickets are archived, and how many comments of the first ticket are beyond the newest ones. */
const shortfall = { archived: 57, older: 312 }

/** Fernhill Desk as a tool that keeps an archive, and hands out the newest comments of a ticket only. */
const partial: Connector = {
  ...fernhill,
  tool: 'partial',
  label: 'Partial Desk',
  source: {
    ...source,
    open(account, family) {
      const reader = source.open(account, family)
      const { readSome } = reader
      const tell = (entity: string, page: RecordPage): RecordPage => ({
        ...page,
        warnings: [
          ...page.warnings,
          ...page.items
            .filter(({ fields }) => entity === 'tickets' && String(fields.number) === '1001')
            .map(({ sourceId }) => ({
              entity,
              sourceId,
              code: 'truncated_by_source' as const,
              message: `It has ${shortfall.older} older comments.`,
              count: shortfall.older,
            })),
        ],
      })
      return {
        ...reader,
        countWithheld: async () => ({ tickets: shortfall.archived, nonsense: 3 }),
        read: async (entity, ...rest) => tell(entity, await reader.read(entity, ...rest)),
        ...(readSome && {
          readSome: async (...asked: Parameters<NonNullable<Reader['readSome']>>) =>
            tell(asked[0], await readSome(...asked)),
        }),
      }
    },
  },
}

const limit = { timeout: 400_000 }
let service: WholeService
let portal: Portal
beforeAll(async () => {
  service = await startWholeService({ connectors: [partial] })
  portal = await service.openPortal({ source_tool: 'partial' })
  const connect = (role: string, body: object) => portal.act('PUT', `/accounts/${role}`, body)
  await connect('source', { instance_url: service.fernhill.url, token: deskKey })
  await connect('destination', { instance_url: service.harbour.baseUrl, token: harbourToken })
})
afterAll(() => service?.close())

const warnings = async () => {
  const { json } = await portal.act('GET', '')
  return (json.warnings as { code: string; entity: string; count: number }[])
    .filter(({ code }) => code.endsWith('_by_source'))
    .map(({ code, entity, count }) => [code, entity, count])
}
const both = (older: number, archived: number) => [
  ['truncated_by_source', 'tickets', older],
  ['withheld_by_source', 'tickets', archived],
]

test('the plan tells both numbers, and the count of the entity says what is not in it', limit, async () => {
  const plan = await portal.look('/plan')
  const tickets = (plan.entities as PortalPlanEntity[]).find(({ entity }) => entity === 'tickets')
  expect(tickets).toMatchObject({ total: 120, withheld: 57 })
  const told = tickets?.losses.filter(({ code }) => code.endsWith('_by_source'))
  expect(told?.map(({ code, count }) => [code, count])).toEqual([
    ['truncated_by_source', 312],
    ['withheld_by_source', 57],
  ])
  expect(told?.[0]?.examples).toMatchObject([{ number: '1001' }])
})

test('results and report tell them, and a later run tells the numbers of then', limit, async () => {
  await portal.run('sample', 'sample_migration_completed')
  await portal.sponsor()
  await portal.run('full', 'migration_completed')
  expect(await warnings()).toEqual(both(312, 57))
  const report = await fetch(`${service.origin}/portal/imports/${portal.id}/report.csv`, {
    headers: { cookie: portal.cookie },
  }).then((answer) => answer.text())
  expect(report).toMatch(/tickets.*truncated_by_source truncated_by_source\*312/)
  expect(report).toContain('such as archived ones. They were not copied. (57)')

  Object.assign(shortfall, { archived: 0, older: 1 })
  await portal.run('delta', 'migration_completed')
  expect((await warnings()).filter(([code]) => code === 'withheld_by_source')).toEqual([])
})
