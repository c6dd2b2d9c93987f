import type { ToolUser } from '../../../families/record.ts'
import type { TrytonApi } from './api.ts'
import { fieldsOf, type Model, type Row, takeRow } from './schema.ts'
import { readDate } from './wire-values.ts'

/** Someone who signs in, or an employee who may own opportunities without ever signing in. */
export interface Person extends ToolUser {
  userIds: number[]
  employeeId: number | null
  /** Of the employee. */
  companyId: number | null
}

const pageSize = 1_000

/** Employees first: they own opportunities. A user who is an employee is the same person. */
export async function listPeople(api: TrytonApi, hasEmployees: boolean): Promise<Person[]> {
  const fields = fieldsOf('res.user').filter((field) => hasEmployees || field !== 'employees')
  const users = await every(api, 'res.user', fields)
  const employees = hasEmployees ? await every(api, 'company.employee', fieldsOf('company.employee')) : []
  const partyIds = employees.flatMap(({ party }) => party ?? [])
  const parties = await inChunks(partyIds, (ids) =>
    api.search('party.party', [['id', 'in', ids]], { fields: ['name'] }),
  )
  const names = new Map(parties.map((raw) => [raw.id, takeRow('party.party', raw).row.name ?? '']))
  const mails = await inChunks(partyIds, (ids) =>
    api.search(
      'party.contact_mechanism',
      [
        ['party', 'in', ids],
        ['type', '=', 'email'],
        ['active', '=', true],
      ],
      {
        fields: ['party', 'value'],
      },
    ),
  )
  const emails = new Map<number, string>()
  for (const raw of mails) {
    const { party, value } = takeRow('party.contact_mechanism', raw).row
    if (party !== undefined && value && !emails.has(party)) emails.set(party, value)
  }
  const today = new Date().toISOString().slice(0, 10)
  const known = new Set<number>()
  const asEmployees = employees.map(({ id, party = 0, company, end_date }): Person => {
    const own = users.filter((user) => user.employees?.includes(id) && !known.has(user.id))
    for (const user of own) known.add(user.id)
    return {
      id: `employee-${id}`,
      name: names.get(party) || `Employee ${id}`,
      email: own.find(({ email }) => email)?.email ?? emails.get(party) ?? null,
      isActive: !end_date || readDate(end_date) >= today,
      userIds: own.map((user) => user.id),
      employeeId: id,
      companyId: company ?? null,
    }
  })
  const asUsers = users.filter(({ id }) => !known.has(id))
  return [
    ...asEmployees,
    ...asUsers.map(({ id, name, login, email, active }) => ({
      id: `user-${id}`,
      name: name || login || `User ${id}`,
      email: email ?? null,
      isActive: active ?? true,
      userIds: [id],
      employeeId: null,
      companyId: null,
    })),
  ]
}

async function every<M extends Model>(api: TrytonApi, model: M, fields: string[]): Promise<Row<M>[]> {
  const rows: Row<M>[] = []
  let after = -1
  for (;;) {
    const page = await api.search(model, [['id', '>', after]], { fields, limit: pageSize })
    rows.push(...page.map((raw) => takeRow(model, raw).row))
    const last = page.at(-1)?.id
    if (page.length < pageSize || last === undefined || last <= after) return rows
    after = last
  }
}

async function inChunks<T>(ids: readonly number[], load: (ids: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = []
  for (let start = 0; start < ids.length; start += pageSize)
    found.push(...(await load(ids.slice(start, start + pageSize))))
  return found
}
