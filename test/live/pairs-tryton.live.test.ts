import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compareTrytons } from './compare-trytons.ts'
import { type Facts, listChanges } from './facts.ts'
import { readTryton, readTrytonRows } from './facts-tryton.ts'
import { expectClosed, type PairService, type Portal, patienceMs, startPairService } from './pair-service.ts'
import { listMails, readPlaces } from './place.ts'
import { arrive, takeAll, takeBack, takeSample } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { tryton } = readPlaces()

describe.skipIf(!tryton)('from one Tryton to another (npm run live -- tryton)', () => {
  if (!tryton) return test.skip('no Tryton was started', () => {})
  const { source, destination } = tryton
  const walk = {
    from: 'tryton',
    to: 'tryton',
    family: 'crm',
    source: source.access,
    destination: destination.access,
  } as const
  let service: PairService
  let portal: Portal
  let before: Facts
  let rows: Facts
  beforeAll(async () => {
    service = await startPairService()
    before = await readTryton(destination)
    rows = await readTrytonRows(destination)
  })
  afterAll(() => service.close())

  test('the plan, a sample, and everything comes over, field by field', async () => {
    const arrived = await arrive(service, walk)
    portal = arrived.portal
    expect(arrived.plan.destination).toMatchObject({ sends_no_mail: true, can_undo: true, delivery_class: 'C' })
    await takeSample(portal, walk)
    await takeAll(portal)
    const records = await portal.records()
    expectClosed(records)
    expect(compareTrytons(await readTryton(source), before, await readTryton(destination), records)).toEqual([])
    expect(await listMails(destination)).toEqual([])
  })

  test('an undo leaves the destination as it was, row by row', async () => {
    await takeBack(portal)
    expect(listChanges(rows, await readTrytonRows(destination))).toEqual([])
    expect(await readTryton(destination)).toEqual(before)
  })
})
