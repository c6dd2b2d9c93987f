import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProcessRuns } from './stand-back.ts'

const now = performance.now.bind(performance)
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs)
})
afterEach(() => {
  vi.restoreAllMocks()
})

let skippedMs = 0

/** Returns true if a run that has worked for 300 ms rests before it continues. Timers of one process end in order. */
async function rests({ standBack }: { standBack(): Promise<void> }): Promise<boolean> {
  skippedMs += 300
  const rest = standBack().then(() => false)
  const isResting = await Promise.race([rest, sleep(50, true)])
  await rest
  return isResting
}

test('a long run rests while a customer waits for a plan, a sample or a preview', async () => {
  for (const kind of ['plan', 'sample', 'preview'] as const) {
    const runs = createProcessRuns()
    using full = runs.enter('full')
    expect(await rests(full)).toBe(false)
    const urgent = runs.enter(kind)
    expect(await rests(full)).toBe(true)
    expect(await rests(urgent)).toBe(false)
    urgent[Symbol.dispose]()
    expect(await rests(full)).toBe(false)
  }
})

test('long runs do not wait for each other', async () => {
  const runs = createProcessRuns()
  using full = runs.enter('full')
  using undo = runs.enter('undo')
  expect([await rests(full), await rests(undo)]).toEqual([false, false])
})
