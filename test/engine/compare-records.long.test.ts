import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHarbour } from './harbour-client.ts'
import { deskKey, type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }

interface Compared {
  name: string
  verdict: 'same' | 'changed' | 'lost' | 'added'
  reasons: string[]
  source: { value: unknown; names: { title: string; number: string | null }[] | null }
  stored: { value: unknown; names: { title: string; number: string | null }[] | null }
}
interface Listed {
  entity: string
  source_id: string
  title?: string
  number?: string | null
  comparison?: { verdict: string; fields: string[] }
}

describe('a record of the sample beside its original', () => {
  let whole: WholeService
  let portal: Portal
  let tickets: Listed[]
  beforeAll(async () => {
    whole = await startWholeService()
    portal = await whole.openPortal()
    await portal.connect()
    await portal.look('/plan')
    const changes = {
      entities: { tickets: { fields: { channel: { to: null }, priority: { values: { urgent: 'high', low: null } } } } },
    }
    expect(await portal.act('PUT', '/mapping', { version: 0, changes })).toMatchObject({ status: 200 })
    await portal.run('sample', 'sample_migration_completed')
    const answer = await portal.act('GET', '/records?entity=tickets&compare=true&limit=50')
    expect(answer.status).toBe(200)
    tickets = answer.json.records
  }, 900_000)
  afterAll(() => whole?.close())

  const view = async (entity: string, id: string) => {
    const { json } = await portal.act('GET', `/records/${entity}/${encodeURIComponent(id)}`)
    const fields: Compared[] = json.compared
    return { json, fields, of: (name: string) => fields.find((field) => field.name === name) }
  }
  /** The comparisons of the tickets that arrived. */
  const views = async () => {
    const there = tickets.filter(({ comparison }) => comparison?.verdict !== 'missing')
    return Promise.all(there.map(({ source_id }) => view('tickets', source_id)))
  }

  test('a field that the customer left out is lost, with that reason', limit, async () => {
    const channels = (await views()).flatMap(({ of }) => of('channel') ?? [])
    expect(channels.length).toBeGreaterThan(5)
    for (const channel of channels) expect(channel).toMatchObject({ verdict: 'lost', reasons: ['left_out'] })
  })

  test('a value that the customer changed or emptied is marked as changed', limit, async () => {
    const all = (await views()).flatMap(({ of }) => of('priority') ?? [])
    const by = (value: string) => all.filter(({ source }) => source.value === value)
    for (const one of by('urgent'))
      expect(one).toMatchObject({ verdict: 'changed', reasons: ['chosen'], stored: { value: 'high' } })
    for (const one of by('low')) expect(one).toMatchObject({ verdict: 'lost', reasons: ['chosen'] })
    for (const one of by('normal')) expect(one).toMatchObject({ verdict: 'same', reasons: [] })
    expect(by('urgent').length + by('low').length).toBeGreaterThan(1)
  })

  test(
    'a person without an account is lost with that reason, and others have their names on both sides',
    limit,
    async () => {
      const all = (await views()).flatMap(({ of }) => of('assignee') ?? [])
      const lost = all.filter(({ verdict }) => verdict === 'lost')
      const kept = all.filter(({ verdict }) => verdict === 'same')
      expect(lost.length).toBeGreaterThan(0)
      expect(kept.length).toBeGreaterThan(0)
      for (const one of lost) expect(one.reasons).toEqual(['user_not_matched'])
      for (const one of kept) expect(one.stored.names?.[0]?.title).toMatch(/\p{Letter}/u)
      for (const one of all) expect(one.source.names?.[0]?.title).toMatch(/\p{Letter}/u)
    },
  )

  test('a link to another record is shown by its name', limit, async () => {
    const seen = await views()
    const requesters = seen.flatMap(({ of }) => of('requester') ?? [])
    const kept = requesters.filter(({ verdict }) => verdict === 'same')
    expect(kept.length).toBeGreaterThan(5)
    for (const { source, stored } of kept) {
      expect(source.names?.[0]?.title).toMatch(/\p{Letter}{2}/u)
      expect(stored.names).toEqual(source.names)
    }
  })

  test('the list has titles, visible numbers, and the same verdict as the record itself', limit, async () => {
    expect(tickets.length).toBeGreaterThan(10)
    for (const { source_id, title, number, comparison } of tickets) {
      const { json } = await view('tickets', source_id)
      expect({ title, number, verdict: comparison?.verdict }).toEqual({
        title: json.title,
        number: json.number,
        verdict: json.verdict,
      })
    }
    expect(new Set(tickets.map(({ comparison }) => comparison?.verdict))).not.toContain('same')
    expect(tickets.some(({ title }) => /\p{Letter}{3}/u.test(title ?? ''))).toBe(true)
    expect(tickets.every(({ number }) => typeof number === 'string')).toBe(true)
  })

  test('a change in the destination is a difference with its own reason', limit, async () => {
    const one = tickets.find(({ comparison }) => comparison?.verdict === 'as_chosen') ?? tickets[0]
    const id = String(one?.source_id)
    await openHarbour({ harbour: whole.harbour, importId: portal.id }).change('tickets', id, { subject: 'Other words' })
    const { of, json } = await view('tickets', id)
    expect(of('subject')).toMatchObject({ verdict: 'changed', reasons: ['edited'], stored: { value: 'Other words' } })
    expect(json.verdict).toBe('differs')
  })

  /** Predicts how the description of a new ticket will arrive. */
  const foresee = async (description: string) => {
    const created = await fetch(`${whole.fernhill.url}/api/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${deskKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subject: 'A long story', description, requester_id: 4 }),
    })
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: number }
    const question = { entity: 'tickets', source_id: String(id), changes: {} }
    const { status, json } = await portal.act('POST', '/mapping/preview', question)
    expect(status).toBe(200)
    return json.compared as Compared[]
  }
  const story = 'Once more. '.repeat(20_000)

  test('a loss at the end of a long text is reported at its field', limit, async () => {
    const compared = await foresee(`<p>${story}</p><iframe src="https://maps.example/1"></iframe>`)
    const described = compared.find(({ name }) => name === 'description')
    expect(described).toMatchObject({ verdict: 'changed', reasons: ['text_embed_linked'] })
    expect(compared.find(({ name }) => name === 'subject')).toMatchObject({ verdict: 'same', reasons: [] })
    expect(described?.source.value).toMatchObject({ body: expect.stringMatching(/^.{100000}…$/s) })
  })

  test('a text whose shown beginning has no words is compared with itself', limit, async () => {
    for (const hidden of [`<!-- ${story} -->`, `<img alt="" src="data:image/png;base64,${'A'.repeat(120_000)}">`]) {
      const compared = await foresee(`${hidden}<p>Good morning</p>`)
      const described = compared.filter(({ name }) => name === 'description')
      expect(described.map(({ verdict }) => verdict)).not.toContain('added')
      expect(described[0]?.stored.value).toMatch(/Good morning|^<img/)
    }
  })

  test('a cut text ends with a whole character', limit, async () => {
    const compared = await foresee(`<p>Ship${'\u{1f6a2}'.repeat(60_000)}</p>`)
    const value = compared.find(({ name }) => name === 'description')?.source.value as { body: string }
    expect(value.body.isWellFormed()).toBe(true)
  })

  test('a ticket has its comments and files beside the original', limit, async () => {
    const threads = await Promise.all(
      tickets
        .slice(0, 12)
        .map(async ({ source_id }) => (await portal.act('GET', `/threads/tickets/${source_id}`)).json),
    )
    const comments = threads.flatMap(({ records }) => records).filter(({ entity }) => entity === 'comments')
    const files = threads.flatMap(({ records }) => records).filter(({ entity }) => entity === 'attachments')
    expect(comments.length).toBeGreaterThan(10)
    expect(files.length).toBeGreaterThan(0)
    for (const { compared, verdict } of comments) {
      const body = compared.find(({ name }: Compared) => name === 'body')
      expect(body.source.value.body.length).toBeGreaterThan(0)
      expect(['same', 'as_chosen', 'differs', 'missing']).toContain(verdict)
    }
    const internal = comments.flatMap(({ compared, verdict }) =>
      (verdict === 'missing' ? [] : (compared as Compared[])).filter(
        ({ name, source }) => name === 'is_public' && source.value === false,
      ),
    )
    expect(internal.length).toBeGreaterThan(0)
    // Harbour returns nothing for false, which is no loss.
    for (const one of internal) expect(one).toMatchObject({ verdict: 'same', stored: { value: false } })
    const { status } = await portal.act('GET', '/threads/planets/1')
    expect(status).toBe(404)
  })
})
