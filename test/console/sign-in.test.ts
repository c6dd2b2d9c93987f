import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createOperator, setOperatorDisabled } from '../../service/src/operators/manage-operators.ts'
import { beginSetup } from '../../service/src/operators/sign-in.ts'
import { startTestService, type TestService, testKeys } from '../support/service.ts'
import { codeOf, goodPassword, openBrowser, setUpOperator } from './console-client.ts'

const patient = { timeout: 300_000, interval: 50 }
const keyRing = parseKeyRing(testKeys)
const strangerAt = (host: number) => ({ address: `203.0.113.${host}`, agent: '' })

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const signIn = (given: { name: string; password?: string; code: string }, headers: Record<string, string> = {}) =>
  openBrowser(service).ask('POST', '/session', { password: goodPassword, ...given }, headers)

describe('setting up an account', () => {
  test('the code sets password and authenticator once, and signs its owner in', async () => {
    const { browser, id } = await setUpOperator(service, 'Ana', 'owner')
    expect((await browser.ask('GET', '/session')).body).toMatchObject({ id, name: 'Ana', role: 'owner' })
    const row = await service.db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(row.setup_hash).toBeNull()
  })

  test('a used, unknown or expired code opens nothing', async () => {
    const { setup_code } = await createOperator(service.db, { name: 'Expired', role: 'reader' })
    await service.db
      .updateTable('operators')
      .set({ setup_expires_at: new Date(0) })
      .where('name', '=', 'Expired')
      .execute()
    for (const code of [setup_code, 'nonsense']) {
      const answer = await openBrowser(service).ask('POST', '/setup/begin', { setup_code: code })
      expect(answer.status).toBe(401)
      expect(answer.body.message).toContain('wherry operator reset')
    }
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('a weak password and a wrong code are refused, and name the field', async () => {
    const { setup_code } = await createOperator(service.db, { name: 'Weak', role: 'reader' })
    const browser = openBrowser(service)
    const { body } = await browser.ask('POST', '/setup/begin', { setup_code })
    const finish = (password: string, code: string) => browser.ask('POST', '/setup', { setup_code, password, code })
    for (const password of ['short', 'aaaaaaaaaaaaaaaa', 'this is weak and long']) {
      expect(await finish(password, codeOf(body.secret))).toMatchObject({
        status: 422,
        body: { password: expect.anything() },
      })
    }
    expect(await finish(goodPassword, '000000')).toMatchObject({ status: 422, body: { code: expect.anything() } })
    expect(browser.cookie()).toBeNull()
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('wrong codes from other networks do not lock out the owner of a code', async () => {
    const { setup_code } = await createOperator(service.db, { name: 'Late', role: 'reader' })
    for (let host = 1; host <= 52; host++) {
      await expect(beginSetup({ db: service.db, keyRing }, 'nonsense', strangerAt(host))).rejects.toThrow('not valid')
    }
    expect((await openBrowser(service).ask('POST', '/setup/begin', { setup_code })).status).toBe(200)
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('there is no account, and no password, before somebody creates one', async () => {
    const empty = await startTestService()
    expect(await empty.db.selectFrom('operators').selectAll().execute()).toEqual([])
    await empty.close()
  })
})

describe('signing in', () => {
  test('name, password and code open a session; each wrong one is refused in the same words', async () => {
    const { name, secret } = await setUpOperator(service, 'Bea', 'support')
    const wrong = [
      { name, password: 'another password', code: codeOf(secret) },
      { name, code: '123456' },
      { name: 'nobody', code: codeOf(secret) },
    ]
    for (const given of wrong) {
      const answer = await signIn(given)
      expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining('is wrong') } })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    const right = await signIn({ name: 'BEA', code: codeOf(secret) })
    expect(right.status).toBe(204)
    const cookie = right.headers.get('set-cookie')
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('a code opens one session, also when it is sent twice at once', async () => {
    const { name, secret } = await setUpOperator(service, 'Cleo', 'reader')
    const code = codeOf(secret)
    const answers = await Promise.all([signIn({ name, code }), signIn({ name, code }), signIn({ name, code })])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401])
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test.each([
    ['reset', { password_hash: null, sealed_totp: null, totp_step: null }],
    ['disabled', { disabled_at: new Date() }],
  ])('an account that is %s while somebody signs in opens no session', async (what, values) => {
    const { id, name, secret } = await setUpOperator(service, `Rae ${what}`, 'owner')
    await service.db.deleteFrom('operator_sessions').where('operator_id', '=', id).execute()
    const { answer } = await service.db.transaction().execute(async (tx) => {
      await tx.updateTable('operators').set(values).where('id', '=', id).execute()
      const begun = signIn({ name, code: codeOf(secret) })
      await vi.waitUntil(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%operators%'`.execute(
          service.db,
        )
        return rows.length > 0
      }, patient)
      return { answer: begun }
    })
    expect((await answer).status).toBe(401)
    const open = await service.db.selectFrom('operator_sessions').select('id').where('operator_id', '=', id).execute()
    expect(open).toEqual([])
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('guessing is slowed down for one name and network, and recorded in the audit log', async () => {
    const { id, name, secret } = await setUpOperator(service, 'Dora', 'reader')
    for (let attempt = 0; attempt < 4; attempt++) expect((await signIn({ name, code: '000000' })).status).toBe(401)
    // The state after twelve failures: the next one blocks for minutes, even on a slow machine.
    await service.db.updateTable('sign_in_failures').set({ failures: 12 }).execute()
    expect((await signIn({ name, code: '000000' })).status).toBe(401)
    const blocked = await signIn({ name, code: codeOf(secret) })
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(100)
    const failed = await service.db
      .selectFrom('audit_log')
      .select('id')
      .where('subject', '=', id)
      .where('act', '=', 'console sign-in failed')
      .execute()
    expect(failed.length).toBeGreaterThanOrEqual(5)
    expect(service.log.join('')).not.toContain(goodPassword)
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('fifty attempts at once are all counted', async () => {
    const { name } = await setUpOperator(service, 'Edda', 'reader')
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn({ name, code: '000000' })))
    const judged = answers.filter(({ status }) => status === 401).length
    // Five attempts are free; then each failure doubles the wait, so that even a slow minute allows only a few more.
    expect(judged).toBeLessThanOrEqual(15)
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true)
    await service.db.deleteFrom('sign_in_failures').execute()
  })

  test('a session ends at sign-out, after its time, after an idle hour, and when the account is disabled', async () => {
    const { id, browser, name, secret } = await setUpOperator(service, 'Fay', 'reader')
    const isOpen = async () => (await browser.ask('GET', '/session')).status === 200
    const change = (values: { expires_at?: Date; last_seen_at?: Date }) =>
      service.db.updateTable('operator_sessions').set(values).where('operator_id', '=', id).execute()
    const later = new Date(Date.now() + 3_600_000)
    expect(await isOpen()).toBe(true)
    await change({ expires_at: new Date(0) })
    expect(await isOpen()).toBe(false)
    await change({ expires_at: later, last_seen_at: new Date(Date.now() - 61 * 60_000) })
    expect(await isOpen()).toBe(false)
    await change({ last_seen_at: new Date() })
    expect(await isOpen()).toBe(true)
    expect((await browser.ask('DELETE', '/session')).status).toBe(204)
    expect(await isOpen()).toBe(false)
    const again = openBrowser(service)
    expect((await again.ask('POST', '/session', { name, password: goodPassword, code: codeOf(secret) })).status).toBe(
      204,
    )
    await setOperatorDisabled(service.db, id, true)
    expect((await again.ask('GET', '/session')).status).toBe(401)
  })

  test('expired sessions are deleted when somebody signs in', async () => {
    const { id } = await setUpOperator(service, 'Hal', 'reader')
    await service.db
      .updateTable('operator_sessions')
      .set({ expires_at: new Date(0) })
      .where('operator_id', '=', id)
      .execute()
    await setUpOperator(service, 'Ida', 'reader')
    const left = await service.db.selectFrom('operator_sessions').select('id').where('operator_id', '=', id).execute()
    expect(left).toEqual([])
  })

  test('signing in creates a new session: a planted cookie opens nothing', async () => {
    const { name, secret } = await setUpOperator(service, 'Gil', 'reader')
    const browser = openBrowser(service)
    const planted = 'wherry-console=planted'
    browser.setCookie(planted)
    expect((await browser.ask('POST', '/session', { name, password: goodPassword, code: codeOf(secret) })).status).toBe(
      204,
    )
    expect(browser.cookie()).not.toBe(planted)
    browser.setCookie(planted)
    expect((await browser.ask('GET', '/session')).status).toBe(401)
  })
})
