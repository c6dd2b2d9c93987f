import { expect } from 'vitest'
import type { Pair } from './pair.ts'
import type { PairService, Portal, PortalOptions } from './pair-service.ts'

/** For a destination that always sends mail, one record is sent first, and the customer checks for mail. */
const isNoisy = ({ to }: PortalOptions) => to === 'redmine'

/** Connects both sides. With `startsFull`, the full migration follows at once. */
export async function connect(service: PairService, pair: Pair, startsFull: boolean): Promise<Portal> {
  const portal = await service.openPortal({ ...pair.walk, startsFull })
  if ('zip' in pair.source) await upload(portal, pair.source.zip)
  else await portal.connect('source', pair.source)
  await portal.connect('destination', pair.destination)
  return portal
}

async function upload(portal: Portal, zip: Buffer): Promise<void> {
  const { id } = await portal.act('POST', '/uploads', { file_name: 'export.zip', size: zip.length })
  await portal.act('PUT', `/uploads/${id}/content?offset=0`, new Uint8Array(zip))
  await portal.wait('the files to be read', async () => {
    const { status, json } = await portal.send('POST', `/uploads/${id}/finish`, {})
    if (status > 202) throw new Error(JSON.stringify(json))
    return status === 200 ? json : null
  })
  await portal.act('PUT', '/accounts/source', { upload: id })
}

/** Waits for the plan, which must have no blocking check. */
export async function readPlan(portal: Portal) {
  const plan = await portal.plan()
  const isBlocking = (check: { is_fine: boolean; is_blocking: boolean }) => check.is_blocking && !check.is_fine
  expect(plan.checks.filter(isBlocking)).toEqual([])
  return plan
}

/** Allows private records of these entities to be copied. The plan must have counted each entity. */
export async function allowUnprotected(
  portal: Portal,
  plan: { entities: PlannedEntity[] },
  allowed: readonly string[],
) {
  const counted = plan.entities.filter(({ unprotected }) => unprotected > 0).map(({ entity }) => entity)
  expect(counted).toEqual(expect.arrayContaining([...allowed]))
  const { version, changes } = await portal.act('GET', '/mapping')
  const entities = Object.fromEntries(allowed.map((entity) => [entity, { send_unprotected: true }]))
  await portal.act('PUT', '/mapping', { version, changes: { ...changes, entities } })
}

interface PlannedEntity {
  entity: string
  unprotected: number
}

/** Makes the sample, including the check for mail where it is required. */
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
