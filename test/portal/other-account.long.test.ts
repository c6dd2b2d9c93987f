import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { adminKey, deskKey, harbourToken, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { waitForPlan } from './wait-for-plan.ts'

const limit = { timeout: 900_000 }
let service: WholeService
let otherDesk: Awaited<ReturnType<typeof startFernhill>>
let otherHarbour: Awaited<ReturnType<typeof startHarbour>>
beforeAll(async () => {
  service = await startWholeService()
  const memory = { port: 0, dataFile: ':memory:' }
  otherDesk = await startFernhill({ ...memory, apiKey: deskKey, requestsPerSecond: 0 })
  otherHarbour = await startHarbour({ ...memory, token: harbourToken, adminKey })
}, 900_000)
afterAll(async () => {
  await otherDesk?.close()
  await otherHarbour?.close()
  await service?.close()
})

test(
  'another account on either side is refused while copied records exist, and accepted once they are undone',
  limit,
  async () => {
    const portal = await service.openPortal()
    const toDesk = (more = {}) =>
      portal.act('PUT', '/accounts/source', { instance_url: otherDesk.url, token: deskKey, ...more })
    const toHarbour = (more = {}) =>
      portal.act('PUT', '/accounts/destination', { instance_url: otherHarbour.baseUrl, token: harbourToken, ...more })
    await portal.connect()
    await waitForPlan(portal)
    // Before anything is copied, any account is accepted.
    expect((await toDesk()).status).toBe(200)
    await waitForPlan(portal)
    await portal.connect()
    await waitForPlan(portal)
    const sampled = await portal.run('sample', 'sample_migration_completed')

    for (const connect of [toDesk, toHarbour]) {
      const { status, json } = await connect()
      expect([status, Object.keys(json)]).toEqual([422, ['other_account', 'same_account']])
    }
    // Connecting the same accounts again is allowed.
    await portal.connect()
    const { items } = await portal.until('sample_migration_completed')
    expect(items).toEqual(sampled.items)
    // The customer states that the tool has moved to another address.
    expect((await toDesk({ same_account: true })).status).toBe(200)
    expect(
      (
        await portal.act('PUT', '/accounts/source', {
          instance_url: service.fernhill.url,
          token: deskKey,
          same_account: true,
        })
      ).status,
    ).toBe(200)

    await portal.run('undo', 'migration_cleaned')
    expect((await toDesk()).status).toBe(200)
    expect((await toHarbour()).status).toBe(200)
  },
)
