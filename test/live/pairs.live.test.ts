import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectWhole, readBefore } from './expect-whole.ts'
import { listedPairs } from './list-pairs.ts'
import type { Pair } from './pair.ts'
import { type PairService, patienceMs, startPairService } from './pair-service.ts'
import { allowUnprotected, connect, lookForMail, readPlan, takeAll, takeSample } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

// Whole imports between real tools through the running service, driven only through its HTTP routes. The result is
// compared with the source field by field, and after an undo with the state before.

const isQuick = process.env.WHERRY_LIVE_QUICK === '1'

describe.each(listedPairs)('$name (npm run live -- $tools)', ({ missing, open }) => {
  if (missing.length > 0) return test.skip(`not started: ${missing.join(', ')}`, () => {})
  let service: PairService
  let pair: Pair | null = null
  beforeAll(async () => {
    service = await startPairService()
  })
  afterAll(() => service.close())
  afterEach(async () => {
    await pair?.close?.()
    pair = null
  })

  test('a sample and then all records are copied, and can be undone', async () => {
    pair = await open()
    const before = await readBefore(pair)
    const portal = await connect(service, pair, false)
    const plan = await readPlan(portal)
    expect(plan.destination).toMatchObject(pair.promises)
    if (pair.promises.sends_no_mail === false) {
      const told = plan.checks.find(({ code }: { code: string }) => code === 'mail_not_silent')
      expect(told).toMatchObject({ is_fine: false, fix: expect.stringContaining('Email notifications') })
    }
    if (pair.allow) await allowUnprotected(portal, plan, pair.allow)
    await takeSample(portal, pair.walk)
    await takeAll(portal)
    await expectWhole(pair, { service, portal, before })
  })

  test.skipIf(isQuick)(
    'a killed worker, a restarted destination and a revoked key lose and duplicate nothing',
    async () => {
      pair = await open()
      const before = await readBefore(pair)
      const portal = await connect(service, pair, true)
      await lookForMail(portal, pair.walk)
      const [killed, restarted, revoked] = pair.moments
      await portal.untilWritten(...killed)
      await service.killWorkers()
      await service.startWorker()
      await portal.untilWritten(...restarted)
      await pair.restart()
      await portal.untilWritten(...revoked)
      const access = await pair.revoke()
      const { message } = await portal.obstacle('authorization_lost')
      expect(message).not.toBe('')
      await portal.connect('destination', access)
      await portal.until('migration_completed')
      await expectWhole(pair, { service, portal, before })
    },
  )
})
