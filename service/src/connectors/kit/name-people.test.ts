import { expect, test } from 'vitest'
import type { ToolUser } from '../../families/record.ts'
import type { OutgoingRecord } from '../contract/contract.ts'
import { openNames } from './name-people.ts'

const person = (id: string, name: string): ToolUser => ({ id, name, email: `${id}@example.com`, isActive: true })
/** Two pages of people. Counts how often they are asked for. */
function openPeople() {
  const asked = { pages: 0 }
  const users = async (cursor: string | null) => {
    asked.pages += 1
    const items = cursor === null ? [person('1', 'Ada')] : [person('2', 'Bob'), person('3', '')]
    return { items, next: cursor === null ? 'more' : null }
  }
  return { asked, ...openNames(users) }
}
const record = (customFields: OutgoingRecord['customFields'], parts?: OutgoingRecord['parts']): OutgoingRecord => ({
  ...{ key: 'k', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
  ...{ fields: {}, customFields, ...(parts && { parts }) },
})
const user = (value: string | string[] | null) => ({ owner: { label: 'Owner', type: 'user' as const, value } })
const valueIn = ({ customFields }: Pick<OutgoingRecord, 'customFields'>) => customFields.owner?.value

test('people in custom fields become their names, else their addresses; unknown ones stay as they are', async () => {
  const { asked, inRecord } = openPeople()
  expect(valueIn(await inRecord(record(user('2'))))).toBe('Bob')
  expect(valueIn(await inRecord(record(user(['1', '3', '9']))))).toEqual(['Ada', '3@example.com', '9'])
  expect(valueIn(await inRecord(record(user(null))))).toBeNull()
  expect(asked.pages).toBe(2)
})

test('the people in the parts of a record are named, too', async () => {
  const { inRecord } = openPeople()
  const { parts } = await inRecord(record({}, [{ ...record(user('1')), entity: 'comments', position: 0 } as never]))
  expect(parts?.map(valueIn)).toEqual(['Ada'])
})

test('without a person in a custom field, nobody is asked for', async () => {
  const { asked, inRecord } = openPeople()
  const plain = record({ size: { label: 'Size', type: 'integer', value: 1 } })
  expect(await inRecord(plain)).toEqual(plain)
  expect(asked.pages).toBe(0)
})
