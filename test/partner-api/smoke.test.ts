import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('a partner sees the tools', async () => {
  const partner = await service.createPartner()
  const answer = await partner.call('GET', '/api/v2.1/tools')
  expect(answer.json).toEqual([{ name: 'fernhill', slug: 'fernhill', label: 'Fernhill Desk', families: ['helpdesk'] }])
})
