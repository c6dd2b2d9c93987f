import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
})
afterAll(() => service.close())

const create = (body: unknown = { source_tool: 'fernhill' }) => partner.call('POST', '/api/v2.1/imports', body)
const decide = (id: string, word: string) => partner.call('POST', `/api/v2.1/imports/${id}/payment/${word}`)
const sponsorshipOf = async (id: string) => (await partner.call('GET', `/api/v2.1/imports/${id}`)).json.sponsorship

test('sponsorship is decided with an empty 200, repeatedly and either way, without changing the status', async () => {
  const { id } = (await create()).json
  for (const [word, decision] of [
    ['accept', 'accepted'],
    ['accept', 'accepted'],
    ['reject', 'rejected'],
    ['accept', 'accepted'],
  ] as const) {
    const answer = await decide(id, word)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await sponsorshipOf(id)).toBe(decision)
  }
  expect(await service.db.selectFrom('events').select('id').where('import_id', '=', id).execute()).toHaveLength(1)
})

test('a decision accepts a JSON content type with an empty body, and any JSON object', async () => {
  const { id } = (await create()).json
  const path = `/api/v2.1/imports/${id}/payment/accept`
  expect((await partner.call('POST', path, undefined, { 'content-type': 'application/json' })).status).toBe(200)
  expect((await partner.call('POST', path, {})).status).toBe(200)
  expect((await partner.call('POST', path, '{"a"', { 'content-type': 'application/json' })).status).toBe(400)
})

test('sponsorship cannot be changed once the full migration has started', async () => {
  const { id } = (await create({ source_tool: 'fernhill', start_full: true })).json
  await service.db.transaction().execute(async (tx) => {
    await moveImport(tx, id, 'both accounts authorized')
    await moveImport(tx, id, 'customer starts the full migration')
  })
  expect((await decide(id, 'accept')).status).toBe(200)
  const late = await decide(id, 'reject')
  expect([late.status, Object.keys(late.json)]).toEqual([422, ['payment']])
  expect(await sponsorshipOf(id)).toBe('accepted')
})

test('of accept and reject at once one wins, and every change is in the audit log', async () => {
  const { id } = (await create()).json
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => decide(id, index % 2 === 0 ? 'accept' : 'reject')),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const acts = await service.db
    .selectFrom('audit_log')
    .select('act')
    .where('subject', '=', id)
    .where('act', 'like', 'sponsorship%')
    .orderBy('id')
    .execute()
  // Each change differs from the one before it, and the last one is the final state.
  expect(acts.every(({ act }, index) => act !== acts[index - 1]?.act)).toBe(true)
  expect(acts.at(-1)?.act).toBe(`sponsorship ${await sponsorshipOf(id)}`)
})
