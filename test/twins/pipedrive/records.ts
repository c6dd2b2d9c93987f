import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Body,
  find,
  idsOf,
  invalid,
  isLive,
  type Kind,
  kinds,
  notFound,
  ok,
  refused,
  type Thing,
} from './account.ts'
import { optionsOf } from './catalog.ts'
import { list, number, operation, type Priced, paging, sift, sorting, v2, yesNo } from './lists.ts'
import { saves } from './save.ts'
import { bodies } from './shapes.ts'
import { changedCustom, presentCustom } from './values.ts'

const singular = { organizations: 'Organization', persons: 'Person', deals: 'Deal', activities: 'Activity' }

const names = /[a-z_]+(,[a-z_]+)*/
const codes = /[0-9a-f]{40}(,[0-9a-f]{40})*/
const spans = { updated_since: true, updated_until: true, ids: /\d+(,\d+)*/ } as const
const shown = {
  include_fields: names,
  custom_fields: codes,
  include_option_labels: yesNo,
  include_labels: yesNo,
} as const
const ordered = sorting('id', 'update_time', 'add_time')

const dealFilters = { owner_id: number, person_id: number, org_id: number, pipeline_id: number, stage_id: number }
const statuses = /(open|won|lost|deleted)(,(open|won|lost|deleted))*/
const queries: Record<Kind, Operation['query']> = {
  organizations: { owner_id: number, ...spans, ...ordered, ...shown, ...paging },
  persons: { owner_id: number, org_id: number, deal_id: number, ...spans, ...ordered, ...shown, ...paging },
  deals: { ...dealFilters, status: statuses, ...spans, ...ordered, ...shown, ...paging },
  activities: {
    owner_id: number,
    deal_id: number,
    lead_id: true,
    person_id: number,
    org_id: number,
    done: yesNo,
    ...spans,
    ...sorting('id', 'update_time', 'add_time', 'due_date'),
    include_fields: /attendees/,
    ...paging,
  },
}
const single: Record<Kind, Operation['query']> = {
  organizations: shown,
  persons: shown,
  deals: shown,
  activities: { include_fields: /attendees/ },
}
const archivedQuery = {
  ...dealFilters,
  status: statuses,
  ...spans,
  ...ordered,
  include_fields: names,
  custom_fields: codes,
  ...paging,
}

/** Values that are returned only on request. */
function countOf(account: Account, kind: Kind, id: string, name: string): unknown {
  const parent = { organizations: 'org_id', persons: 'person_id', deals: 'deal_id', activities: 'activity_id' }[kind]
  const owns = (one: Thing) => isLive(one) && String(one.body[parent]) === id
  if (name === 'notes_count') return account.notes.list(owns).length
  if (name === 'files_count') return account.files.list(owns).length
  if (name === 'activities_count') return account.activities.list(owns).length
  if (name === 'people_count') return account.persons.list(owns).length
  if (name === 'open_deals_count') return account.deals.list((one) => owns(one) && one.body.status === 'open').length
  if (name === 'closed_deals_count') return account.deals.list((one) => owns(one) && one.body.status !== 'open').length
  if (/^participant_(open|closed)_deals_count$/.test(name)) {
    const isOpen = name.startsWith('participant_open')
    const joined = account.participants.list(owns).map(({ body }) => account.deals.get(String(body.deal_id)))
    return joined.filter((deal) => deal && isLive(deal) && (deal.body.status === 'open') === isOpen).length
  }
  if (name === 'participants_count') return account.participants.list(owns).length
  if (name === 'products_count') return account.dealProducts.list(owns).length
  if (name === 'marketing_status' || name === 'doi_status') {
    if (!account.settings.campaigns) refused(403, `${name} cannot be included in this account`)
    return account[kind].get(id)?.body[name] ?? (name === 'marketing_status' ? 'no_consent' : null)
  }
  return name.endsWith('_count') ? 0 : null
}

export function present(account: Account, kind: Kind, thing: Thing, query = new URLSearchParams()) {
  const { id, custom, deletedAt } = thing
  const { attendees, marketing_status: _status, doi_status: _doi, ...body } = thing.body
  const asked = (query.get('include_fields') ?? '').split(',').filter(Boolean)
  const only = query.has('custom_fields') ? idsOf(query.get('custom_fields') ?? '') : null
  if (only && only.length > 15) invalid('custom_fields: at most 15 keys are allowed')
  const hasLabels = query.get('include_option_labels') === 'true'
  const isDeleted = deletedAt !== null
  const labels = optionsOf(account, kind, 'label_ids').filter((option) => body.label_ids?.includes(option.id))
  return {
    id: Number(id),
    ...body,
    is_deleted: isDeleted,
    ...(isDeleted && kind === 'deals' && { status: 'deleted' }),
    ...(kind === 'activities'
      ? asked.includes('attendees') && { attendees }
      : {
          ...Object.fromEntries(asked.map((name) => [name, countOf(account, kind, id, name)])),
          ...(query.get('include_labels') === 'true' && { labels }),
          custom_fields: presentCustom(account, kind, custom, { only, hasLabels }),
        }),
  }
}

function make(account: Account, kind: Kind, { custom_fields, ...given }: Body): Thing {
  const custom = changedCustom(account, kind, {}, custom_fields as Record<string, unknown>)
  const body = saves[kind](account, {}, given)
  if (given.is_deleted === true) invalid('is_deleted: nothing is made that is deleted already')
  return account[kind].put({ id: account.nextId(kind), body, custom, deletedAt: null })
}

export const makeThing = (account: Account, kind: Kind, given: Body): Thing => make(account, kind, given)

function change(account: Account, kind: Kind, thing: Thing, { custom_fields, ...given }: Body): Thing {
  const custom = changedCustom(account, kind, thing.custom, custom_fields as Record<string, unknown>)
  const isRestored = kind === 'deals' && given.is_deleted === false
  if (given.is_deleted === true) invalid('is_deleted: a deal is deleted by DELETE')
  if (thing.deletedAt !== null && !(isRestored && account.settings.restores)) notFound(singular[kind])
  const body = { ...saves[kind](account, thing.body, given), update_time: account.now() }
  return account[kind].change(thing.id, { body, custom, deletedAt: null }) ?? thing
}

/** The people of a deal: its person and its participants. */
function personsOfDeal(account: Account, dealId: string): Set<string> {
  const deal = account.deals.get(dealId)
  const others = account.participants.list((one) => String(one.body.deal_id) === dealId)
  return new Set([deal?.body.person_id, ...others.map(({ body }) => body.person_id)].map(String))
}

function listKind(account: Account, kind: Kind, request: TwinRequest, isArchived = false) {
  const { query } = request
  const filters = ['owner_id', 'person_id', 'org_id', 'deal_id', 'lead_id', 'pipeline_id', 'stage_id', 'done'].filter(
    (name) => kind !== 'persons' || name !== 'deal_id',
  )
  const asked = query.get('status')?.split(',') ?? ['open', 'won', 'lost']
  const isWanted = ({ body, deletedAt }: Thing): boolean => {
    if (kind !== 'deals') return deletedAt === null
    if (body.is_archived !== isArchived) return false
    return asked.includes(deletedAt === null ? (body.status as string) : 'deleted')
  }
  const dealId = kind === 'persons' ? query.get('deal_id') : null
  const linked = dealId === null ? null : personsOfDeal(account, dealId)
  const things = account[kind].list((thing) => isWanted(thing) && (!linked || linked.has(thing.id)))
  return list(sift(things, query, filters), request, (thing) => present(account, kind, thing, query))
}

export function recordOperations(account: Account): Priced[] {
  const all = kinds.flatMap((kind): Priced[] => {
    const path = `${v2}/${kind}`
    const byId = ({ params }: TwinRequest) => find(account, account[kind], params.id, singular[kind])
    return [
      operation(10, 'GET', path, (request) => listKind(account, kind, request), { query: queries[kind] }),
      operation(5, 'POST', path, ({ json }) => ok(present(account, kind, make(account, kind, json))), {
        json: bodies[kind].add,
      }),
      operation(1, 'GET', `${path}/:id`, (request) => ok(present(account, kind, byId(request), request.query)), {
        query: single[kind],
      }),
      operation(
        5,
        'PATCH',
        `${path}/:id`,
        (request) => ok(present(account, kind, change(account, kind, byId(request), request.json))),
        { json: bodies[kind].change },
      ),
      operation(3, 'DELETE', `${path}/:id`, (request) => {
        const thing = byId(request)
        if (thing.deletedAt !== null) notFound(singular[kind])
        const body = { ...thing.body, update_time: account.now() }
        account[kind].change(thing.id, { body, deletedAt: account.clock.now() })
        return ok({ id: Number(thing.id) })
      }),
    ]
  })
  return [
    ...all,
    operation(
      10,
      'GET',
      `${v2}/deals/products`,
      (request) => {
        const ids = idsOf(request.query.get('deal_ids') ?? '')
        if (ids.length === 0 || ids.length > 100) invalid('deal_ids: between 1 and 100 ids are required')
        const lines = account.dealProducts.list((one) => isLive(one) && ids.includes(String(one.body.deal_id)))
        return list(lines, request, ({ id, body }) => ({ id: Number(id), ...body }))
      },
      { query: { deal_ids: true, ...sorting('id', 'deal_id', 'add_time', 'update_time', 'order_nr'), ...paging } },
    ),
    operation(20, 'GET', `${v2}/deals/archived`, (request) => listKind(account, 'deals', request, true), {
      query: archivedQuery,
    }),
  ]
}
