import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetOldSessions, hashSecret } from '../../service/src/portal-sessions.ts'
import { type PortalService, startPortalService } from './portal-service.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service.close())

type Linked = { id: string; token: string }

async function signIn(imp: Linked, headers: Record<string, string> = {}) {
  const answer = await service.call('POST', '/portal/session', {
    body: { id: imp.id, token: imp.token },
    headers: { 'user-agent': firefox, ...headers },
  })
  expect(answer.status).toBe(204)
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

const secretOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)
const statusOf = async (imp: Linked, cookie: string) =>
  (await service.call('GET', `/portal/imports/${imp.id}`, { headers: { cookie } })).status
const signOut = (imp: Linked, cookie: string, headers: Record<string, string> = {}) =>
  service.call('POST', `/portal/imports/${imp.id}/session/end`, { body: {}, headers: { cookie, ...headers } })
const sessionsOf = (imp: Linked) =>
  service.db.selectFrom('portal_sessions').selectAll().where('import_id', '=', imp.id).orderBy('id').execute()
const setSession = (imp: Linked, column: 'last_seen_at' | 'expires_at', moment: string) =>
  sql`update portal_sessions set ${sql.ref(column)} = now() + ${moment}::interval where import_id = ${imp.id}`.execute(
    service.db,
  )

describe('a session', () => {
  test('is a row with the hash of the cookie’s secret, for seven days', async () => {
    const imp = await service.createImport()
    const secret = secretOf(await signIn(imp))
    expect(secret).not.toContain(imp.token)
    const [row, ...others] = await sessionsOf(imp)
    expect(others).toEqual([])
    expect(row).toMatchObject({ link_version: 1, browser: 'Firefox on Linux', secret_hash: hashSecret(secret) })
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(7 * 24 * 60 * 60 * 1000)
  })

  test('of each browser has its own secret, and a browser that opens the link again has one session', async () => {
    const imp = await service.createImport()
    const [one, two] = [await signIn(imp), await signIn(imp)]
    expect(one).not.toBe(two)
    const anew = await signIn(imp, { cookie: one })
    expect(await sessionsOf(imp)).toHaveLength(2)
    expect([await statusOf(imp, one), await statusOf(imp, two), await statusOf(imp, anew)]).toEqual([401, 200, 200])
  })

  test('ends after seven days, and the housekeeping deletes it', async () => {
    const [old, fresh] = [await service.createImport(), await service.createImport()]
    const [cookie, freshCookie] = [await signIn(old), await signIn(fresh)]
    await setSession(old, 'expires_at', '1 hour')
    expect(await statusOf(old, cookie)).toBe(200)
    await setSession(old, 'expires_at', '-1 second')
    expect(await statusOf(old, cookie)).toBe(401)
    expect(await forgetOldSessions(service.db)).toBe(1)
    expect(await sessionsOf(old)).toEqual([])
    expect(await statusOf(fresh, freshCookie)).toBe(200)
  })

  test('is recorded as seen once a minute, and not at every request', async () => {
    const imp = await service.createImport()
    const cookie = await signIn(imp)
    const [before] = await sessionsOf(imp)
    await statusOf(imp, cookie)
    expect((await sessionsOf(imp))[0]?.last_seen_at).toEqual(before?.last_seen_at)
    await setSession(imp, 'last_seen_at', '-2 hours')
    await statusOf(imp, cookie)
    expect(Number((await sessionsOf(imp))[0]?.last_seen_at)).toBeGreaterThanOrEqual(Number(before?.last_seen_at))
  })

  test('of one import opens no other, and the token itself is no cookie', async () => {
    const [imp, other] = [await service.createImport(), await service.createImport()]
    const stolen = secretOf(await signIn(other))
    for (const value of [imp.token, stolen, hashSecret(stolen).toString('base64url'), `${stolen}x`, '']) {
      expect(await statusOf(imp, `wherry-${imp.id}=${value}`)).toBe(401)
    }
  })

  test('beyond the two hundredth of an import ends the oldest one', async () => {
    const imp = await service.createImport()
    const first = await signIn(imp)
    for (let index = 0; index < 200; index++) await signIn(imp)
    expect(await sessionsOf(imp)).toHaveLength(200)
    expect(await statusOf(imp, first)).toBe(401)
  })
})

describe('signing out', () => {
  test('ends only this session, and makes the browser forget the cookie', async () => {
    const imp = await service.createImport()
    const [mine, colleagues] = [await signIn(imp), await signIn(imp)]
    const answer = await signOut(imp, mine)
    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']).toBe(`wherry-${imp.id}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`)
    expect([await statusOf(imp, mine), await statusOf(imp, colleagues)]).toEqual([401, 200])
    expect((await signOut(imp, mine)).status).toBe(204)
    expect(await statusOf(imp, await signIn(imp))).toBe(200)
  })

  test('is refused to a page of another site', async () => {
    const imp = await service.createImport()
    const cookie = await signIn(imp)
    expect((await signOut(imp, cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
    expect(await statusOf(imp, cookie)).toBe(200)
  })

  test('with the secret of another import ends nothing', async () => {
    const [imp, other] = [await service.createImport(), await service.createImport()]
    const cookie = await signIn(other)
    expect((await signOut(imp, `wherry-${imp.id}=${secretOf(cookie)}`)).status).toBe(204)
    expect((await signOut({ id: 'imp_nothing', token: '' }, cookie)).status).toBe(204)
    expect(await statusOf(other, cookie)).toBe(200)
  })

  test('closes the stream of events of this session, and of no other', async () => {
    const imp = await service.createImport()
    const [mine, colleagues] = [await signIn(imp), await signIn(imp)]
    const stop = new AbortController()
    const openStream = async (cookie: string) => {
      const { signal } = stop
      const answer = await fetch(`${service.origin}/portal/imports/${imp.id}/events`, { headers: { cookie }, signal })
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
      await reader?.read()
      return reader
    }
    const [ended, going] = [await openStream(mine), await openStream(colleagues)]
    await signOut(imp, mine)
    let heard = ''
    for (let piece = await ended?.read(); piece && !piece.done; piece = await ended?.read()) heard += piece.value
    expect(heard).toContain('event: over')
    await service.db.updateTable('imports').set({ items: '{"tickets":7}' }).where('id', '=', imp.id).execute()
    heard = ''
    for (let piece = await going?.read(); piece && !piece.done; piece = await going?.read()) {
      heard += piece.value
      if (heard.includes('"tickets":7')) break
    }
    expect(heard).toContain('"tickets":7')
    expect(heard).not.toContain('event: over')
    stop.abort()
  })
})
