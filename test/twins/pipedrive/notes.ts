import { toSecond } from '../clock.ts'
import { type Account, type Body, find, isLive, notFound, ok, refused, type Thing, touch, toV1Time } from './account.ts'
import { momentOf, number, offset, offsetList, operation, type Priced, v1 } from './lists.ts'
import { sanitize } from './sanitize.ts'
import { note, noteChange } from './shapes.ts'

const flags = ['lead', 'deal', 'organization', 'person'].map((name) => `pinned_to_${name}_flag`)
const parents = { deal_id: 'deals', person_id: 'persons', org_id: 'organizations', lead_id: 'leads' } as const

function present(account: Account, { id, body, deletedAt }: Thing) {
  const of = (name: keyof typeof parents) => account[parents[name]].get(String(body[name]))?.body
  const user = account.users.find((one) => one.id === body.user_id)
  const [deal, person, organization] = [of('deal_id'), of('person_id'), of('org_id')]
  return {
    id: Number(id),
    ...body,
    add_time: toV1Time(body.add_time as string),
    update_time: toV1Time(body.update_time as string),
    active_flag: deletedAt === null,
    deal: deal ? { title: deal.title } : null,
    person: person ? { name: person.name } : null,
    organization: organization ? { name: organization.name } : null,
    user: { email: user?.email, icon_url: null, is_you: body.user_id === account.me, name: user?.name },
  }
}

/** Times of v1 have no zone, and are UTC. */
function fromV1Time(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN
  return Number.isNaN(at) ? refused(400, 'add_time must be YYYY-MM-DD HH:MM:SS') : toSecond(at)
}

function saved(account: Account, known: Body, given: Body): Body {
  const { settings, me, users } = account
  const user_id = given.user_id ?? known.user_id ?? me
  if (user_id !== (known.user_id ?? me) && !settings.isAdmin) refused(403, 'Only an admin can change the author')
  if (!users.some(({ id }) => id === user_id)) refused(400, `user_id: ${user_id} does not exist`)
  // Recorded answers: a new note of a deal gets the deal's person and organization, too.
  const deal = account.deals.get(String(given.deal_id ?? ''))?.body
  const body: Body = {
    deal_id: null,
    person_id: deal?.person_id ?? null,
    org_id: deal?.org_id ?? null,
    lead_id: null,
    add_time: account.now(),
    ...known,
    ...given,
    ...Object.fromEntries(flags.map((name) => [name, Boolean(given[name] ?? known[name] ?? false)])),
    user_id,
    content: sanitize(String(given.content ?? known.content ?? ''), settings),
    update_time: account.now(),
    last_update_user_id: me,
    ...(given.add_time && { add_time: fromV1Time(given.add_time as string) }),
  }
  // The documented limit of a note.
  if (body.content.length > 100_000) refused(400, 'The content of a note is too long')
  const named = Object.entries(parents).filter(([name]) => body[name] !== null && body[name] !== undefined)
  if (named.length === 0) refused(400, 'A note needs a deal, a person, an organization or a lead')
  for (const [name, kind] of named) {
    const parent = account[kind].get(String(body[name]))
    if (!parent || !isLive(parent)) refused(400, `${name}: ${body[name]} does not exist`)
    if (kind !== 'leads') touch(account, kind, body[name])
  }
  return body
}

export const makeNote = (account: Account, given: Body): Thing =>
  account.notes.put({ id: account.nextId('notes'), body: saved(account, {}, given), custom: {}, deletedAt: null })

export function noteOperations(account: Account): Priced[] {
  const { notes, clock } = account
  const byId = (id: string | undefined) => find(account, notes, id, 'Note')
  const filters = { user_id: number, lead_id: true, deal_id: number, person_id: number, org_id: number } as const
  const day = /\d{4}-\d{2}-\d{2}/
  return [
    operation(
      20,
      'GET',
      `${v1}/notes`,
      (request) => {
        const { query } = request
        const asked = Object.keys(filters).filter((name) => query.has(name))
        const since = momentOf(query, 'updated_since')
        const [from, to] = [query.get('start_date'), query.get('end_date')]
        const pins = flags.filter((name) => query.has(name))
        const isWanted = (one: Thing) => {
          const added = String(one.body.add_time).slice(0, 10)
          return (
            isLive(one) &&
            asked.every((name) => String(one.body[name]) === query.get(name)) &&
            pins.every((name) => one.body[name] === (query.get(name) === '1')) &&
            (since === null || Date.parse(one.body.update_time as string) >= since) &&
            (from === null || added >= from) &&
            (to === null || added <= to)
          )
        }
        return offsetList(notes.list(isWanted), request, (one) => present(account, one))
      },
      {
        query: {
          ...filters,
          ...offset,
          ...Object.fromEntries(flags.map((name) => [name, /0|1/])),
          sort: /(id|user_id|deal_id|person_id|org_id|content|add_time|update_time)( (ASC|DESC))?/i,
          start_date: day,
          end_date: day,
          updated_since: true,
        },
      },
    ),
    operation(10, 'POST', `${v1}/notes`, ({ json }) => ok(present(account, makeNote(account, json))), { json: note }),
    operation(2, 'GET', `${v1}/notes/:id`, ({ params }) => ok(present(account, byId(params.id)))),
    operation(
      10,
      'PUT',
      `${v1}/notes/:id`,
      ({ params, json }) => {
        const known = byId(params.id)
        if (!isLive(known)) notFound('Note')
        return ok(present(account, notes.change(known.id, { body: saved(account, known.body, json) }) ?? known))
      },
      { json: noteChange },
    ),
    operation(6, 'DELETE', `${v1}/notes/:id`, ({ params }) => {
      const known = byId(params.id)
      if (!isLive(known)) notFound('Note')
      notes.change(known.id, { deletedAt: clock.now() })
      return ok(true)
    }),
  ]
}
