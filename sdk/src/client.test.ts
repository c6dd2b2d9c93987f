import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { createWherry, type Wherry, WherryError } from './index.ts'

let service: TestService
let wherry: Wherry
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  const { api_token: apiToken } = await service.createPartner()
  wherry = createWherry({ baseUrl: `${service.origin}/api/v2.1/`, apiToken })
})
afterAll(() => service.close())

test('a partner’s app creates and follows an import', async () => {
  expect(await wherry.listTools('helpdesk')).toContainEqual(expect.objectContaining({ name: 'fernhill' }))
  const created = await wherry.createImport({ source_tool: 'fernhill', destination_username: 'jäne+1@example.com' })
  expect(created.redirect_url).toContain(created.id)
  expect(await wherry.listImports('jäne+1@example.com')).toMatchObject([{ id: created.id, token: created.token }])
  await wherry.acceptSponsorship(created.id)
  expect(await wherry.getImport(created.id)).toMatchObject({ sponsorship: 'accepted' })
  await wherry.rejectSponsorship(created.id)
  expect((await wherry.getImport(created.id)).sponsorship).toBe('rejected')
})

test('a second creation with the same key returns the first import', async () => {
  const create = () => wherry.createImport({ source_tool: 'fernhill' }, { idempotencyKey: 'once' })
  expect(await create()).toEqual(await create())
})

test('errors say which fields to correct', async () => {
  const refusal = await wherry.createImport({ source_tool: 'nothing' }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(WherryError)
  expect(refusal).toMatchObject({
    status: 422,
    code: 'validation_failed',
    fields: { source_tool: ['is not supported'] },
    message: 'source_tool is not supported',
    requestId: expect.stringMatching(/^req_/),
  })
  await expect(wherry.getImport('imp_x/../..')).rejects.toMatchObject({ status: 404, code: 'not_found' })
  const stranger = createWherry({ baseUrl: `${service.origin}/api/v2.1`, apiToken: 'wrong' })
  await expect(stranger.listTools()).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
})

test('the sandbox differs only in its address', async () => {
  const { api_token: apiToken } = await service.createPartner()
  const sandbox = createWherry({ baseUrl: `${service.origin}/api/sandbox`, apiToken })
  expect(await sandbox.listImports('anyone')).toHaveLength(9)
})
