import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Facts, listChanges } from './facts.ts'
import { listedPairs } from './list-pairs.ts'
import type { Pair } from './pair.ts'
import { expectClosed, type PairService, type Portal, patienceMs, startPairService } from './pair-service.ts'
import { connect, lookForMail, readPlan, takeAll, takeBack, takeSample } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

// Whole imports between real tools, through the service as it runs, by nothing but its HTTP routes. What arrived is
// compared with the source field by field, and after an undo with what was there before.

const isQuick = process.env.WHERRY_LIVE_QUICK === '1'
/** In MB. Far more than a worker needs to warm up, and less than what piles up when it keeps what it has moved. */
const mostGrowth = 256

describe.each(listedPairs)('$name (npm run live -- $tools)', ({ name, missing, open }) => {
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

  async function begin() {
    pair = await open()
    const before = { facts: await pair.read(), rows: await pair.rows?.(), mails: await pair.mails?.() }
    return { pair, before }
  }

  /** Nothing lost, nothing doubled, every field as it was, no mail; and gone again, as if nothing had been. */
  async function expectWhole(
    { read, rows, mails, compare, explained }: Pair,
    portal: Portal,
    before: { facts: Facts; rows: Facts | undefined; mails: unknown },
  ): Promise<void> {
    const records = await portal.records()
    expectClosed(records, explained)
    expect(await compare(before.facts, await read(), records)).toEqual([])
    expect(await mails?.()).toEqual(before.mails)
    const growth = await service.readGrowth()
    console.log(`${name}: ${records.length} records, the worker grew by ${growth} MB at most`)
    expect(growth).toBeLessThan(mostGrowth)
    await takeBack(portal)
    expect(await read()).toEqual(before.facts)
    if (before.rows && rows) expect(listChanges(before.rows, await rows())).toEqual([])
  }

  test('a sample and then everything comes over, and can be taken back', async () => {
    const { pair, before } = await begin()
    const portal = await connect(service, pair, false)
    const plan = await readPlan(portal)
    expect(plan.destination).toMatchObject(pair.promises)
    if (pair.promises.sends_no_mail === false) {
      const told = plan.checks.find(({ code }: { code: string }) => code === 'mail_not_silent')
      expect(told).toMatchObject({ is_fine: false, fix: expect.stringContaining('Email notifications') })
    }
    await takeSample(portal, pair.walk)
    await takeAll(portal)
    await expectWhole(pair, portal, before)
  })

  test.skipIf(isQuick)(
    'a worker that is killed, a destination that is restarted and a key that is taken away lose and double nothing',
    async () => {
      const { pair, before } = await begin()
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
      await expectWhole(pair, portal, before)
    },
  )
})
