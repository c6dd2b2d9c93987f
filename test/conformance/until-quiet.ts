import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

const quietMs = 150

/**
 * Waits until the number stops changing for a while, so that all parallel requests have arrived. Requests that arrived
 * while this process waited for the processor are handled before the time is over.
 */
export async function untilQuiet(number: () => number): Promise<void> {
  for (let before = Number.NaN; before !== number(); ) {
    before = number()
    await sleep(quietMs)
    for (let turns = 0; turns < 3; turns += 1) await turn()
  }
}
