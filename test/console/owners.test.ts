import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator, setOperatorDisabled, setOperatorRole } from '../../service/src/operators/manage-operators.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { setUpOperator } from './console-client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const lastOwner = 'This is the last owner'

test('without an owner, other accounts can still be disabled and given a role', async () => {
  await createOperator(service.db, { name: 'Sam', role: 'support' })
  expect(await setOperatorRole(service.db, 'Sam', 'reader')).toMatchObject({ role: 'reader' })
  expect(await setOperatorDisabled(service.db, 'Sam', true)).toMatchObject({ state: 'disabled' })
})

test('the last owner stays; an owner who never set up the account does not count', async () => {
  await setUpOperator(service, 'Olga', 'owner')
  await createOperator(service.db, { name: 'Invited', role: 'owner' })
  await expect(setOperatorDisabled(service.db, 'Olga', true)).rejects.toThrow(lastOwner)
  await expect(setOperatorRole(service.db, 'Olga', 'support')).rejects.toThrow(lastOwner)
  expect(await setOperatorDisabled(service.db, 'Invited', true)).toMatchObject({ state: 'disabled' })
  await setUpOperator(service, 'Otto', 'owner')
  expect(await setOperatorRole(service.db, 'Olga', 'support')).toMatchObject({ role: 'support' })
})
