import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findAccess } from '../../service/src/accounts/sealed-access.ts'
import { setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { testKeys } from '../support/service.ts'
import { signInAtDesk } from './sign-in-at-desk.ts'

const keyRing = parseKeyRing(testKeys)
let service: WholeService
beforeAll(async () => {
  service = await startWholeService({ signIn: { tokenSeconds: 3_600 } })
})
afterAll(() => service?.close())

async function signIn(): Promise<{ portal: Portal; token: string }> {
  const portal = await service.openPortal()
  const { json } = await portal.act('POST', '/accounts/source/sign-in', { instance: service.fernhill.url })
  const back = await fetch(await signInAtDesk(json.redirect_to), {
    redirect: 'manual',
    headers: { cookie: portal.cookie },
  })
  await back.text()
  const access = await findAccess(service.db, keyRing, portal.id, 'source')
  return { portal, token: access?.token ?? '' }
}

/** The desk's answer to a request with this token. */
const askDesk = async (token: string) =>
  (await fetch(`${service.fernhill.url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status

const revocations = async (portal: Portal) => {
  const rows = await service.db
    .selectFrom('audit_log')
    .select('details')
    .where('subject', '=', portal.id)
    .where('act', '=', 'credentials erased')
    .execute()
  return rows.map(({ details }) => details)
}
const untilErased = (portal: Portal) =>
  vi.waitFor(async () => expect(await revocations(portal)).toHaveLength(1), { timeout: 600_000, interval: 200 })
const expectNothingLeft = async () =>
  expect(await service.db.selectFrom('withdrawn_access').select('id').execute()).toEqual([])

test('cancelling an import revokes the grant at the tool and erases it', async () => {
  const { portal, token } = await signIn()
  expect(await askDesk(token)).toBe(200)
  expect((await portal.act('POST', '/cancel', {})).status).toBeLessThan(300)
  await untilErased(portal)
  expect(await revocations(portal)).toEqual([{ role: 'source', tool: 'fernhill', revocation: 'revoked' }])
  expect(await askDesk(token)).toBe(401)
  await expectNothingLeft()
})

test('a grant that cannot be revoked is still erased, and the log says so', async () => {
  const { portal, token } = await signIn()
  const desk = { tool: 'fernhill', instance: service.fernhill.url, clientId: 'wherry', secret: 'a wrong secret' }
  await setOAuthClient(service.db, { keyRing, connectors }, desk)
  expect((await portal.act('POST', '/cancel', {})).status).toBeLessThan(300)
  await untilErased(portal)
  expect(await revocations(portal)).toEqual([{ role: 'source', tool: 'fernhill', revocation: 'failed' }])
  expect(await askDesk(token)).toBe(200)
  await expectNothingLeft()
})
