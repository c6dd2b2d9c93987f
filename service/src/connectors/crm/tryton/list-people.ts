import type { ToolUser, UserRef } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { inParts } from '../../kit/shape-walks.ts'
import type { TrytonApi } from './api.ts'
import { fieldsOf } from './schema.ts'
import { readDate } from './wire-values.ts'

/** A user who can sign in, or an employee, who can own opportunities without signing in. */
export type Person = Awaited<ReturnType<typeof listPeople>>[number]

const atOnce = 1_000

/** Lists employees first, because they own opportunities. A user who is an employee appears once. */
export async function listPeople(api: TrytonApi, hasEmployees: boolean) {
  const fields = fieldsOf('res.user').filter((field) => hasEmployees || field !== 'employees')
  const users = await api.every('res.user', fields)
  const employees = hasEmployees ? await api.every('company.employee', fieldsOf('company.employee')) : []
  const partyIds = employees.flatMap(({ party }) => party ?? [])
  const names = new Map(
    await inChunks(partyIds, atOnce, async (ids) => [...(await api.namesOf('party.party', ids, 'name'))]),
  )
  const mails = await inChunks(partyIds, atOnce, (ids) => {
    const domain = [
      ['party', 'in', ids],
      ['type', '=', 'email'],
      ['active', '=', true],
    ]
    return api.rows('party.contact_mechanism', domain, ['party', 'value'])
  })
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

export const pageOfPeople = (people: readonly Person[], cursor: string | null, size: number): Promise<Page<ToolUser>> =>
  inParts(people, size, async (some) => some.map(({ id, name, email, isActive }) => ({ id, name, email, isActive })))(
    cursor,
    size,
  )

export type PeopleIndex = ReturnType<typeof indexPeople>

/** Finds the person behind a user id or an employee id. */
export function indexPeople(people: readonly Person[]) {
  const users = new Map(people.flatMap(({ id, userIds }) => userIds.map((userId) => [userId, { userId: id }])))
  const employees = new Map(people.map(({ id, employeeId }) => [employeeId, { userId: id }]))
  return {
    user: (id: number | null | undefined): UserRef | undefined => users.get(id ?? -1),
    employee: (id: number | null | undefined): UserRef | undefined => employees.get(id ?? -1),
  }
}
