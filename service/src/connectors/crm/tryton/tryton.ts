import type { Account, SideRecords } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { createTrytonApi, type TrytonApi } from './api.ts'
import { listPeople, type Person } from './list-people.ts'
import { type RelationTypes, sortRelationTypes } from './relation-types.ts'
import { fieldsOf, type Row } from './schema.ts'

/** An account: what it can be asked, and what it has of its own settings, asked for once each time that it is opened. */
export interface Tryton extends TrytonApi {
  /** Which of the models that we use are installed. */
  models(): Promise<ReadonlySet<string>>
  /** None where their module is not installed. */
  relationTypes(): Promise<RelationTypes>
  /** Forgets the types, after one was added. */
  renewRelationTypes(): void
  languages(): Promise<ReadonlyMap<number, string>>
  /** ISO codes. */
  countries(): Promise<ReadonlyMap<number, string>>
  currencies(): Promise<ReadonlyMap<number, Row<'currency.currency'>>>
  /** Of the addresses: modules add and take away some of their fields. */
  addressFields(): Promise<string[]>
  people(): Promise<readonly Person[]>
  /** Takes note of what is made besides records. */
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
    // pt_BR is pt-BR everywhere else.
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
