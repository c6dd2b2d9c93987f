import { expect, test } from 'vitest'
import type { Sent } from './http.ts'
import { orRefused, refusalsOf } from './outcomes.ts'

const { done, present } = refusalsOf('Acme')
const missing = (isOfList: boolean): Sent => ({
  ...{ result: 'refused', status: 404, code: 'status_404', message: 'Not found', json: null },
  isOfList,
})
const messageOf = async (act: () => unknown, isNew: boolean) => {
  const outcome = await orRefused('k', async () => act(), isNew)
  return (outcome as { message?: string }).message
}

test('only a record that existed counts as deleted', async () => {
  const deleted = 'It was deleted in Acme since it was imported.'
  expect(await messageOf(() => done(missing(false)), false)).toBe(deleted)
  expect(await messageOf(() => present(null), false)).toBe(deleted)
})

test('a new record that meets a 404 has lost its parent, or the account lacks the list', async () => {
  const orphan = 'The record that it belongs to is no longer in Acme.'
  expect(await messageOf(() => present(null), true)).toBe(orphan)
  expect(await messageOf(() => done(missing(false)), true)).toBe(orphan)
  const lacking = 'Acme has no place for it (404). The plan of this account may lack it.'
  expect(await messageOf(() => done(missing(true)), true)).toBe(lacking)
})
