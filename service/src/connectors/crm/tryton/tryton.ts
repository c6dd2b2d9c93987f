import type { ToolUser, UserRef } from '../../../families/record.ts'
import type { Account, Page } from '../../contract/contract.ts'
import { createTurns, once, onceEach } from '../../kit/once.ts'
import { inParts } from '../../kit/shape-walks.ts'
import { createTrytonApi, type TrytonApi, TrytonRefusal, unlessRefused } from './api.ts'
import { countryName, type TrytonAddress } from './contact-details.ts'
import { ownTypes, sortRelationTypes } from './party-kind.ts'
import { fieldsOf, type Model, type Row, readDate } from './schema.ts'
import { createSide } from './sides.ts'

export type Tryton = ReturnType<typeof openAccount>

/** An account: its API and its settings. Each setting is read once per opened account. */
export function openAccount(account: Account) {
  const api = createTrytonApi(account)
  const people = once(() => listPeople(api))
  /** A short list by id. It is read again if it lacks one of the ids: somebody may have added that row. */
  const byId = <M extends Model, V>(model: M, read: (row: Row<M>) => V) => {
    const list = once(async () => new Map((await api.rows(model, [])).map((row) => [row.id, read(row)])))
    return async (ids: readonly (number | null | undefined)[] = []) => {
      const known = await list()
      if (ids.every((id) => !id || known.has(id))) return known
      list.forget()
      return list()
    }
  }
  return {
    ...api,
    /** Records the rows that we create besides records. */
    sides: account.sides,
    /** Empty if the module for relations is not installed. */
    relationTypes: once(async () =>
      sortRelationTypes((await api.has('party.relation.all')) ? await api.rows('party.relation.type', []) : []),
    ),
    // Tryton writes pt_BR for pt-BR.
    languages: byId('ir.lang', ({ code }) => (code ?? '').replaceAll('_', '-')),
    /** ISO codes by country id. */
    countries: byId('country.country', ({ code }) => code ?? ''),
    currencies: byId('currency.currency', (row) => row),
    /** The fields of an address in this Tryton: modules add and remove some. */
    addressFields: once(async () => {
      const known = await api.call('model.party.address.fields_get', [null, 0])
      const there = new Set(Object.keys((known ?? {}) as object))
      return fieldsOf('party.address').filter((field) => there.has(field))
    }),
    people,
    index: once(async () => indexPeople(await people())),
    async colleagues() {
      const { company } = await api.preferences()
      return (await people()).filter(({ companyId }) => companyId !== null && companyId === company)
    },
    async name(): Promise<string> {
      const { company } = await api.preferences()
      if (company === null) return api.database
      const [own] = await api.rows('company.company', [['id', '=', company]], ['party'])
      const [party] = await api.rows('party.party', [['id', '=', own?.party ?? -1]], ['name'])
      return party?.name?.slice(0, 200) || api.database
    },
  }
}

export type Destination = ReturnType<typeof withLookUp>

/** An account that we write to. It finds ids by name, and creates missing rows where Tryton allows it. */
export function withLookUp(tryton: Tryton) {
  // Two batches at the same time must not create the same type twice.
  const inTurn = createTurns()
  const makeType = async (name: string, reverse: string | null): Promise<number> => {
    const make = (values: { name: string; reverse?: number }) =>
      createSide(tryton, 'relation_types', values.name, values)
    const id = await make({ name })
    if (reverse !== null) {
      const back = reverse === name ? id : await make({ name: reverse, reverse: id })
      await tryton.write('party.relation.type', [id], { reverse: back })
    }
    tryton.relationTypes.forget()
    return id
  }
  const relationType = (name: string, reverse: string | null): Promise<number> =>
    inTurn(async () => {
      const { byId } = await tryton.relationTypes()
      const named = [...byId.values()].filter((type) => type.name === name)
      const exact = named.find((type) => byId.get(type.reverse ?? -1)?.name === reverse)
      return (exact ?? named[0])?.id ?? makeType(name, reverse)
    })
  return {
    ...tryton,
    relationType,
    /** The type that links people to organisations, or organisations to their parent. */
    async ownRelationType(which: keyof typeof ownTypes): Promise<number> {
      const types = await tryton.relationTypes()
      const { name, reverse } = ownTypes[which]
      const known = [...types[which]]
      const usual = known.find((id) => types.byId.get(id)?.name === name) ?? known[0]
      return usual ?? relationType(name, reverse)
    },
    async language(code: string | null): Promise<number | null> {
      if (code === null) return null
      const found = [...(await tryton.languages())].find(([, known]) => known.toLowerCase() === code.toLowerCase())
      return found?.[0] ?? null
    },
    /** Finds a country by ISO code; null when it is missing and cannot be created. */
    country: onceEach(async (code: string): Promise<number | null> => {
      const [known] = await tryton.rows('country.country', [['code', '=', code]], ['code'])
      const values = { code, name: countryName(code) ?? code }
      const make = () => createSide(tryton, 'countries', `${code} ${values.name}`, values)
      const id = known ? known.id : await unlessRefused(make)
      return id instanceof TrytonRefusal ? null : id
    }),
    /** Finds the subdivisions that the addresses name. The result maps a country and a name to an id. */
    async subdivisions(addresses: readonly TrytonAddress[]) {
      const codes = addresses.filter(({ subdivision }) => subdivision !== '').map(({ country }) => country)
      const rows = await tryton.rowsIn('country.subdivision', 'country.code', codes)
      const ids = new Map(rows.map(({ id, name, country }) => [`${country} ${name?.toLowerCase()}`, id]))
      return (country: number, name: string): number | null => ids.get(`${country} ${name.toLowerCase()}`) ?? null
    },
  }
}

/** A user who can sign in, or an employee, who can own opportunities without signing in. */
export type Person = Awaited<ReturnType<typeof listPeople>>[number]

const ofMails = [
  ['type', '=', 'email'],
  ['active', '=', true],
]

/** Lists employees first, because they own opportunities. A user who is an employee appears once. */
export async function listPeople(api: TrytonApi) {
  const hasEmployees = await api.has('company.employee')
  const fields = fieldsOf('res.user').filter((field) => hasEmployees || field !== 'employees')
  const users = await api.every('res.user', fields)
  const employees = await api.every('company.employee', fieldsOf('company.employee'))
  const partyIds = employees.flatMap(({ party }) => party ?? [])
  const names = await api.namesOf('party.party', partyIds, 'name')
  const mails = await api.rowsIn('party.contact_mechanism', 'party', partyIds, ['party', 'value'], ofMails)
  const emails = Map.groupBy(mails, ({ party }) => party)
  const today = new Date().toISOString().slice(0, 10)
  const known = new Set<number>()
  const asEmployees = employees.map(({ id, party = 0, company, end_date }) => {
    const own = users.filter((user) => user.employees?.includes(id) && !known.has(user.id))
    for (const user of own) known.add(user.id)
    return {
      id: `employee-${id}`,
      name: names.get(party) || `Employee ${id}`,
      email: own.find(({ email }) => email)?.email ?? emails.get(party)?.find(({ value }) => value)?.value ?? null,
      isActive: !end_date || readDate(end_date) >= today,
      userIds: own.map((user) => user.id),
      employeeId: id,
      companyId: company ?? null,
    }
  })
  const others = users.filter(({ id }) => !known.has(id))
  const asUsers = others.map(({ id, name, login, email = null, active: isActive = true }) => {
    const user = { id: `user-${id}`, name: name || login || `User ${id}`, email, isActive }
    return { ...user, userIds: [id], employeeId: null, companyId: null }
  })
  return [...asEmployees, ...asUsers]
}

export function pageOfPeople(people: readonly Person[], cursor: string | null, size: number): Promise<Page<ToolUser>> {
  const toUser = ({ id, name, email, isActive }: Person) => ({ id, name, email, isActive })
  return inParts(people, size, async (some) => some.map(toUser))(cursor, size)
}

export type PeopleIndex = ReturnType<typeof indexPeople>

export function indexPeople(people: readonly Person[]) {
  const users = new Map(people.flatMap(({ id, userIds }) => userIds.map((userId) => [userId, { userId: id }])))
  const employees = new Map(people.map(({ id, employeeId }) => [employeeId, { userId: id }]))
  return {
    user: (id: number | null | undefined): UserRef | undefined => users.get(id ?? -1),
    employee: (id: number | null | undefined): UserRef | undefined => employees.get(id ?? -1),
  }
}
