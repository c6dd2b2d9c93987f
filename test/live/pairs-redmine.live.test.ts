import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compareRedmines } from './compare-redmines.ts'
import { type Facts, listChanges } from './facts.ts'
import { readRedmine, readRedmineRows } from './facts-redmine.ts'
import { expectClosed, type PairService, type Portal, patienceMs, startPairService } from './pair-service.ts'
import { listMails, readPlaces } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { arrive, takeAll, takeBack, takeSample } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { redmine } = readPlaces()

describe.skipIf(!redmine)('from one Redmine to another (npm run live -- redmine)', () => {
  if (!redmine) return test.skip('no Redmine was started', () => {})
  const { source, destination } = redmine
  const walk = {
    from: 'redmine',
    to: 'redmine',
    family: 'project',
    source: source.access,
    destination: destination.access,
  } as const
  let service: PairService
  let portal: Portal
  let rows: Facts
  let before: Facts
  let mails: string[]
  beforeAll(async () => {
    service = await startPairService()
    await prepareRedmine(destination)
    before = await readRedmine(destination)
    rows = await readRedmineRows(destination)
    mails = await listMails(destination)
  })
  afterAll(() => service.close())

  test('the plan says what will come over, and how to switch mail off', async () => {
    const arrived = await arrive(service, walk)
    portal = arrived.portal
    const { plan } = arrived
    expect(plan.destination).toMatchObject({ sends_no_mail: false, keeps_times: false, can_undo: true })
    const mail = plan.checks.find(({ code }: { code: string }) => code === 'mail_not_silent')
    expect(mail).toMatchObject({ is_fine: false, fix: expect.stringContaining('Email notifications') })
    const total = (entity: string) => plan.entities.find((one: { entity: string }) => one.entity === entity).total
    expect([total('projects'), total('issues')]).toEqual([4, 12])
  })

  test('a sample and then everything comes over, field by field', async () => {
    await takeSample(portal, walk)
    await takeAll(portal)
    const records = await portal.records()
    // The locked member has no counterpart.
    expectClosed(records, ['memberships'])
    expect(
      await compareRedmines({
        source: await readRedmine(source),
        before,
        now: await readRedmine(destination),
        records,
      }),
    ).toEqual([])
    expect(await listMails(destination)).toEqual(mails)
  })

  test('an undo leaves the destination as it was, row by row', async () => {
    await takeBack(portal)
    expect(listChanges(rows, await readRedmineRows(destination))).toEqual([])
    expect(await readRedmine(destination)).toEqual(before)
  })
})
