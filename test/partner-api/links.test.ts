import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWherry } from '../../sdk/src/index.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { issueLink } from '../../service/src/imports/issue-link.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
})
afterAll(() => service.close())

const create = async () => (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json
const issue = (id: string, by = partner, base = '/api/v2.1') => by.call('POST', `${base}/imports/${id}/link`)
const tokenOf = (address: string) => address.split('/').at(-1) ?? ''
const signIn = (id: string, token: string) =>
  fetch(`${service.origin}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, token }),
  })
const cookieOf = (answer: Response) => String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
const look = async (id: string, cookie: string) =>
  (await fetch(`${service.origin}/portal/imports/${id}`, { headers: { cookie } })).status
const auditOf = (id: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['actor', 'act', 'details'])
    .where('subject', '=', id)
    .where('act', 'like', 'link %')
    .orderBy('id')
    .execute()

test('a new link opens the portal, the old one does not, and its sessions end', async () => {
  const imp = await create()
  const cookie = cookieOf(await signIn(imp.id, imp.token))
  expect(await look(imp.id, cookie)).toBe(200)
  const { status, json } = await issue(imp.id)
  expect(status).toBe(200)
  expect(json).toMatchObject({ id: imp.id, status_code: 'collecting_credentials', source_tool: 'fernhill' })
  expect(json.redirect_url).toBe(imp.redirect_url.replace(imp.token, json.token))
  expect(json.token).not.toBe(imp.token)
  expect(await look(imp.id, cookie)).toBe(401)
  expect((await signIn(imp.id, imp.token)).status).toBe(404)
  const anew = await signIn(imp.id, json.token)
  expect(anew.status).toBe(204)
  expect(await look(imp.id, cookieOf(anew))).toBe(200)
  expect((await partner.call('GET', `/api/v2.1/imports/${imp.id}`)).json.token).toBe(json.token)
  expect(await auditOf(imp.id)).toEqual([
    { actor: `partner ${partner.id}`, act: 'link issued', details: { link_version: 2, ended_sessions: 1 } },
  ])
})

test('another partner’s import, an ended import and an unknown import are not found, and keep their links', async () => {
  const imp = await create()
  const stranger = await service.createPartner()
  const foreign = await issue(imp.id, stranger)
  const unknown = await issue('imp_01jd3k0000e00000000000000a', stranger)
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  expect((await signIn(imp.id, imp.token)).status).toBe(204)
  expect((await service.call('POST', `/api/v2.1/imports/${imp.id}/link`)).status).toBe(401)
  await endImport(service.db, imp.id, 'cancelled')
  expect((await issue(imp.id)).status).toBe(404)
  expect(await auditOf(imp.id)).toEqual([])
})

test('of links issued at once each has its own version, and only the newest opens the portal', async () => {
  const imp = await create()
  const answers = await Promise.all(Array.from({ length: 8 }, () => issue(imp.id)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const tokens = answers.map(({ json }) => tokenOf(json.redirect_url))
  expect(new Set(tokens).size).toBe(8)
  const opened = await Promise.all(tokens.map(async (token) => (await signIn(imp.id, token)).status))
  expect(opened.sort()).toEqual([204, ...Array(7).fill(404)])
  const versions = (await auditOf(imp.id)).map(({ details }) => details.link_version)
  expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
})

test('a session that is opened while a new link is issued does not outlive the old link', async () => {
  const imp = await create()
  const [opened, issued] = await Promise.all([signIn(imp.id, imp.token), issue(imp.id)])
  expect(issued.status).toBe(200)
  expect(await look(imp.id, cookieOf(opened))).toBe(401)
})

test('after a revocation no link opens the portal until a new one is issued', async () => {
  const imp = await create()
  const cookie = cookieOf(await signIn(imp.id, imp.token))
  await issueLink(service.db, imp.id, { actor: 'operator', revokes: true })
  const { token } = (await partner.call('GET', `/api/v2.1/imports/${imp.id}`)).json
  for (const old of [imp.token, token]) expect((await signIn(imp.id, old)).status).toBe(404)
  expect(await look(imp.id, cookie)).toBe(401)
  const { json } = await issue(imp.id)
  expect((await signIn(imp.id, json.token)).status).toBe(204)
  expect((await auditOf(imp.id)).map(({ act }) => act)).toEqual(['link revoked', 'link issued'])
})

test('the SDK issues links, and the sandbox answers without storing anything', async () => {
  const imp = await create()
  const wherry = createWherry({ baseUrl: `${service.origin}/api/v2.1`, apiToken: partner.api_token })
  const linked = await wherry.issueLink(imp.id)
  expect((await signIn(imp.id, tokenOf(linked.redirect_url))).status).toBe(204)
  const id = 'imp_sandbox_migration_completed'
  const first = await issue(id, partner, '/api/sandbox')
  const second = await issue(id, partner, '/api/sandbox')
  expect([first.status, second.text]).toEqual([200, first.text])
  const before = (await partner.call('GET', `/api/sandbox/imports/${id}`)).json
  expect(first.json).toEqual({ ...before, token: tokenOf(first.json.redirect_url), redirect_url: expect.any(String) })
  expect(first.json.token).not.toBe(before.token)
  expect((await issue('imp_sandbox_nothing', partner, '/api/sandbox')).status).toBe(404)
})
