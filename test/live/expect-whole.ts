import { expect } from 'vitest'
import { type Facts, listChanges } from './facts.ts'
import type { Pair } from './pair.ts'
import { expectClosed, type PairService, type Portal } from './pair-service.ts'
import { takeBack } from './walk.ts'

/** In MB, with all that is not on its heap, such as the bytes of files: a large one that is held as a whole is more. */
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

/** Nothing lost, nothing doubled, every field as it was, no mail; and gone again, as if nothing had been. */
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
