import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
let whole: WholeService
beforeAll(async () => {
  whole = await startWholeService()
}, 900_000)
afterAll(() => whole.close())

interface Described {
  entity: string
  fields: { name: string; to: string | null; reason: string | null; values: { value: string; to: string | null }[] }[]
}

const fieldOf = (entities: Described[], entity: string, name: string) =>
  entities.find((one) => one.entity === entity)?.fields.find((field) => field.name === name)

const savedTicket = async (portal: Portal, sourceId: string) =>
  (await portal.act('GET', `/records/tickets/${sourceId}`)).json

describe('a plan and a mapping', () => {
  let portal: Portal
  beforeAll(async () => {
    portal = await whole.openPortal()
    expect((await portal.act('GET', '/plan')).json).toMatchObject({ state: 'none', entities: [] })
    expect((await portal.act('GET', '/mapping')).status).toBe(422)
    await portal.connect()
  })

  test('count the source records before anything is written', limit, async () => {
    const plan = await portal.look('/plan')
    const tickets = plan.entities.find((entity: Described) => entity.entity === 'tickets')
    expect(tickets).toMatchObject({ total: 120, looked_at: 120, oldest: '1998-01-12T09:30:00.000Z', is_taken: true })
    expect(fieldOf(plan.entities, 'tickets', 'subject')).toMatchObject({ to: 'subject', reason: null, filled: 119 })
    expect(fieldOf(plan.entities, 'tickets', 'custom:order_number')).toMatchObject({ to: 'custom:order_number' })
    expect(plan.destination).toMatchObject({
      keeps_times: true,
      sends_no_mail: true,
      can_undo: true,
      delivery_class: 'A',
    })
    expect((await whole.asPartner('GET', `/imports/${portal.id}`)).items).toEqual({})
  })

  test('show the result of each value, and try a change on a real record', limit, async () => {
    const { json } = await portal.act('GET', '/mapping')
    expect(json.version).toBe(0)
    expect(fieldOf(json.entities, 'tickets', 'priority')?.values).toContainEqual({
      value: 'urgent',
      count: expect.any(Number),
      to: 'urgent',
      is_chosen: false,
    })
    const changes = {
      entities: { tickets: { fields: { channel: { to: null }, priority: { values: { urgent: 'high' } } } } },
    }
    const preview = await portal.act('POST', '/mapping/preview', { entity: 'tickets', source_id: '1', changes })
    expect(preview).toMatchObject({ status: 200, json: { source_id: '1', stored: null, differences: [] } })
    expect(preview.json.mapped.fields.channel).toBeUndefined()
    expect(preview.json.mapped.fields.requester).toMatch('/contacts/')
    expect(preview.json.warnings).not.toContain('relation_lost')
    expect(preview.json.mapped.fields.subject).toBe(preview.json.source.fields.subject)
  })

  test('name each field and value that does not exist on its side, and refuse it', async () => {
    const put = (changes: unknown, version: unknown = 0) =>
      portal.act('PUT', '/mapping', { version, changes } as object)
    const wrong = [
      [{ entities: { planets: {} } }, 'entities.planets'],
      [{ entities: { tickets: { fields: { nosuch: { to: 'subject' } } } } }, 'entities.tickets.fields.nosuch'],
      [{ entities: { tickets: { fields: { subject: { to: 'nosuch' } } } } }, 'entities.tickets.fields.subject.to'],
      [
        { entities: { tickets: { fields: { priority: { values: { urgent: 'purple' } } } } } },
        'entities.tickets.fields.priority.values.urgent',
      ],
      [{ entities: { tickets: { constants: { status: 'purple' } } } }, 'entities.tickets.constants.status'],
      [{ entities: { tickets: { only: { nosuch: ['a'] } } } }, 'entities.tickets.only.nosuch'],
      [{ entities: { tickets: { created_after: 'yesterday' } } }, 'entities.tickets.created_after'],
      [{ entities: { tickets: { created_after: '2026-02-31' } } }, 'entities.tickets.created_after'],
      [
        { entities: { tickets: { created_after: '2026-03-01', created_before: '2026-02-01' } } },
        'entities.tickets.created_after',
      ],
      [{ entities: { tickets: { fields: { subject: { to: null } } } } }, 'entities.tickets.fields.subject.to'],
      // Another field has this target by default, so the customer must also choose a target for that field.
      [{ entities: { tickets: { fields: { channel: { to: 'subject' } } } } }, 'entities.tickets.fields.channel.to'],
      [
        {
          entities: {
            tickets: { fields: { number: { to: null }, channel: { to: 'number' }, subject: { to: 'number' } } },
          },
        },
        'entities.tickets.fields.subject.to',
      ],
      [
        { entities: { tickets: { fields: { requester: { to: null }, number: { to: 'requester' } } } } },
        'entities.tickets.fields.number.to',
      ],
      [
        { entities: { tickets: { fields: { group: { to: null }, assignee: { to: 'group' } } } } },
        'entities.tickets.fields.assignee.to',
      ],
      [
        { entities: { tickets: { fields: { group: { to: null }, requester: { to: 'group' } } } } },
        'entities.tickets.fields.requester.to',
      ],
      [{ entities: [] }, 'entities'],
      ['text', 'changes'],
      [{ default_user: 'nobody' }, 'default_user'],
    ] as const
    for (const [changes, path] of wrong) {
      const answer = await put(changes)
      expect([answer.status, Object.keys(answer.json)], JSON.stringify(changes)).toEqual([422, [path]])
    }
    expect((await put({}, -1)).status).toBe(422)
    expect((await portal.act('PUT', '/people', [] as object)).status).toBe(422)
    expect((await portal.act('POST', '/mapping/preview', { entity: 'tickets', source_id: 5 })).status).toBe(422)
    expect((await portal.act('GET', '/records?entity=planets')).status).toBe(422)
    expect((await put({}, 7)).json).toHaveProperty('version')
  })

  test('people are matched by e-mail, and the customer matches the rest', limit, async () => {
    const { json } = await portal.act('GET', '/people')
    const unmatched = json.people.filter(
      (person: { destination_user_id: string | null }) => !person.destination_user_id,
    )
    expect(unmatched.length).toBeGreaterThan(0)
    const [person] = unmatched
    const [someone] = json.destination
    const before = (await whole.asPartner('GET', `/imports/${portal.id}`)).users.matched
    expect((await portal.act('PUT', '/people', { [person.source_user_id]: someone.user_id })).status).toBe(204)
    expect((await whole.asPartner('GET', `/imports/${portal.id}`)).users.matched).toBe(before + 1)
    expect((await portal.act('PUT', '/people', { [person.source_user_id]: 'no-such' })).status).toBe(422)
    expect((await portal.act('PUT', '/people', { 'no-such': someone.user_id })).status).toBe(422)
    expect((await portal.act('PUT', '/people', { [person.source_user_id]: 5 })).status).toBe(422)
  })

  test('a sample follows the mapping, and a changed mapping rewrites earlier records', limit, async () => {
    const first = { entities: { tickets: { fields: { channel: { to: null } } } } }
    expect(await portal.act('PUT', '/mapping', { version: 0, changes: first })).toEqual({
      status: 200,
      json: { version: 1 },
    })
    await portal.run('sample', 'sample_migration_completed', { records: [{ entity: 'tickets', source_id: '77' }] })
    const ticket = await savedTicket(portal, '77')
    expect(ticket.differences).toEqual([])
    expect(ticket.stored.fields).toMatchObject({ subject: ticket.source.fields.subject })
    expect(ticket.stored.fields.channel).toBeUndefined()
    // People to whom a chosen record refers are copied.
    expect(ticket.stored.fields.requester).toBeTruthy()

    const second = {
      entities: {
        tickets: { fields: { channel: { to: null }, subject: { to: 'channel' } }, constants: { subject: 'As asked' } },
      },
    }
    expect((await portal.act('PUT', '/mapping', { version: 1, changes: second })).json).toEqual({ version: 2 })
    const before = (await whole.asPartner('GET', `/imports/${portal.id}`)).items
    const after = await portal.run('sample', 'sample_migration_completed')
    // The ticket without a subject has one now, so it arrives, and so does the comment that waited for it.
    expect(after.items).toEqual({ ...before, tickets: before.tickets + 1, comments: before.comments + 1 })
    expect(JSON.stringify(after.warnings)).not.toMatch(/refused|held/)
    const changed = await savedTicket(portal, '77')
    expect(changed.stored.fields).toMatchObject({ subject: 'As asked', channel: ticket.source.fields.subject })
    expect(changed.stored.url).toBe(ticket.stored.url)
  })

  test('records that the customer leaves out are listed as such, with their children', limit, async () => {
    const changes = {
      entities: {
        articles: { include: false },
        tickets: { only: { status: ['open', 'new'] }, created_after: '2000-01-01' },
      },
    }
    expect((await portal.act('PUT', '/mapping', { version: 2, changes })).status).toBe(200)
    await portal.sponsor()
    const full = await portal.run('full', 'migration_completed')
    const { json: sums } = await portal.act('GET', '/sums')
    const { states } = sums.entities.tickets
    expect(states.filtered).toBeGreaterThan(30)
    expect(states.filtered + states.written + (states.refused ?? 0)).toBe(120)
    const comments = sums.entities.comments.states
    expect(comments.filtered + comments.written + (comments.held ?? 0)).toBe(511)
    expect(full.items.tickets).toBe(states.written)
  })
})

describe('another import', () => {
  test('sees nothing of this import, and neither does anybody without a session', async () => {
    const [one, other] = [await whole.openPortal(), await whole.openPortal()]
    for (const path of ['/plan', '/mapping', '/people', '/records', '/sums', '/records/tickets/1']) {
      const asOther = await fetch(`${whole.origin}/portal/imports/${one.id}${path}`, {
        headers: { cookie: other.cookie },
      })
      const asNobody = await fetch(`${whole.origin}/portal/imports/${one.id}${path}`)
      expect([path, asOther.status, asNobody.status]).toEqual([path, 401, 401])
    }
    for (const [method, path] of [
      ['PUT', '/mapping'],
      ['PUT', '/people'],
      ['POST', '/mapping/preview'],
      ['POST', '/pause'],
      ['POST', '/start-over'],
    ] as const) {
      const foreign = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site', cookie: one.cookie }
      const answer = await fetch(`${whole.origin}/portal/imports/${one.id}${path}`, {
        method,
        headers: foreign,
        body: '{}',
      })
      expect([path, answer.status]).toEqual([path, 400])
    }
  })
})
