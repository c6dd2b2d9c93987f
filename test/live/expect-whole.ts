import { expect } from 'vitest'
import { type Facts, listChanges } from './facts.ts'
import type { Pair } from './pair.ts'
import { expectClosed, type PairService, type Portal } from './pair-service.ts'
import { takeBack } from './walk.ts'

/**
 * The most MB that a worker may grow, including memory outside its heap, such as file bytes. A large file held as a
 * whole would exceed it.
 */
const mostGrowth = 300

export interface Before {
  facts: Facts
  rows: Facts | undefined
  mails: unknown
}

export const readBefore = async (pair: Pair): Promise<Before> => ({
  facts: await pair.read(),
  rows: await pair.rows?.(),
  mails: await pair.mails?.(),
})

/**
 * Expects that nothing is lost or duplicated, every field is equal, and no mail is sent. After an undo, the destination
 * is as before.
 */
export async function expectWhole(
  { walk, read, rows, mails, compare, outsiders, explained }: Pair,
  { service, portal, before }: { service: PairService; portal: Portal; before: Before },
): Promise<void> {
  const records = await portal.records()
  expectClosed(records, explained)
  expect(await compare(before.facts, await read(), records)).toEqual([])
  expect((await outsiders?.(records)) ?? []).toEqual([])
  expect(await mails?.()).toEqual(before.mails)
  const growth = await service.readGrowth()
  console.log(`${walk.from} to ${walk.to}: ${records.length} records, the worker grew by ${growth} MB at most`)
  expect(growth).toBeLessThan(mostGrowth)
  await takeBack(portal)
  expect(await read()).toEqual(before.facts)
  if (before.rows && rows) expect(listChanges(before.rows, await rows())).toEqual([])
}
