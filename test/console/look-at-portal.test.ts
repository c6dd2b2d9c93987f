import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashState } from '../../service/src/authorizations/begin-sign-in.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { issueLink } from '../../service/src/imports/issue-link.ts'
import { setOperatorDisabled, setOperatorRole } from '../../service/src/operators/manage-operators.ts'
import { acts } from '../audit/acts.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { type Browser, setUpOperator } from './console-client.ts'

const patient = { timeout: 300_000, interval: 50 }
const reason = 'Ticket 4711: the sample shows no files'
/** These requests do not use the look: the first needs the customer's link, the second only ends the look. */
const harmless = ['POST /portal/session', 'POST /portal/imports/:id/session/end']

let service: TestService
let partner: TestPartner
let support: { id: string; browser: Browser }
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
  support = await setUpOperator(service, 'Sam', 'support')
})
afterAll(() => service.close())

async function createImport(): Promise<string> {
  const { json } = await partner.call('POST', '/api/v2.1/imports', {
    source_tool: 'fernhill',
    destination_username: 'maeve@fernhill.example',
    destination_instance_url: 'https://acme.example/wherry',
    destination_token: 'a-secret-of-the-customer',
  })
  return json.id
}

/** Opens a look, and returns the portal cookie that the console's answer sets. */
async function look(id: string, browser = support.browser, given: unknown = reason) {
  const own = browser.cookie()
  const answer = await browser.ask('POST', `/imports/${id}/look`, { reason: given })
  browser.setCookie(own)
  return { ...answer, cookie: answer.headers.get('set-cookie') }
}

const portal = (method: string, path: string, cookie: string | null, body?: string, type = 'application/json') =>
  fetch(`${service.origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      cookie: String(cookie).split(';')[0] ?? '',
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
  })

describe('a look at the portal', () => {
  test('opens for fifteen minutes, says so, and leaves operator and reason in the audit log', async () => {
    const id = await createImport()
    const { status, body, cookie } = await look(id)
    expect([status, body.path]).toEqual([200, `/imports/${id}`])
    const pattern = new RegExp(`^wherry-${id}=[\\w-]{43}; Max-Age=(\\d+); Path=/; HttpOnly; SameSite=Lax$`)
    const seconds = Number(pattern.exec(cookie ?? '')?.[1])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(900)
    const seen = await portal('GET', `/portal/imports/${id}`, cookie)
    const imp = (await seen.json()) as { id: string; seen_by_operator?: { until: string } }
    expect([seen.status, imp.id, imp.seen_by_operator?.until]).toEqual([200, id, body.until])
    const [session] = await service.db
      .selectFrom('portal_sessions')
      .select(['created_at', 'expires_at'])
      .where('import_id', '=', id)
      .execute()
    expect(Number(session?.expires_at) - Number(session?.created_at)).toBe(15 * 60_000)
    const line = await service.db
      .selectFrom('audit_log')
      .select(['actor', 'details'])
      .where('subject', '=', id)
      .where('act', '=', 'portal seen')
      .executeTakeFirstOrThrow()
    expect(line).toEqual({ actor: 'operator', details: { reason, operator: support.id } })
  })

  test('is shown to the customer', async () => {
    const id = await createImport()
    const { cookie } = await look(id)
    const { activity } = (await (await portal('GET', `/portal/imports/${id}/activity`, cookie)).json()) as {
      activity: { by: string; act: string }[]
    }
    expect(activity[0]).toMatchObject({ by: 'operator', act: 'portal seen' })
  })

  test('changes nothing: every portal route that could change something refuses it with 403', async () => {
    const id = await createImport()
    const { cookie } = await look(id)
    const filled: Record<string, string> = { ':id': id, ':role': 'source', ':file': '1', ':entity': 'tickets' }
    const changing = Object.keys(acts).filter((route) => route.includes(' /portal/') && !harmless.includes(route))
    expect(changing.length).toBeGreaterThan(25)
    const before = await service.db.selectFrom('audit_log').select('id').where('subject', '=', id).execute()
    const answers: [string, number][] = []
    for (const route of changing) {
      const [method = '', url = ''] = route.split(' ')
      const path = url.replaceAll(/:\w+|\*/g, (part) => filled[part] ?? 'x')
      const type = route.endsWith('/content') ? 'application/octet-stream' : 'application/json'
      const answer = await portal(method, path, cookie, '{}', type)
      const { error } = (await answer.json()) as { error: string }
      answers.push([`${route} ${error}`, answer.status])
    }
    expect(answers.filter(([, status]) => status !== 403)).toEqual([])
    const after = await service.db.selectFrom('audit_log').select('id').where('subject', '=', id).execute()
    expect(after).toEqual(before)
  })

  test('shows nothing that was typed into a connection', async () => {
    const id = await createImport()
    const { cookie } = await look(id)
    for (const role of ['source', 'destination']) {
      const answer = await portal('GET', `/portal/imports/${id}/accounts/${role}`, cookie)
      const { fields } = (await answer.json()) as { fields: { value: string | null }[] }
      expect(fields.length).toBeGreaterThan(0)
      expect(fields.filter(({ value }) => value !== null)).toEqual([])
    }
    const imp = await (await portal('GET', `/portal/imports/${id}`, cookie)).text()
    expect(imp).not.toContain('a-secret-of-the-customer')
  })

  test('shows prices and invoices only to owners', async () => {
    const id = await createImport()
    const owner = await setUpOperator(service, 'Olga', 'owner')
    const [bySupport, byOwner] = [(await look(id)).cookie, (await look(id, owner.browser)).cookie]
    for (const path of ['quote', 'invoice.pdf', 'credit-note.pdf']) {
      expect((await portal('GET', `/portal/imports/${id}/${path}`, bySupport)).status, path).toBe(403)
      expect((await portal('GET', `/portal/imports/${id}/${path}`, byOwner)).status, path).not.toBe(403)
    }
  })

  test('does not finish a sign-in that the customer has begun at a tool', async () => {
    const id = await createImport()
    const { cookie } = await look(id)
    const state_hash = hashState('the-state')
    const expires_at = new Date(Date.now() + 600_000)
    await service.db
      .insertInto('oauth_sign_ins')
      .values({ state_hash, import_id: id, role: 'source', sealed_details: Buffer.from('x'), expires_at } as never)
      .execute()
    const answer = await portal('GET', '/portal/oauth/callback?state=the-state&code=1', cookie)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/imports/unknown'])
    const row = await service.db.selectFrom('oauth_sign_ins').select('sealed_details').executeTakeFirstOrThrow()
    expect(row.sealed_details).not.toBeNull()
  })

  test.each([
    ['none', undefined],
    ['a blank one', '          '],
    ['a short one', 'because'],
    ['a long one', 'x'.repeat(201)],
    ['two lines', 'Ticket 4711\nthe sample shows no files'],
    ['a number', 4711],
  ])('needs a reason: %s is refused', async (_name, given) => {
    const { status, body, cookie } = await look(await createImport(), support.browser, given ?? null)
    expect([status, Object.keys(body), cookie]).toEqual([422, ['reason'], null])
  })

  test('ends with the operator’s session, a new role, a new link and the account', async () => {
    const id = await createImport()
    const isOpen = async (cookie: string | null) =>
      (await portal('GET', `/portal/imports/${id}`, cookie)).status === 200
    const ends: [string, (operator: string, browser: Browser) => Promise<unknown>][] = [
      ['sign-out', (_operator, browser) => browser.ask('DELETE', '/session')],
      ['role', (operator) => setOperatorRole(service.db, operator, 'reader')],
      ['link', () => issueLink(service.db, id, { actor: 'operator' })],
      ['disabled', (operator) => setOperatorDisabled(service.db, operator, true)],
    ]
    for (const [name, end] of ends) {
      const { id: operator, browser } = await setUpOperator(service, `Operator ${name}`, 'support')
      const { cookie } = await look(id, browser)
      expect(await isOpen(cookie), name).toBe(true)
      await end(operator, browser)
      expect(await isOpen(cookie), name).toBe(false)
    }
  })

  test('ends when a session reaches its twelve hours, and says so', async () => {
    const id = await createImport()
    const { id: operator, browser } = await setUpOperator(service, 'Late', 'support')
    const end = new Date(Date.now() + 600_000)
    await service.db
      .updateTable('operator_sessions')
      .set({ expires_at: end })
      .where('operator_id', '=', operator)
      .execute()
    const { body, cookie } = await look(id, browser)
    expect(new Date(body.until)).toEqual(end)
    expect((await portal('GET', `/portal/imports/${id}`, cookie)).status).toBe(200)
    const seconds = Number(/; Max-Age=(\d+);/.exec(cookie ?? '')?.[1])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(600)
  })

  test('is not opened for an operator whose role is removed at that moment', async () => {
    const id = await createImport()
    const { id: operator, browser } = await setUpOperator(service, 'Rita', 'support')
    const asked = await service.db.transaction().execute(async (tx) => {
      await tx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().execute()
      const answer = look(id, browser)
      await vi.waitUntil(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
        return rows.length > 0
      }, patient)
      await setOperatorRole(service.db, operator, 'reader')
      return { answer }
    })
    const { status, cookie } = await asked.answer
    expect([status, cookie]).toEqual([409, null])
  })

  test('is refused for an import that has ended, and the operator can end the look', async () => {
    const id = await createImport()
    const { cookie } = await look(id)
    expect((await portal('POST', `/portal/imports/${id}/session/end`, cookie, '{}')).status).toBe(204)
    expect((await portal('GET', `/portal/imports/${id}`, cookie)).status).toBe(401)
    await endImport(service.db, id, 'archived')
    const refused = await look(id)
    expect([refused.status, refused.cookie]).toEqual([409, null])
  })
})
