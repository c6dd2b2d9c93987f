import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewGrant } from '../../service/src/authorizations/renew-grant.ts'
import { type Customers, startCustomers } from './customers.ts'

let customers: Customers
beforeAll(async () => {
  customers = await startCustomers()
})
afterAll(() => customers?.close())

test('a tool that renews slowly does not cost the customer the account, and others wait for its answer', async () => {
  const customer = await customers.open('zendesk')
  expect(await customer.signIn()).toBe('')
  const { token: first } = (await customer.access()) ?? {}
  const place = { importId: customer.id, role: 'source' as const, tool: 'zendesk' }
  customers.server.change = async (answer) => {
    // Longer than a transaction may be idle elsewhere, and than a statement may wait for a lock.
    await sleep(11_000)
    return answer
  }
  const renewed = await Promise.all([1, 2].map(() => renewGrant(customers.parts, place, first ?? '')))
  const { token } = (await customer.access()) ?? {}
  expect(renewed.map((access) => access.token)).toEqual([token, token])
  expect(customers.server.isOpen(String(token))).toBe(true)
})
