import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PortalLoss, PortalPlan } from '../../service/src/portal/mapping-contract.ts'
import { zipOf } from '../connectors/csv-upload.ts'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { type CsvPortal, type CsvService, startCsvService } from './csv-service.ts'
import { waitForPlan } from './wait-for-plan.ts'

const limit = { timeout: 900_000 }

/**
 * Kinds of losses as `entity code`, with the number of records. A record with the same loss in two fields counts once
 * in a run.
 */
const foreseen = ({ entities }: PortalPlan) =>
  Object.fromEntries(
    entities.flatMap(({ entity, losses }) =>
      [...Map.groupBy(losses, ({ code }) => code)].map(([code, some]) => [
        `${entity} ${code}`,
        Math.max(...some.map(({ count }) => count)),
      ]),
    ),
  )

const reported = (warnings: { entity: string; code: string; count: number }[]) =>
  Object.fromEntries(
    warnings
      .filter(({ entity, code }) => entity !== 'import' && !code.startsWith('skipped:'))
      .map(({ entity, code, count }) => [`${entity} ${code}`, count]),
  )

const lossesOf = (plan: PortalPlan, entity: string, code: string): PortalLoss[] =>
  plan.entities.find((one) => one.entity === entity)?.losses.filter((loss) => loss.code === code) ?? []

describe('foreseen losses in a plan of a help desk', () => {
  let service: WholeService
  beforeAll(async () => {
    service = await startWholeService()
  })
  afterAll(() => service.close())

  test('equal the report of the full migration of the same data, kind by kind', limit, async () => {
    const portal = await service.openPortal()
    await portal.connect()
    const plan: PortalPlan = await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
    await portal.sponsor()
    const done = await portal.run('full', 'migration_completed')
    expect(foreseen(plan)).toEqual(reported(done.warnings))
    const [large] = lossesOf(plan, 'attachments', 'file_too_large')
    expect(large?.examples[0]?.title).toMatch(/\.\w+$/)
  })
})

describe('foreseen losses in a plan of uploaded files', () => {
  let service: CsvService
  beforeAll(async () => {
    service = await startCsvService()
  })
  afterAll(() => service.close())

  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const table = (header: string, rows: string[][]) =>
    [header, ...rows.map((row) => row.map(cell).join(','))].join('\r\n')

  /** A ticket with each kind of problem, and one without any. */
  const tickets = table('id,number,subject,description,status,priority,assignee,requester_id,due_at,channel', [
    ['1', 'T-1', 'Rake', 'Fine', 'open', 'low', '', 'c1', '2024-05-06', 'web'],
    ['2', 'T-2', 'Spade', 'Odd status', 'Waiting for parts', 'low', '', 'c1', '', 'web'],
    ['3', 'T-3', 'Hoe', 'Odd status, too', 'Waiting for parts', 'nuclear', '', 'c1', '', 'web'],
    ['4', 'T-4', '', 'No subject', 'open', 'low', '', 'c1', '', 'web'],
    ['5', 'T-5', `Long ${'x'.repeat(1_200)}`, 'Too long', 'open', 'low', '', 'c1', '', 'web'],
    ['6', 'T-6', 'Fork', 'Stranger', 'open', 'low', 'nobody@elsewhere.example', 'c1', '', 'web'],
    ['7', 'T-7', 'Shears', 'No such contact', 'open', 'low', '', 'c9', '', 'web'],
    ['8', 'T-8', 'Trowel', 'No such day', 'open', 'low', '', 'c1', '2024-02-31', 'web'],
    ['8', 'T-9', 'Dibber', 'The same id', 'open', 'low', '', 'c1', '', 'web'],
  ])
  const contacts = table('id,name,email', [['c1', 'Ada', 'ada@post.example']])
  const comments = table('id,ticket_id,body,public', [
    ['k1', '1', 'Fine', 'true'],
    ['k2', '4', 'Its ticket is refused', 'true'],
  ])

  async function connect(files: Record<string, string>): Promise<CsvPortal> {
    const portal = await service.openPortal()
    const { id, json } = await portal.upload(
      'export.zip',
      zipOf(Object.entries(files).map(([name, content]) => ({ name, content }))),
    )
    expect(json).toMatchObject({ state: 'ready' })
    expect(await portal.connectSource(id)).toMatchObject({ status: 200 })
    expect((await portal.connectDestination()).status).toBe(200)
    await portal.until('waiting_to_start_sample_migration')
    return portal
  }

  test('equal the report of the full migration, with values and examples', limit, async () => {
    const portal = await connect({ 'tickets.csv': tickets, 'contacts.csv': contacts, 'comments.csv': comments })
    const plan = await waitForPlan(portal)
    expect(lossesOf(plan, 'tickets', 'option_not_offered')).toMatchObject([
      { field: 'status', count: 2, values: [{ value: 'Waiting for parts', count: 2 }], is_decidable: true },
      { field: 'priority', count: 1, values: [{ value: 'nuclear', count: 1 }] },
    ])
    expect(lossesOf(plan, 'tickets', 'refused')).toMatchObject([
      { field: 'subject', count: 1, examples: [{ source_id: '4', number: 'T-4', title: 'No subject' }] },
    ])
    expect(lossesOf(plan, 'tickets', 'text_cut')).toMatchObject([{ field: 'subject', count: 1 }])
    expect(lossesOf(plan, 'comments', 'held')).toMatchObject([
      { count: 1, examples: [{ title: 'Its ticket is refused' }] },
    ])
    const { mapped, whole, undecided } = plan.entities.find(({ entity }) => entity === 'tickets') ?? {}
    expect([mapped, whole, undecided]).toEqual([9, 1, 7])

    expect(Object.keys(foreseen(plan)).sort()).toEqual([
      'comments held',
      'tickets duplicate_id',
      'tickets option_not_offered',
      'tickets refused',
      'tickets relation_lost',
      'tickets text_cut',
      'tickets user_not_matched',
      'tickets value_unreadable',
    ])

    expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
    await portal.until('sample_migration_completed')
    await service.asPartner('POST', `/imports/${portal.id}/payment/accept`)
    expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
    const done = await portal.until('migration_completed')
    expect(foreseen(plan)).toEqual(reported(done.warnings))
  })

  test('go down when the customer has decided and the plan is made again', limit, async () => {
    const portal = await connect({ 'tickets.csv': tickets, 'contacts.csv': contacts, 'comments.csv': comments })
    const before = await waitForPlan(portal)
    expect(before.is_outdated).toBe(false)
    const changes = {
      entities: {
        tickets: {
          fields: { status: { values: { 'Waiting for parts': 'on_hold' } }, priority: { values: { nuclear: null } } },
          constants: { subject: '(no subject)' },
        },
      },
    }
    expect(await portal.act('PUT', '/mapping', { version: 0, changes })).toMatchObject({ status: 200 })
    expect((await portal.act<PortalPlan>('GET', '/plan')).json.is_outdated).toBe(true)
    expect((await portal.act('POST', '/runs', { kind: 'plan' })).status).toBe(201)
    const after = await waitForPlan(portal)
    expect(after.is_outdated).toBe(false)
    const kinds = Object.keys(foreseen(after))
    expect(kinds).not.toContain('tickets option_not_offered')
    expect(kinds).not.toContain('tickets refused')
    expect(kinds).not.toContain('tickets required_empty')
    expect(kinds).not.toContain('comments held')
    expect(kinds).toContain('tickets text_cut')
  })

  test('are empty where nothing is lost', limit, async () => {
    const portal = await connect({
      'tickets.csv': table('id,subject,status', [['1', 'Rake', 'open']]),
      'contacts.csv': contacts,
    })
    const plan = await waitForPlan(portal)
    expect(foreseen(plan)).toEqual({})
    expect(plan.entities.filter(({ mapped }) => mapped > 0)).toMatchObject([{ whole: 1 }, { whole: 1 }])
  })
})
