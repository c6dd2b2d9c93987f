import type { Account } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { createTrytonApi } from './api.ts'
import { listPeople } from './list-people.ts'
import { sortRelationTypes } from './relation-types.ts'
import { fieldsOf } from './schema.ts'

export type Tryton = ReturnType<typeof openAccount>

const used = ['party.party', 'party.relation.all', 'sale.opportunity', 'company.company', 'company.employee']

/** An account: its API and its settings. Each setting is read once per opened account. */
export function openAccount(account: Account) {
  const api = createTrytonApi(account)
  /** The installed models, of those that we use. */
  const models = once(async (): Promise<ReadonlySet<string>> => {
    const rows = await api.rowsIn('ir.model', 'model', used)
    return new Set(rows.flatMap(({ model }) => model ?? []))
  })
  const has = async (model: string) => (await models()).has(model)
  const loadTypes = () =>
    once(async () =>
      sortRelationTypes((await has('party.relation.all')) ? await api.rows('party.relation.type', []) : []),
    )
  let relationTypes = loadTypes()
  const codes = (model: 'ir.lang' | 'country.country', read = (code: string) => code) =>
    once(async () => new Map((await api.rows(model, [])).map(({ id, code }) => [id, read(code ?? '')])))
  const people = once(async () => listPeople(api, await has('company.employee')))
  return {
    ...api,
    /** Records the rows that we create besides records. */
    sides: account.sides,
    models,
    has,
    /** Empty if the module for relations is not installed. */
    relationTypes: () => relationTypes(),
    /** Forgets the cached types after one was added. */
    renewRelationTypes() {
      relationTypes = loadTypes()
    },
    // Tryton writes pt_BR for pt-BR.
    languages: codes('ir.lang', (code) => code.replaceAll('_', '-')),
    /** ISO codes by country id. */
    countries: codes('country.country'),
    currencies: once(async () => new Map((await api.rows('currency.currency', [])).map((row) => [row.id, row]))),
    /** The fields of an address in this Tryton: modules add and remove some. */
    addressFields: once(async () => {
      const known = await api.call('model.party.address.fields_get', [null, 0])
      const there = new Set(Object.keys((known ?? {}) as object))
      return fieldsOf('party.address').filter((field) => there.has(field))
    }),
    people,
    /** The employees of the user's company. */
    async colleagues() {
      const { company } = await api.preferences()
      return (await people()).filter(({ companyId }) => companyId !== null && companyId === company)
    },
    /** The name of the company, or of the database if the user has no company. */
    async name(): Promise<string> {
      const { company } = await api.preferences()
      if (company === null || !(await has('company.company'))) return api.database
      const [own] = await api.rows('company.company', [['id', '=', company]], ['party'])
      const [party] = await api.rows('party.party', [['id', '=', own?.party ?? -1]], ['name'])
      return party?.name?.slice(0, 200) || api.database
    },
  }
}
