import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet } from './worker-fleet.ts'

const importsAtOnce = 3
const kills = 6

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** Returns the same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Kills a working worker every now and then, and starts another one in its place. Returns how many killed workers had a
 * run.
 */
async function killSome(whole: WholeService, fleet: Fleet, random: () => number): Promise<number> {
  let busy = 0
  for (let killed = 0; killed < kills; ) {
    await sleep(500 + random() * 1_500)
    const ready = fleet.ready()
    const victim = ready[Math.floor(random() * ready.length)]
    if (!victim) continue
    const { rows } = await sql`select from pgboss.job where name = 'run-slices' and state = 'active'`.execute(whole.db)
    busy += Math.min(1, rows.length)
    await fleet.kill(victim)
    fleet.start()
    killed++
  }
  return busy
}

test.each([2, 4])(
  '%i workers that are killed again and again lose and duplicate nothing',
  { timeout: 1_800_000 },
  async (size) => {
    const seed = Number(process.env.WHERRY_TEST_SEED ?? Date.now() % 1_000_000)
    process.stdout.write(`${size} workers, seed ${seed}\n`)
    const random = createRandom(seed + size)
    const whole = await startWholeService({
      workers: 0,
      // Slow enough that most kills happen in the middle of a run.
      onRequest: async ({ method }): Promise<Fault> => {
        if (method !== 'GET') await sleep(100)
        return 'ok'
      },
    })
    cleanup.defer(() => whole.close())
    const fleet = createFleet(String(whole.config.databaseUrl))
    cleanup.defer(() => fleet.close())
    await Promise.all(Array.from({ length: size }, () => fleet.startReady()))

    // Records of another import, which is not undone.
    const bystander = await startImport(whole)
    await bystander.until('migration_completed')
    const before = await presentIn(whole)

    const portals = await Promise.all(Array.from({ length: importsAtOnce }, () => startImport(whole)))
    const busy = await killSome(whole, fleet, random)
    for (const portal of portals) await portal.until('migration_completed')
    expect(await compare(whole)).toEqual(nothingWrong)
    for (const { id } of portals) await expectSumsToClose({ db: whole.db, importId: id }, fernhillCounts)

    for (const portal of portals) expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
    const busyAgain = await killSome(whole, fleet, random)
    for (const portal of portals) expect((await portal.until('migration_cleaned')).items).toEqual({})
    expect(await compare(whole)).toEqual(nothingWrong)
    expect(await presentIn(whole)).toEqual(before)
    process.stdout.write(`${size} workers: ${busy + busyAgain} of ${2 * kills} kills while runs were under way\n`)
    expect(busy).toBeGreaterThan(0)
    expect(fleet.collapsed()).toEqual([])
  },
)

async function startImport(whole: WholeService): Promise<Portal> {
  const portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  return portal
}
