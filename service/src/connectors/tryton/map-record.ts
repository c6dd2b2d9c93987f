import type { CustomFieldValue, FamilyRecord, FieldValue, UserRef } from '../../families/record.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract.ts'
import type { Person } from './list-people.ts'
import { readMoment, type WireMoment } from './wire-values.ts'

export interface MappedRecord {
  record: FamilyRecord
  warnings: RecordWarning[]
}

interface Parts {
  entity: string
  sourceId: string
  sourceUrl?: string
  /** The newest of them is when the record changed last. */
  stamps: readonly { create_date?: WireMoment | null; write_date?: WireMoment | null }[]
  createdBy?: UserRef | undefined
  childCounts?: Record<string, number>
  fields: Record<string, FieldValue | undefined>
  customFields?: Record<string, CustomFieldValue>
  required: readonly string[]
  /** Names of Tryton's fields that were not what they should be. */
  odd: readonly string[]
}

export function mapRecord({
  entity,
  sourceId,
  stamps,
  createdBy,
  fields,
  required,
  odd,
  ...rest
}: Parts): MappedRecord {
  const moments = stamps.flatMap(({ create_date, write_date }) => {
    const newest = write_date ?? create_date
    return newest ? [readMoment(newest)] : []
  })
  const updatedAt = moments.sort().at(-1)
  const created = stamps[0]?.create_date
  const present = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined)
  const record: FamilyRecord = {
    entity,
    sourceId,
    ...(created ? { createdAt: readMoment(created) } : {}),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(createdBy ? { createdBy } : {}),
    ...rest,
    fields: Object.fromEntries(present),
  }
  const warn = (code: SourceWarning, message: string): RecordWarning => ({ entity, sourceId, code, message })
  const warnings = odd.map((name) =>
    warn('field_unreadable', `The field "${name}" holds something other than expected and was left out.`),
  )
  for (const name of required) {
    if ((record.fields[name] ?? '') === '') warnings.push(warn('required_empty', `The field "${name}" is empty.`))
  }
  return { record, warnings }
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
