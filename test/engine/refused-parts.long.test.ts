import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { ObstacleError } from '../../service/src/errors.ts'
import { startHelpScoutTwin } from '../twins/helpscout/twin.ts'
import { commentsOf } from '../twins/zendesk/comments.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { crashAt } from './crash-at.ts'
import { type Journey, startJourney } from './journey.ts'
import { smallDesk } from './small-desk.ts'
import type { PassedRequest, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** The word that a destination of these tests refuses in a comment. */
const bad = 'BADWORD'
const words = 'is not a text that we take'

interface Message {
  text: string
  at: string
}

interface Tool {
  name: string
  url: string
  access: { token: string | null; username?: string | null }
  clock: { advance(ms: number): void }
  /** The texts in a creation of a ticket, the description first; null for another request. */
  inCreation(request: PassedRequest): string[] | null
  /** The text of a comment that is sent by itself; null for another request. */
  alone(request: PassedRequest): string | null
  /** The answer that refuses the message at this place, or the ticket itself, or something that it does not name. */
  refusal(what: number | 'ticket' | 'something'): { status: number; headers: Record<string, string>; body: string }
  /** The messages of each ticket, by its subject. */
  threads(): Map<string, Message[]>
}

const json = { 'content-type': 'application/json' }
const parse = ({ body }: PassedRequest) => JSON.parse(String(body) || 'null')

async function startZendesk(): Promise<Tool> {
  const twin = await startZendeskTwin()
  cleanup.defer(() => twin.close())
  const textOf = (one?: { html_body?: string }) => one?.html_body ?? ''
  return {
    name: 'zendesk',
    url: twin.url,
    access: twin.access,
    clock: twin.clock,
    inCreation: (request) =>
      request.method === 'POST' && request.path.startsWith('/api/v2/imports/tickets')
        ? parse(request).ticket.comments.map(textOf)
        : null,
    alone: (request) =>
      request.method === 'PUT' && request.path.startsWith('/api/v2/tickets/')
        ? textOf(parse(request).ticket.comment)
        : null,
    refusal: (what) => ({
      status: 422,
      headers: json,
      body: JSON.stringify({
        error: 'RecordInvalid',
        description: 'Record validation errors',
        // Zendesk does not say which comment.
        details: {
          [what === 'ticket' ? 'subject' : what === 'something' ? 'base' : 'comment']: [
            { description: `It ${words}`, error: 'InvalidValue' },
          ],
        },
      }),
    }),
    threads: () =>
      new Map(
        twin.account.tickets.list().map((ticket) => [
          String(ticket.subject),
          commentsOf(twin.account, Number(ticket.id)).map(({ html, created_at }) => ({
            text: html,
            at: created_at,
          })),
        ]),
      ),
  }
}

async function startHelpScout(): Promise<Tool> {
  const twin = await startHelpScoutTwin()
  cleanup.defer(() => twin.close())
  return {
    name: 'helpscout',
    url: twin.url,
    access: twin.access,
    clock: twin.clock,
    inCreation: (request) =>
      request.method === 'POST' && request.path.endsWith('/conversations')
        ? parse(request).threads.map(({ text }: { text: string }) => text)
        : null,
    alone: (request) =>
      request.method === 'POST' && /\/conversations\/\d+\/\w+$/.test(request.path)
        ? String(parse(request).text ?? '')
        : null,
    refusal: (what) => ({
      status: 400,
      headers: json,
      body: JSON.stringify({
        message: 'Bad request',
        ...(what !== 'something' && {
          _embedded: { errors: [{ path: what === 'ticket' ? 'subject' : `threads[${what}].text`, message: words }] },
        }),
      }),
    }),
    threads: () =>
      new Map(
        twin.account.conversations
          .list()
          .map(({ subject, threads }) => [
            String(subject),
            threads.map(({ body, createdAt }) => ({ text: String(body), at: createdAt })),
          ]),
      ),
  }
}

const tools = { zendesk: startZendesk, helpscout: startHelpScout }
const comments = 18
const tickets = 4
const subjects = ['First of ours', 'Second of ours'] as const

interface Setup {
  /** Whether the tool refuses a ticket with these texts, whatever its comments are. */
  refusesTicket?: (texts: readonly string[]) => 'ticket' | 'something' | null
  /** What becomes of a creation that the tool does not refuse, by its number. */
  onCreation?: (number: number) => 'ok' | 'lost' | 'dropped'
  isBad?: (number: number) => boolean
}

interface Started {
  journey: Journey
  tool: Tool
  /** The texts of each creation of a ticket. */
  creations: string[][]
  /** The texts of the comments that were sent by themselves and refused. */
  refusedAlone: string[]
}

/** A desk with two tickets of many comments, some of which the destination refuses. */
async function start(name: keyof typeof tools, setup: Setup = {}): Promise<Started> {
  const { refusesTicket = () => null, onCreation = () => 'ok', isBad = (number) => number === 7 } = setup
  const tool = await tools[name]()
  const creations: string[][] = []
  const refusedAlone: string[] = []
  let accepted = 0
  const tamper: Tamper = async (request, pass) => {
    const texts = tool.inCreation(request)
    if (texts) {
      creations.push(texts)
      const refused = refusesTicket(texts)
      if (refused !== null) return tool.refusal(refused)
      const place = texts.findIndex((text) => text.includes(bad))
      if (place >= 0) return tool.refusal(place)
      const fate = onCreation(++accepted)
      if (fate === 'dropped') return 'drop'
      const answer = await pass()
      return fate === 'lost' ? 'drop' : answer
    }
    const text = tool.alone(request)
    if (!text?.includes(bad)) return pass()
    refusedAlone.push(text)
    return tool.refusal(0)
  }
  const { username } = tool.access
  let now = Date.parse('2024-03-01T08:00:00Z')
  const journey = await startJourney({
    deskNow: () => {
      now += 60_000
      return new Date(now)
    },
    between: { source: smallDesk(tickets, subjects.length), destination: tamper },
    destination: { tool: tool.name, url: tool.url, connectors: [], ...(username && { username }) },
  })
  cleanup.defer(() => journey.close())
  const add = async (path: string, body: object) => {
    const answer = await fetch(`${journey.fernhill.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer desk-key', ...json },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as { id: number }
  }
  for (const subject of subjects) {
    const ticket = await add('/tickets', { subject, description: `<p>${subject}</p>`, requester_id: 1 })
    for (let number = 0; number < comments; number++) {
      const mark =
        subject === subjects[0] && isBad(number) ? bad : 'and some more words, because the longest are suspected first'
      const body = `<p>Comment ${number} of ${subject}: ${mark}</p>`
      await add(`/tickets/${ticket.id}/comments`, { author_type: 'contact', author_id: 1, body, public: true })
    }
  }
  await journey.connectSource()
  await journey.connectDestination(String(tool.access.token))
  return { journey, tool, creations, refusedAlone }
}

/** Ends all waiting times, for the service and for the tool, and answers that no mail has come. */
async function workThrough({ journey, tool }: Started, runId: string): Promise<void> {
  const timer = setInterval(() => void sql`delete from account_buckets`.execute(journey.db).catch(() => {}), 50)
  using _ = { [Symbol.dispose]: () => clearInterval(timer) }
  for (;;) {
    if ((await journey.slice(runId)).next === 'nothing') {
      const { warnings, status_code } = await journey.status()
      if (status_code === 'migration_completed') return
      if (!JSON.stringify(warnings ?? []).includes('"look_for_mail"')) throw new Error(JSON.stringify(warnings))
      await journey.resume()
    }
    tool.clock.advance(3 * 60_000)
    await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
    await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(journey.db)
  }
}

const refusedComments = ({ journey }: Started) =>
  journey.db
    .selectFrom('id_map')
    .select(['source_id', 'code', 'message'])
    .where('entity', '=', 'comments')
    .where('state', '<>', 'written')
    .execute()

const messagesIn = (thread: readonly Message[] = []) => thread.filter(({ text }) => text.includes('Comment '))
const numbersIn = (thread: readonly Message[] = []): number[] =>
  thread.flatMap(({ text }) => /Comment (\d+) of/.exec(text)?.[1] ?? []).map(Number)
const all = Array.from({ length: comments }, (_, number) => number)
const creationsOf = ({ creations }: Started, subject: string) =>
  creations.filter(([first]) => first?.includes(`<p>${subject}`))

/** Expects both tickets with every comment but these, each once and in its order. */
function expectThreads({ tool }: Started, left: readonly number[]): Map<string, Message[]> {
  const threads = tool.threads()
  expect(threads.size).toBe(tickets + 2)
  expect(numbersIn(threads.get(subjects[0]))).toEqual(all.filter((number) => !left.includes(number)))
  expect(numbersIn(threads.get(subjects[1]))).toEqual(all)
  return threads
}

describe.each(['zendesk', 'helpscout'] as const)('%s', (name) => {
  test('a refused comment inside a ticket is refused alone, and the others keep their times', limit, async () => {
    const started = await start(name)
    await workThrough(started, await started.journey.start('full'))
    expect(started.journey.errors.filter((error) => !(error instanceof ObstacleError))).toEqual([])
    const threads = expectThreads(started, [7])
    expect(await refusedComments(started)).toEqual([
      { source_id: expect.any(String), code: expect.any(String), message: expect.stringContaining(words) },
    ])
    const { items } = await started.journey.status()
    expect(items.tickets).toBe(tickets + 2)
    // All others went inside their ticket, so none has the time of its arrival.
    const [first, second] = subjects.map((subject) => creationsOf(started, subject))
    expect(numbersIn(first?.at(-1)?.map((text) => ({ text, at: '' })))).toEqual(all.filter((number) => number !== 7))
    expect(second).toHaveLength(1)
    expect(first?.length).toBeLessThanOrEqual(name === 'helpscout' ? 2 : 22)
    for (const subject of subjects)
      expect(new Set(messagesIn(threads.get(subject)).map(({ at }) => at.slice(0, 4)))).toEqual(new Set(['2024']))
    expect(started.refusedAlone).toEqual([])
    // A retry sends the comment by itself, and doubles nothing.
    await workThrough(started, await started.journey.start('retry'))
    expect(started.refusedAlone).toHaveLength(1)
    expectThreads(started, [7])
  })

  test('a ticket that is refused itself is refused once, and costs few requests', limit, async () => {
    const refusesTicket = ([text]: readonly string[]) => (text?.includes(subjects[0]) ? 'ticket' : null)
    const started = await start(name, { refusesTicket })
    await workThrough(started, await started.journey.start('full'))
    expect(creationsOf(started, subjects[0])).toHaveLength(1)
    const rows = await started.journey.db
      .selectFrom('id_map')
      .select(['entity', 'state'])
      .where('state', '<>', 'written')
      .execute()
    expect(rows.filter(({ entity }) => entity === 'tickets').map(({ state }) => state)).toEqual(['refused'])
    expect(rows.filter(({ entity }) => entity === 'comments').map(({ state }) => state)).toEqual(all.map(() => 'held'))
  })

  test('a refusal without a clear reason costs a limited number of requests', limit, async () => {
    const refusesTicket = ([text]: readonly string[]) =>
      subjects.some((subject) => text?.includes(subject)) ? 'something' : null
    const started = await start(name, { refusesTicket })
    await workThrough(started, await started.journey.start('full'))
    for (const subject of subjects) {
      expect(creationsOf(started, subject).length).toBeGreaterThan(1)
      expect(creationsOf(started, subject).length).toBeLessThanOrEqual(21)
    }
    const rows = await started.journey.db.selectFrom('id_map').select('entity').where('state', '=', 'refused').execute()
    expect(rows).toEqual([{ entity: 'tickets' }, { entity: 'tickets' }])
    expect(started.tool.threads().size).toBe(tickets)
  })

  test.each(['lost', 'dropped'] as const)('nothing is lost or doubled if answers are %s', limit, async (fate) => {
    const onCreation = (number: number) => (number % 2 === 1 && number < 12 ? fate : 'ok')
    const started = await start(name, { onCreation, isBad: (number) => number === 3 || number === 11 })
    await workThrough(started, await started.journey.start('full'))
    expectThreads(started, [3, 11])
    expect(await refusedComments(started)).toHaveLength(2)
  })

  test('nothing is lost or doubled if workers are killed', limit, async () => {
    const started = await start(name)
    const { journey } = started
    const runId = await journey.start('full')
    for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const)
      for (const nth of [3, 9]) {
        await journey.resume()
        await crashAt(journey, runId, point, nth)
        started.tool.clock.advance(3 * 60_000)
        await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(
          journey.db,
        )
      }
    await workThrough(started, runId)
    expectThreads(started, [7])
    expect(await refusedComments(started)).toHaveLength(1)
  })
})
