import { setImmediate as turn } from 'node:timers/promises'

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * The longest time that this thread computed between two turns of the event loop during the work. Waiting for the
 * processor does not count.
 */
export async function watchLoop<T>(work: () => Promise<T>): Promise<{ longestMs: number; result: T }> {
  await turn()
  let longestMs = 0
  let last = cpuMs()
  const look = () => {
    const now = cpuMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    const result = await work()
    look()
    return { longestMs, result }
  } finally {
    clearInterval(timer)
  }
}

/** The rule: nobody holds the event loop for longer than this. */
const ruleMs = 50

/**
 * Four times the rule, because the measured time includes garbage collection; the tests print the number itself. A calm
 * machine writes 10 MB as JSON within 70 ms. On a slower machine, the limit is longer in proportion.
 */
export function limitMs(): number {
  const text = 'The quick brown fox, "so"\n'.repeat(400_000)
  const start = cpuMs()
  JSON.stringify(text)
  return 4 * ruleMs * Math.max(1, (cpuMs() - start) / 70)
}
