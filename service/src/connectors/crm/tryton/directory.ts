import type { TrytonApi } from './api.ts'
import { listPeople, type Person } from './list-people.ts'
import { loadRelationTypes, type RelationTypes } from './relation-types.ts'
import { fieldsOf, type Model, type Row, takeRow } from './schema.ts'

/** What an account has of its own settings, asked for once for each time that it is opened. */
export interface Directory {
  /** Which of the models that we use are installed. */
  models(): Promise<ReadonlySet<string>>
  relationTypes(): Promise<RelationTypes>
  /** Forgets the types, after one was added. */
  renewRelationTypes(): void
  languages(): Promise<ReadonlyMap<number, string>>
  countries(): Promise<ReadonlyMap<number, string>>
  currencies(): Promise<ReadonlyMap<number, Row<'currency.currency'>>>
  /** Of the addresses: modules add and take away some of their fields. */
  addressFields(): Promise<string[]>
  people(): Promise<readonly Person[]>
}

const models = ['party.party', 'party.relation.all', 'sale.opportunity', 'company.company', 'company.employee']

export function createDirectory(api: TrytonApi): Directory {
  const relationTypes = once(() => loadRelationTypes(api))
  const installed = once(async () => {
    const rows = await all(api, 'ir.model', [['model', 'in', models]])
    return new Set(rows.flatMap(({ model }) => model ?? []))
  })
  const textOf =
    <M extends 'ir.lang' | 'country.country'>(model: M, read: (row: Row<M>) => string) =>
    async () =>
      new Map((await all(api, model, [])).map((row) => [row.id, read(row)]))
  return {
    models: installed.get,
    relationTypes: relationTypes.get,
    renewRelationTypes: relationTypes.forget,
    // pt_BR is pt-BR everywhere else.
    languages: once(textOf('ir.lang', ({ code }) => (code ?? '').replaceAll('_', '-'))).get,
    countries: once(textOf('country.country', ({ code }) => code ?? '')).get,
    currencies: once(async () => new Map((await all(api, 'currency.currency', [])).map((row) => [row.id, row]))).get,
    addressFields: once(async () => {
      const known = await api.call('model.party.address.fields_get', [null, 0])
      const there = new Set(Object.keys((known ?? {}) as object))
      return fieldsOf('party.address').filter((field) => there.has(field))
    }).get,
    people: once(async () => listPeople(api, (await installed.get()).has('company.employee'))).get,
  }
}

/** Every row, for lists that stay small. */
export async function all<M extends Model>(api: TrytonApi, model: M, domain: unknown[], fields = fieldsOf(model)) {
  const rows = await api.search(model, domain, { fields })
  return rows.map((raw) => takeRow(model, raw).row)
}

export function once<T>(load: () => Promise<T>): { get: () => Promise<T>; forget: () => void } {
  let loaded: Promise<T> | null = null
  const forget = () => {
    loaded = null
  }
  return {
    get: () => {
      loaded ??= load().catch((error: unknown) => {
        forget()
        throw error
      })
      return loaded
    },
    forget,
  }
}
