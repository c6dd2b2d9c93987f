import { randomUUID } from 'node:crypto'
import { type Account, type Body, findLive, isLive, ok, refused, type Thing } from './account.ts'
import {
  checkRefs,
  list,
  momentOf,
  number,
  offset,
  offsetList,
  operation,
  type Priced,
  paging,
  v1,
  v2,
} from './lists.ts'
import { lead, leadChange } from './shapes.ts'
import { changedCustom, flatCustom, nestedCustom } from './values.ts'

const isHash = (name: string) => /^[0-9a-f]{40}/.test(name)
const part = (given: Body, isWanted: (name: string) => boolean): Body =>
  Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name)))

/** Leads have the custom fields of deals, flat beside their own values; times have milliseconds. */
function saved(account: Account, known: Thing | null, given: Body): Pick<Thing, 'body' | 'custom'> {
  const now = new Date(account.clock.now()).toISOString()
  const own = part(given, (name) => !isHash(name))
  const flat = part(given, isHash)
  const body: Body = {
    owner_id: account.me,
    creator_id: account.me,
    label_ids: [],
    person_id: null,
    organization_id: null,
    source_name: 'API',
    origin: 'API',
    origin_id: null,
    channel: null,
    channel_id: null,
    source_deal_id: null,
    is_archived: false,
    was_seen: false,
    value: null,
    expected_close_date: null,
    next_activity_id: null,
    add_time: now,
    visible_to: '3',
    cc_email: 'rake+lead@pipedrivemail.test',
    ...known?.body,
    ...own,
    update_time: now,
  }
  if (String(body.title ?? '').trim() === '') refused(400, 'title is required')
  if (body.person_id === null && body.organization_id === null)
    refused(400, 'A lead must be linked to a person or an organization')
  const lives = (store: Account['persons']) => (id: unknown) => store.get(String(id))?.deletedAt === null
  checkRefs(body, { person_id: lives(account.persons), organization_id: lives(account.organizations) })
  for (const id of body.label_ids as string[])
    if (!account.leadLabels.some((label) => label.id === id)) refused(400, `label_ids: ${id} does not exist`)
  const custom = changedCustom(account, 'deals', known?.custom ?? {}, nestedCustom(account, 'deals', flat))
  return { body, custom }
}

export const makeLead = (account: Account, given: Body): Thing =>
  account.leads.put({ id: randomUUID(), ...saved(account, null, given), deletedAt: null })

export function leadOperations(account: Account): Priced[] {
  const { leads, leadLabels } = account
  const present = ({ id, body, custom }: Thing) => ({ id, ...body, ...flatCustom(account, 'deals', custom) })
  const filters = ['owner_id', 'person_id', 'organization_id']
  const query = {
    ...offset,
    owner_id: number,
    person_id: number,
    organization_id: number,
    updated_since: true,
    sort: /\w+( (ASC|DESC))?/i,
  } as const
  const listing = (path: string, tokens: number, isArchived: boolean) =>
    operation(
      tokens,
      'GET',
      path,
      (request) => {
        const since = momentOf(request.query, 'updated_since')
        const isWanted = ({ body, deletedAt }: Thing) =>
          deletedAt === null &&
          body.is_archived === isArchived &&
          (since === null || Date.parse(body.update_time as string) >= since) &&
          filters.every((name) => !request.query.has(name) || String(body[name]) === request.query.get(name))
        const all = leads.list(isWanted)
        // The oldest lead comes first by default.
        if (!request.query.has('sort')) request.query.set('sort', 'add_time ASC')
        const told = offsetList(all, request, present)
        const json = told.json as { data: unknown }
        return { ...told, json: { ...json, data: json.data ?? [] } }
      },
      { query },
    )
  const byId = (id: string | undefined) => {
    const known = leads.get(String(id))
    return known && isLive(known) ? known : refused(404, 'requested lead not found')
  }
  return [
    listing(`${v1}/leads`, 20, false),
    listing(`${v1}/leads/archived`, 40, true),
    operation(10, 'POST', `${v1}/leads`, ({ json }) => ok(present(makeLead(account, json)), undefined, 201), {
      json: lead,
    }),
    operation(2, 'GET', `${v1}/leads/:id`, ({ params }) => ok(present(byId(params.id)))),
    operation(
      10,
      'PATCH',
      `${v1}/leads/:id`,
      ({ params, json }) => {
        const known = byId(params.id)
        return ok(present(leads.change(known.id, saved(account, known, json)) ?? known))
      },
      { json: leadChange },
    ),
    // A deleted lead is gone at once.
    operation(6, 'DELETE', `${v1}/leads/:id`, ({ params }) => {
      const { id } = findLive(leads, params.id, 'Lead')
      leads.remove(id)
      return ok({ id })
    }),
    // This account has no products, projects and call logs.
    operation(10, 'GET', `${v2}/products`, (request) => list([], request, () => null), { query: paging }),
    operation(10, 'GET', `${v2}/projects`, (request) => list([], request, () => null), { query: paging }),
    operation(20, 'GET', `${v1}/callLogs`, (request) => offsetList([], request, present), {
      query: { ...offset, limit: /[1-4]?\d|50/ },
    }),
    operation(10, 'GET', `${v1}/leadLabels`, () =>
      ok(leadLabels.map(({ id, name, color, at }) => ({ id, name, color, add_time: at, update_time: at }))),
    ),
  ]
}
