import { sql } from 'kysely'
import { expect } from 'vitest'
import type { RunContext } from '../../service/src/engine/run-context.ts'
import { keepBudgetsEmpty } from '../support/empty-budgets.ts'
import { startHelpScoutTwin } from '../twins/helpscout/twin.ts'
import { commentsOf } from '../twins/zendesk/comments.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { type Journey, startJourney } from './journey.ts'
import { smallDesk } from './small-desk.ts'
import type { PassedAnswer, PassedRequest, Tamper } from './tampering-proxy.ts'

/** The word that a destination of these tests refuses in a comment. */
const bad = 'BADWORD'
export const words = 'is not a text that we take'

export interface Message {
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

async function startZendesk(cleanup: AsyncDisposableStack): Promise<Tool> {
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

async function startHelpScout(cleanup: AsyncDisposableStack): Promise<Tool> {
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
export const comments = 18
export const tickets = 4
export const subjects = ['First of ours', 'Second of ours'] as const

/** `lost`: the answer does not arrive. `dropped`: nothing is done. */
export type Fate = 'ok' | 'lost' | 'dropped'

interface Setup {
  /** Whether the tool refuses a ticket with these texts, whatever its comments are. */
  refusesTicket?: (texts: readonly string[]) => 'ticket' | 'something' | null
  /** The fate of a creation that the tool does not refuse, by its number. */
  onCreation?: (number: number) => Fate
  /** The same for a comment that is sent by itself. */
  onAlone?: () => Fate
  isBad?: (number: number, subject: string) => boolean
}

export interface Started {
  journey: Journey
  tool: Tool
  /** The texts of each creation of a ticket. */
  creations: string[][]
  /** The texts of the comments that were sent by themselves and refused. */
  refusedAlone: string[]
}

async function meet(fate: Fate, pass: () => Promise<PassedAnswer>): Promise<PassedAnswer | 'drop'> {
  if (fate === 'dropped') return 'drop'
  const answer = await pass()
  return fate === 'lost' ? 'drop' : answer
}

/** A desk with two tickets of many comments, some of which the destination refuses. */
export async function startRefusing(
  cleanup: AsyncDisposableStack,
  name: keyof typeof tools,
  setup: Setup = {},
): Promise<Started> {
  const { refusesTicket = () => null, onCreation = () => 'ok', onAlone = () => 'ok' } = setup
  const { isBad = (number, subject) => subject === subjects[0] && number === 7 } = setup
  const tool = await tools[name](cleanup)
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
      return meet(onCreation(++accepted), pass)
    }
    const text = tool.alone(request)
    if (text === null) return pass()
    if (!text.includes(bad)) return meet(onAlone(), pass)
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
      const mark = isBad(number, subject) ? bad : 'and some more words, because the longest are suspected first'
      const body = `<p>Comment ${number} of ${subject}: ${mark}</p>`
      await add(`/tickets/${ticket.id}/comments`, { author_type: 'contact', author_id: 1, body, public: true })
    }
  }
  await journey.connectSource()
  await journey.connectDestination(String(tool.access.token))
  return { journey, tool, creations, refusedAlone }
}

/** Ends all waiting times, for the service and for the tool, and answers that no mail has come. */
export async function workThrough(
  { journey, tool }: Started,
  runId: string,
  crashPoint?: RunContext['crashPoint'],
): Promise<void> {
  using _ = { [Symbol.dispose]: keepBudgetsEmpty(journey.db) }
  for (;;) {
    if ((await journey.slice(runId, crashPoint)).next === 'nothing') {
      const { warnings, status_code } = await journey.status()
      if (status_code === 'migration_completed') return
      // A made-up crash counts as a fault of this service, for which a run waits after five failures in a row.
      const awaited = crashPoint ? /"(look_for_mail|internal)"/ : /"look_for_mail"/
      if (!awaited.test(JSON.stringify(warnings ?? []))) throw new Error(JSON.stringify(warnings))
      await journey.resume()
    }
    tool.clock.advance(3 * 60_000)
    await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
    await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(journey.db)
  }
}

export const refusedComments = ({ journey }: Started) =>
  journey.db
    .selectFrom('id_map')
    .select(['source_id', 'code', 'message'])
    .where('entity', '=', 'comments')
    .where('state', '<>', 'written')
    .execute()

export const messagesIn = (thread: readonly Message[] = []) => thread.filter(({ text }) => text.includes('Comment '))
export const numbersIn = (thread: readonly Message[] = []): number[] =>
  thread.flatMap(({ text }) => /Comment (\d+) of/.exec(text)?.[1] ?? []).map(Number)
export const all = Array.from({ length: comments }, (_, number) => number)
export const creationsOf = ({ creations }: Started, subject: string) =>
  creations.filter(([first]) => first?.includes(`<p>${subject}`))

/** Expects both tickets with every comment but these, each once and in its order. */
export function expectThreads({ tool }: Started, left: readonly number[]): Map<string, Message[]> {
  const threads = tool.threads()
  expect(threads.size).toBe(tickets + 2)
  expect(numbersIn(threads.get(subjects[0]))).toEqual(all.filter((number) => !left.includes(number)))
  expect(numbersIn(threads.get(subjects[1]))).toEqual(all)
  return threads
}
