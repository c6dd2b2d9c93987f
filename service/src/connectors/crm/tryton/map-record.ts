import type { UserRef } from '../../../families/record.ts'
import { finishRecord, type RecordParts } from '../../kit/finish-record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import type { Person } from './list-people.ts'
import { readMoment, type WireMoment } from './wire-values.ts'

export type { MappedRecord }

interface Parts extends Omit<RecordParts, 'createdAt' | 'updatedAt'> {
  entity: string
  /** The newest of them is when the record changed last. */
  stamps: readonly { create_date?: WireMoment | null; write_date?: WireMoment | null }[]
}

export function mapRecord({ entity, stamps, ...parts }: Parts): MappedRecord {
  const moments = stamps.flatMap(({ create_date, write_date }) => {
    const newest = write_date ?? create_date
    return newest ? [readMoment(newest)] : []
  })
  const created = stamps[0]?.create_date
  const createdAt = created ? readMoment(created) : undefined
  return finishRecord(entity, { ...parts, createdAt, updatedAt: moments.sort().at(-1) })
}

/** Who a user or an employee is among the people of the account. */
export interface PeopleIndex {
  user(id: number | null | undefined): UserRef | undefined
  employee(id: number | null | undefined): UserRef | undefined
}

export function indexPeople(people: readonly Person[]): PeopleIndex {
  const users = new Map(people.flatMap(({ id, userIds }) => userIds.map((userId) => [userId, { userId: id }])))
  const employees = new Map(
    people.flatMap(({ id, employeeId }) => (employeeId === null ? [] : [[employeeId, { userId: id }]])),
  )
  return { user: (id) => users.get(id ?? -1), employee: (id) => employees.get(id ?? -1) }
}
