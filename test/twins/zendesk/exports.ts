import { answer, refuse, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { minuteMs } from '../clock.ts'
import { numberOf } from '../pages.ts'
import type { Kept } from '../store.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, idOf, notFound, type Organization, type Ticket, type User } from './account.ts'
import { presentOrganization } from './organizations.ts'
import { shapes } from './shapes.ts'
import { deletedTickets, includesOf, isInScope, presentTicket, sideloads } from './tickets.ts'
import { presentUser } from './users.ts'

interface Exported<T> {
  item: T
  /** When the tool changed the record, in whole seconds. */
  at: number
  isDeleted: boolean
}

const secondsOf = (ms: number) => Math.floor(ms / 1000)
const seal = (at: number, id: number) => Buffer.from(`${at}.0||${id}|`).toString('base64')

/** Changes in order, without those of the last minute, which the tool has not ordered yet. */
function settled<T extends Kept>(account: Account, all: Exported<T>[]): Exported<T>[] {
  const until = secondsOf(account.clock.now() - minuteMs)
  return all.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at || idOf(a.item) - idOf(b.item))
}

function startOf(account: Account, { query }: TwinRequest): number {
  const text = query.get('start_time')
  if (text === null) refuse(400, { error: 'MissingParameter', description: 'start_time is required' })
  if (Number(text) > secondsOf(account.clock.now() - minuteMs))
    refuse(422, {
      error: 'StartTimeTooRecent',
      description: 'Too recent start_time. Use a start_time older than 1 minute',
    })
  return Number(text)
}

const withoutDeleted = <T>({ query }: TwinRequest, all: Exported<T>[]) =>
  query.get('exclude_deleted') === 'true' ? all.filter(({ isDeleted }) => !isDeleted) : all

/** Pages by cursor: each page begins after the last one, and the final cursor can be continued later. */
function byCursor<T extends Kept>(
  account: Account,
  request: TwinRequest,
  all: Exported<T>[],
  show: (page: Exported<T>[]) => Record<string, unknown>,
): TwinAnswer {
  const { query, origin, url } = request
  const cursor = query.get('cursor')
  const [, at = '', id = ''] = /^(\d+)\.0\|\|(\d+)\|$/.exec(Buffer.from(cursor ?? '', 'base64').toString()) ?? []
  if (cursor !== null && at === '') refuse(400, { error: 'InvalidCursor', description: 'cursor is not valid' })
  const start = cursor === null ? startOf(account, request) : 0
  const isAfter = (one: Exported<T>) =>
    cursor === null ? one.at >= start : one.at > Number(at) || (one.at === Number(at) && idOf(one.item) > Number(id))
  const size = numberOf(query.get('per_page'), { otherwise: 1000, most: 1000 })
  const rest = settled(account, withoutDeleted(request, all)).filter(isAfter)
  const page = rest.slice(0, Math.max(1, size))
  const last = page.at(-1)
  const after = last ? seal(last.at, idOf(last.item)) : cursor
  return answer(200, {
    ...show(page),
    after_cursor: after,
    after_url: after === null ? null : `${origin}${url.pathname}.json?cursor=${encodeURIComponent(after)}`,
    before_cursor: null,
    before_url: null,
    end_of_stream: rest.length <= page.length,
  })
}

export function exportOperations(account: Account): Operation[] {
  const { users, tickets, organizations, deletedAt } = account
  const trashed = <T extends Kept>(store: { trashed(id: string): T | undefined }) =>
    [...deletedAt].flatMap(([id, at]) => {
      const item = store.trashed(id)
      return item ? [{ item, at: secondsOf(at), isDeleted: true }] : []
    })
  return [
    {
      ...shapes.exportTickets,
      act(request) {
        const all: Exported<Ticket>[] = [
          ...tickets
            .list(isInScope(request))
            .map((item) => ({ item, at: secondsOf(item.generatedAt), isDeleted: false })),
          ...deletedTickets(account).map((item) => ({
            item,
            at: secondsOf(deletedAt.get(`ticket ${item.id}`) ?? 0),
            isDeleted: true,
          })),
        ]
        const include = includesOf(request)
        return byCursor(account, request, all, (page) => ({
          tickets: page.map(({ item, at, isDeleted }) => ({
            ...presentTicket(account, item, include),
            generated_timestamp: at,
            ...(isDeleted && { status: 'deleted' }),
          })),
          ...sideloads(
            account,
            page.map(({ item }) => item),
            include,
          ),
        }))
      },
    },
    {
      ...shapes.exportUsers,
      act(request) {
        const all: Exported<User>[] = [
          ...users.list().map((item) => ({ item, at: secondsOf(item.changedAt), isDeleted: false })),
          ...trashed<User>(users),
        ]
        return byCursor(account, request, all, (page) => ({
          users: page.map(({ item, isDeleted }) => presentUser(account, item, { isActive: !isDeleted })),
        }))
      },
    },
    {
      ...shapes.exportOrganizations,
      act(request) {
        const { query, origin, url } = request
        if (query.has('cursor')) return notFound()
        const start = startOf(account, request)
        const all: Exported<Organization>[] = [
          ...organizations.list().map((item) => ({ item, at: secondsOf(item.changedAt), isDeleted: false })),
          ...trashed<Organization>(organizations),
        ]
        const rest = settled(account, withoutDeleted(request, all)).filter(({ at }) => at >= start)
        const size = numberOf(query.get('per_page'), { otherwise: 1000, most: 1000 })
        // By time only: tickets with the same second as the last one appear again on the next page.
        const cut = rest.slice(0, size).at(-1)?.at ?? start
        const page = rest.filter(({ at }, index) => index < size || at === cut)
        return answer(200, {
          organizations: page.map(({ item, isDeleted }) => ({
            ...presentOrganization(account, item),
            ...(isDeleted && { deleted_at: account.now() }),
          })),
          count: page.length,
          end_time: cut,
          end_of_stream: rest.length <= page.length,
          next_page: `${origin}${url.pathname}.json?start_time=${cut}`,
        })
      },
    },
  ]
}
