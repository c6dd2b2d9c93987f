import { expect } from 'vitest'
import type { AccountAccess } from '../../service/src/connectors/contract.ts'
import type { PairService, Portal, PortalOptions } from './pair-service.ts'

export interface Walk extends PortalOptions {
  source: AccountAccess
  destination: AccountAccess
}

/** Where the destination cannot be told to keep quiet, one record goes first, and the customer looks for mail. */
const isNoisy = ({ to }: PortalOptions) => to === 'redmine'

/** Connects both accounts and waits for the plan. */
export async function arrive(service: PairService, walk: Walk) {
  const portal = await service.openPortal(walk)
  await portal.connect('source', walk.source)
  await portal.connect('destination', walk.destination)
  const plan = await portal.plan()
  const blocking = plan.checks.filter((check: { is_fine: boolean; is_blocking: boolean }) => {
    return check.is_blocking && !check.is_fine
  })
  expect(blocking).toEqual([])
  return { portal, plan }
}

/** The sample, with the look for mail where that has to be. */
export async function takeSample(portal: Portal, walk: PortalOptions) {
  await portal.start('sample')
  await lookForMail(portal, walk)
  return portal.until('sample_migration_completed')
}

export async function lookForMail(portal: Portal, walk: PortalOptions): Promise<void> {
  if (!isNoisy(walk)) return
  const { message } = await portal.obstacle('look_for_mail')
  expect(message).toMatch(/^One record was imported to see whether the destination sends mail about it: http/)
  await portal.act('POST', '/resume', {})
}

export async function takeAll(portal: Portal) {
  await portal.sponsor()
  await portal.start('full')
  return portal.until('migration_completed')
}

export async function takeBack(portal: Portal) {
  await portal.start('undo')
  return portal.until('migration_cleaned')
}
