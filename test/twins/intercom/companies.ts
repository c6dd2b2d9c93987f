import { Type } from 'typebox'
import { answer } from '../answers.ts'
import { minuteMs } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Company, closed, fail, invalid, notFound, optional, workspace } from './account.ts'
import { checkCustom } from './attributes.ts'
import { presentContact, presentNote } from './contacts.ts'
import { numberedPages } from './paging.ts'
import { tagList } from './people.ts'
import { shownName } from './texts.ts'

const usersOf = ({ contacts }: Account, id: string) =>
  contacts.list((contact) => !contact.isArchived && contact.companyIds.includes(id))

/** A company in an answer. Empty values are missing, not null. */
export const presentCompany = (account: Account, company: Company) => ({
  type: 'company',
  company_id: company.companyId,
  id: company.id,
  app_id: workspace,
  name: shownName(company.name),
  remote_created_at: company.remoteCreatedAt,
  created_at: company.createdAt,
  updated_at: company.updatedAt,
  monthly_spend: company.monthlySpend,
  session_count: 0,
  user_count: usersOf(account, company.id).length,
  size: company.size,
  website: company.website,
  industry: company.industry,
  tags: tagList(account, company.tagIds),
  segments: { type: 'segment.list', segments: [] },
  plan: company.plan === undefined ? {} : { type: 'plan', id: '1', name: company.plan },
  custom_attributes: company.custom,
})

const changes = {
  name: optional(Type.String()),
  plan: optional(Type.String()),
  size: optional(Type.Integer()),
  website: optional(Type.String()),
  industry: optional(Type.String()),
  custom_attributes: optional(Type.Record(Type.String(), Type.Unknown())),
  monthly_spend: optional(Type.Number()),
}

export const missingCompany = (): never => notFound('Company Not Found', 'company_not_found')

export function companyOperations(account: Account): Operation[] {
  const { companies, contacts, clock, now, settings } = account
  let scroll: { id: string; rest: Company[]; usedAt: number } | null = null
  const find = (id: string | undefined) => companies.get(`${id}`) ?? missingCompany()
  const isUsed = () => scroll !== null && clock.now() - scroll.usedAt < minuteMs
  const put = (known: Company, json: Record<string, never>): Company => {
    const { name, plan, size, website, industry, custom_attributes: custom, monthly_spend: spend } = json
    if (spend !== undefined && Number(spend) > 2 ** 31 - 1) invalid('monthly_spend is too large', 'monthly_spend')
    return companies.put({
      ...known,
      name: name ?? known.name,
      plan: plan ?? known.plan,
      size: size ?? known.size,
      website: website ?? known.website,
      industry: industry ?? known.industry,
      monthlySpend: spend === undefined ? known.monthlySpend : Math.trunc(spend),
      custom: checkCustom(account, 'company', custom ?? {}, known.custom),
      updatedAt: now(),
    })
  }
  const list = (all: readonly Company[], page: Record<string, unknown>) =>
    answer(200, { type: 'list', data: all.map((one) => presentCompany(account, one)), ...page })
  return [
    {
      method: 'POST',
      path: '/companies',
      json: closed({
        ...changes,
        company_id: optional(Type.String()),
        remote_created_at: optional(Type.Integer()),
        update_last_request_at: optional(Type.Boolean()),
      }),
      act({ json }) {
        const key = json.company_id
        if (!key) return fail(400, 'bad_request', "bad 'company_id' parameter")
        if (Number(json.remote_created_at ?? 0) < 0) invalid('remote_created_at is not a time', 'remote_created_at')
        const known = companies.list(({ companyId }) => companyId === key)[0] ?? {
          id: account.nextKey(),
          companyId: key,
          name: undefined,
          plan: undefined,
          size: undefined,
          website: undefined,
          industry: undefined,
          monthlySpend: 0,
          remoteCreatedAt: now(),
          custom: {},
          tagIds: [],
          createdAt: now(),
          updatedAt: now(),
        }
        const remoteCreatedAt = json.remote_created_at ?? known.remoteCreatedAt
        return answer(200, presentCompany(account, put({ ...known, remoteCreatedAt }, json)))
      },
    },
    {
      method: 'GET',
      path: '/companies',
      query: { name: true, company_id: true, tag_id: true, segment_id: true, page: /\d+/, per_page: /\d+/ },
      act(request) {
        const [name, key] = [request.query.get('name'), request.query.get('company_id')]
        if (name !== null || key !== null) {
          const one = companies.list((company) => company.companyId === key || company.name === name)[0]
          return answer(200, presentCompany(account, one ?? missingCompany()))
        }
        const { items, ...page } = numberedPages(visible(), request, 15)
        return list(items, page)
      },
    },
    {
      method: 'POST',
      path: '/companies/list',
      query: { page: /\d+/, per_page: /\d+/, order: /asc|desc/ },
      act(request) {
        const { items, ...page } = numberedPages(visible(), request, 15)
        return list(items, page)
      },
    },
    {
      method: 'GET',
      path: '/companies/scroll',
      query: { scroll_param: true },
      act({ query }) {
        const id = query.get('scroll_param')
        if (id === null) {
          if (isUsed()) return fail(400, 'scroll_exists', 'scroll already exists for this workspace')
          scroll = { id: crypto.randomUUID(), rest: companies.list(), usedAt: clock.now() }
        } else if (scroll?.id !== id || !isUsed()) return notFound('scroll parameter not found')
        if (id !== null && account.brokenScrolls > 0) {
          account.brokenScrolls -= 1
          scroll = null
          return fail(
            500,
            'server_error',
            'Request failed due to an internal network error. Please restart the scroll operation.',
          )
        }
        const walk = scroll ?? notFound('scroll parameter not found')
        walk.usedAt = clock.now()
        const page = walk.rest.splice(0, settings.scrollSize)
        // An empty page ends the scroll.
        if (page.length === 0) scroll = null
        return list(page, { pages: null, total_count: null, scroll_param: scroll?.id ?? null })
      },
    },
    {
      method: 'GET',
      path: '/companies/:id',
      act: ({ params }) => answer(200, presentCompany(account, find(params.id))),
    },
    {
      method: 'PUT',
      path: '/companies/:id',
      json: closed(changes),
      act: ({ params, json }) => answer(200, presentCompany(account, put(find(params.id), json))),
    },
    {
      method: 'DELETE',
      path: '/companies/:id',
      act({ params }) {
        const { id } = find(params.id)
        companies.change(id, { goneAt: clock.now() + settings.archivalMs })
        return answer(200, { id, object: 'company', deleted: true })
      },
    },
    {
      method: 'GET',
      path: '/companies/:id/contacts',
      query: { page: /\d+/, per_page: /\d+/ },
      act(request) {
        const { items, ...page } = numberedPages(usersOf(account, find(request.params.id).id), request, 50)
        return answer(200, { type: 'list', data: items.map((one) => presentContact(account, one)), ...page })
      },
    },
    {
      method: 'GET',
      path: '/companies/:id/notes',
      query: { page: /\d+/, per_page: /\d+/ },
      act(request) {
        const { id, notes = [] } = find(request.params.id)
        const { items, ...page } = numberedPages(notes, request, 50)
        return answer(200, {
          type: 'list',
          data: items.map((one) => presentNote(account, { type: 'company', id }, one)),
          ...page,
        })
      },
    },
    {
      method: 'POST',
      path: '/contacts/:id/companies',
      json: closed({ id: Type.String() }),
      act({ params, json }) {
        const contact = contacts.get(`${params.id}`) ?? notFound('User Not Found')
        const company = find(json.id)
        const rest = contact.companyIds.filter((id) => id !== company.id)
        if (rest.length >= 1000)
          fail(400, 'contact_company_limit_exceeded', 'Contact has reached the maximum of 1000 company associations')
        contacts.change(contact.id, { companyIds: [...rest, company.id], updatedAt: now() })
        return answer(200, presentCompany(account, company))
      },
    },
    {
      method: 'GET',
      path: '/contacts/:id/companies',
      query: { page: /\d+/, per_page: /\d+/ },
      act(request) {
        const contact = contacts.get(`${request.params.id}`) ?? notFound('User Not Found')
        const all = contact.companyIds.flatMap((id) => companies.get(id) ?? [])
        const { items, ...page } = numberedPages(all, request, 50)
        return list(items, page)
      },
    },
    {
      method: 'DELETE',
      path: '/contacts/:id/companies/:company',
      act({ params }) {
        const contact = contacts.get(`${params.id}`) ?? notFound('User Not Found')
        const company = find(params.company)
        const companyIds = contact.companyIds.filter((id) => id !== company.id)
        contacts.change(contact.id, { companyIds, updatedAt: now() })
        return answer(200, presentCompany(account, company))
      },
    },
  ]

  /** Lists leave out companies without people. */
  function visible(): Company[] {
    return companies.list(({ id }) => usersOf(account, id).length > 0)
  }
}

/** Archives companies whose deletion is due, and detaches their people. */
export function archiveCompanies({ companies, contacts, clock }: Account): void {
  for (const { id } of companies.list(({ goneAt }) => goneAt !== undefined && goneAt <= clock.now())) {
    companies.remove(id)
    for (const contact of contacts.list(({ companyIds }) => companyIds.includes(id)))
      contacts.change(contact.id, { companyIds: contact.companyIds.filter((one) => one !== id) })
  }
}
