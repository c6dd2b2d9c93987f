import { entityOf } from '../../../families/index.ts'
import type { UserRef } from '../../../families/record.ts'
import { finishRecord, type RecordParts } from '../../kit/finish-record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import type { Person } from './list-people.ts'
import { readMoment, type WireMoment } from './wire-values.ts'

interface Stamps {
  create_date?: WireMoment | null
  write_date?: WireMoment | null
}

interface Parts extends Pick<RecordParts, 'sourceUrl' | 'createdBy' | 'childCounts' | 'fields' | 'customFields'> {
  sourceId?: string
  /** Other rows that belong to the record. The latest change of any row is the record's time of change. */
  along?: readonly Stamps[]
}

export function mapRecord(
  entity: string,
  { row, odd }: { row: Stamps & { id: number }; odd: readonly string[] },
  { along = [], ...parts }: Parts,
): MappedRecord {
  const moments = [row, ...along].flatMap(({ create_date, write_date }) => {
    const newest = write_date ?? create_date
    return newest ? [readMoment(newest)] : []
  })
  const fields = Object.entries(entityOf('crm', entity).fields)
  return finishRecord(entity, {
    sourceId: String(row.id),
    ...parts,
    createdAt: row.create_date ? readMoment(row.create_date) : undefined,
    updatedAt: moments.sort().at(-1),
    required: fields.filter(([, { required }]) => required).map(([name]) => name),
    odd,
  })
}

/** Finds the person behind a user id or an employee id. */
export interface PeopleIndex {
  user(id: number | null | undefined): UserRef | undefined
  employee(id: number | null | undefined): UserRef | undefined
}

export function indexPeople(people: readonly Person[]): PeopleIndex {
  const users = new Map(people.flatMap(({ id, userIds }) => userIds.map((userId) => [userId, { userId: id }])))
  const employees = new Map(people.map(({ id, employeeId }) => [employeeId, { userId: id }]))
  return { user: (id) => users.get(id ?? -1), employee: (id) => employees.get(id ?? -1) }
}
