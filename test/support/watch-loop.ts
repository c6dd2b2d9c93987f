import { setImmediate as turn } from 'node:timers/promises'

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * The longest that this thread computed between two turns of the event loop while the work was under way. Waiting for
 * the processor does not count.
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

/** The rule: nobody holds the event loop for longer. */
const ruleMs = 50

/**
 * Four times the rule, since the collection of garbage is in what is measured; the tests print the number itself. On a
 * machine that computes more slowly now than a calm one, which writes 10 MB as JSON within 70 ms, it is as much longer.
 */
export function limitMs(): number {
  const text = 'The quick brown fox, "so"\n'.repeat(400_000)
  const start = cpuMs()
  JSON.stringify(text)
  return 4 * ruleMs * Math.max(1, (cpuMs() - start) / 70)
}
