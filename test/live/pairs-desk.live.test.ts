import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compareDesks } from './compare-desks.ts'
import { deskOfRedmine } from './desk-of-redmine.ts'
import { redmineToRt, rtToRedmine } from './desk-rules.ts'
import { listChanges, newFacts } from './facts.ts'
import { readRedmine, readRedmineRows } from './facts-redmine.ts'
import { onlyInUse, readRt } from './facts-rt.ts'
import { expectClosed, type PairService, patienceMs, startPairService } from './pair-service.ts'
import { listMails, readPlaces } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { prepareRt } from './prepare-rt.ts'
import { arrive, takeAll, takeBack, takeSample } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { redmine, rt } = readPlaces()

describe.skipIf(!redmine || !rt)('between Request Tracker and Redmine (npm run live -- rt redmine)', () => {
  if (!redmine || !rt) return test.skip('not both were started', () => {})
  let service: PairService
  beforeAll(async () => {
    service = await startPairService()
    await prepareRedmine(redmine.destination)
    await prepareRt(rt.destination)
  })
  afterAll(() => service.close())

  test('from Request Tracker to Redmine and back again', async () => {
    const { destination } = redmine
    const walk = {
      from: 'rt',
      to: 'redmine',
      family: 'helpdesk',
      source: rt.source.access,
      destination: destination.access,
    } as const
    const before = await readRedmine(destination)
    const rows = await readRedmineRows(destination)
    const mails = await listMails(destination)
    const { portal, plan } = await arrive(service, walk)
    expect(plan.checks.map(({ code }: { code: string }) => code)).toContain('mail_not_silent')
    await takeSample(portal, walk)
    await takeAll(portal)
    const records = await portal.records()
    expectClosed(records)
    const made = deskOfRedmine(newFacts(before, await readRedmine(destination)), 'destination')
    expect(compareDesks(await readRt(rt.source), made, records, rtToRedmine)).toEqual([])
    expect(await listMails(destination)).toEqual(mails)

    await takeBack(portal)
    expect(listChanges(rows, await readRedmineRows(destination))).toEqual([])
    expect(await readRedmine(destination)).toEqual(before)
  })

  test('from Redmine to Request Tracker and back again', async () => {
    const { destination } = rt
    const walk = {
      from: 'redmine',
      to: 'rt',
      family: 'helpdesk',
      source: redmine.source.access,
      destination: destination.access,
    } as const
    const before = onlyInUse(await readRt(destination))
    const mails = await listMails(destination)
    const { portal, plan } = await arrive(service, walk)
    expect(plan.destination).toMatchObject({ sends_no_mail: true, keeps_times: true })
    await takeSample(portal, walk)
    await takeAll(portal)
    const records = await portal.records()
    expectClosed(records)
    const made = newFacts(before, await readRt(destination))
    const desk = deskOfRedmine(await readRedmine(redmine.source), 'source')
    expect(compareDesks(desk, made, records, redmineToRt)).toEqual([])
    expect(await listMails(destination)).toEqual(mails)

    await takeBack(portal)
    expect(onlyInUse(await readRt(destination))).toEqual(before)
  })
})
