import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Company, duplicate, found, idOf, invalid, missing, momentOf } from './account.ts'
import { checkValues, fieldsOf, shownValues } from './fields.ts'
import { byName, made, sendList } from './lists.ts'
import { shapes } from './shapes.ts'

export function presentCompany(account: Account, company: Company) {
  return {
    ...company,
    id: idOf(company),
    custom_fields: shownValues(account, 'company', company.custom_fields),
  }
}

const blank = {
  description: null,
  note: null,
  domains: [] as string[],
  health_score: null,
  account_tier: null,
  renewal_date: null,
  industry: null,
}

/** True if a word of the name begins with the term, as in searches for names. */
export const startsWord = (name: string, term: string): boolean =>
  name
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.startsWith(term.toLowerCase()))

function check(account: Account, body: Partial<Company>, self?: Company): void {
  const others = account.companies.list(({ id }) => id !== self?.id)
  const name = body.name?.trim().toLowerCase()
  if (name === '') missing('name')
  if (name !== undefined && name.length > 255) invalid('name', 'It should not have more than 255 characters')
  if (others.some((company) => company.name.toLowerCase() === name)) duplicate('name')
  for (const domain of body.domains ?? []) {
    const owner = others.find(({ domains }) => domains.includes(domain.toLowerCase()))
    if (owner) invalid('domains', `${domain} is already taken by the company with company id:${owner.id}`)
  }
  for (const key of ['health_score', 'account_tier', 'industry'] as const) {
    const choices = fieldsOf(account, 'company').find((field) => field.name === key)?.choices ?? []
    const value = body[key] ?? null
    if (value !== null && !choices.some((choice) => choice.value === value))
      invalid(key, `It should be one of these values: '${choices.map((choice) => choice.value).join(',')}'`)
  }
}

const cleaned = (body: Partial<Company>): Partial<Company> => ({
  ...body,
  ...(body.name !== undefined && { name: body.name.trim() }),
  ...(body.domains && { domains: [...new Set(body.domains.map((domain) => domain.toLowerCase()))] }),
  ...(body.renewal_date !== undefined && { renewal_date: momentOf(body.renewal_date, 'renewal_date') }),
})

export function saveCompany(account: Account, body: Partial<Company>, self?: Company): Company {
  check(account, body, self)
  const before = self?.custom_fields ?? {}
  const custom_fields = checkValues(account, 'company', { given: body.custom_fields ?? {}, before })
  const company = self
    ? found(account.companies.change(self.id, { ...cleaned(body), custom_fields, updated_at: account.now() }))
    : account.companies.put({
        id: account.nextId(),
        ...blank,
        name: body.name ?? missing('name'),
        ...cleaned(body),
        custom_fields,
        ...account.times(),
      })
  // People without a company whose address is at one of these domains belong to the company from now on.
  for (const contact of account.contacts.list(({ company_id }) => company_id === null))
    if (company.domains.includes(contact.email?.split('@')[1] ?? '?'))
      account.contacts.change(contact.id, { company_id: idOf(company), updated_at: account.now() })
  return company
}

export function companyOperations(account: Account): Operation[] {
  const { companies, contacts, tickets } = account
  const find = (id: string | undefined) => found(companies.get(String(id)))
  const present = (company: Company) => presentCompany(account, company)
  return [
    {
      ...shapes.companies,
      act: (request) => sendList(request, byName(companies.list()), present),
    },
    { ...shapes.company, act: ({ params }) => answer(200, present(find(params.id))) },
    {
      ...shapes.findCompanies,
      act({ query }) {
        const matching = companies.search(({ name }) => startsWord(name, query.get('name') ?? ''))
        return answer(200, { companies: matching.map(({ id, name }) => ({ id: Number(id), name })) })
      },
    },
    {
      ...shapes.makeCompany,
      act({ json }) {
        const company = saveCompany(account, json)
        return made(account, 'companies', company.id, present(company))
      },
    },
    {
      ...shapes.changeCompany,
      act: ({ params, json }) => answer(200, present(saveCompany(account, json, find(params.id)))),
    },
    {
      ...shapes.removeCompany,
      // The company's people and tickets stay, without a company.
      act({ params }) {
        const company = find(params.id)
        companies.remove(company.id)
        for (const contact of contacts.list()) {
          const other_companies = contact.other_companies.filter(({ company_id }) => company_id !== idOf(company))
          const isMain = contact.company_id === idOf(company)
          if (isMain || other_companies.length < contact.other_companies.length)
            contacts.change(contact.id, { other_companies, ...(isMain && { company_id: null }) })
        }
        for (const { id } of tickets.list(({ company_id }) => company_id === idOf(company)))
          tickets.change(id, { company_id: null })
        return answer(204)
      },
    },
  ]
}
