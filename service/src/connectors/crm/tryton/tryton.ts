import type { Account, SideRecords } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { createTrytonApi, type TrytonApi } from './api.ts'
import { listPeople, type Person } from './list-people.ts'
import { type RelationTypes, sortRelationTypes } from './relation-types.ts'
import { fieldsOf, type Row } from './schema.ts'

/** An account: its API and its settings. Each setting is read once per opened account. */
export interface Tryton extends TrytonApi {
  /** The installed models, of those that we use. */
  models(): Promise<ReadonlySet<string>>
  /** Empty if the module for relations is not installed. */
  relationTypes(): Promise<RelationTypes>
  /** Forgets the cached types after one was added. */
  renewRelationTypes(): void
  languages(): Promise<ReadonlyMap<number, string>>
  /** ISO codes by country id. */
  countries(): Promise<ReadonlyMap<number, string>>
  currencies(): Promise<ReadonlyMap<number, Row<'currency.currency'>>>
  /** The fields of an address in this Tryton: modules add and remove some. */
  addressFields(): Promise<string[]>
  people(): Promise<readonly Person[]>
  /** Records the rows that we create besides records. */
  sides: SideRecords | undefined
}

const used = ['party.party', 'party.relation.all', 'sale.opportunity', 'company.company', 'company.employee']

export function openAccount(account: Account): Tryton {
  const api = createTrytonApi(account)
  const models = once(async () => {
    const rows = await api.rowsIn('ir.model', 'model', used)
    return new Set(rows.flatMap(({ model }) => model ?? []))
  })
  const loadTypes = () =>
    once(async () =>
      sortRelationTypes((await models()).has('party.relation.all') ? await api.rows('party.relation.type', []) : []),
    )
  let relationTypes = loadTypes()
  const codes = (model: 'ir.lang' | 'country.country', read = (code: string) => code) =>
    once(async () => new Map((await api.rows(model, [])).map(({ id, code }) => [id, read(code ?? '')])))
  return {
    ...api,
    sides: account.sides,
    models,
    relationTypes: () => relationTypes(),
    renewRelationTypes() {
      relationTypes = loadTypes()
    },
    // Tryton writes pt_BR for pt-BR.
    languages: codes('ir.lang', (code) => code.replaceAll('_', '-')),
    countries: codes('country.country'),
    currencies: once(async () => new Map((await api.rows('currency.currency', [])).map((row) => [row.id, row]))),
    addressFields: once(async () => {
      const known = await api.call('model.party.address.fields_get', [null, 0])
      const there = new Set(Object.keys((known ?? {}) as object))
      return fieldsOf('party.address').filter((field) => there.has(field))
    }),
    people: once(async () => listPeople(api, (await models()).has('company.employee'))),
  }
}
