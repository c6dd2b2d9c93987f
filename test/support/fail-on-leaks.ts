import { afterAll, vi } from 'vitest'

// Servers and programs that a file leaves running would go on unseen; their handles are what keeps a process alive.
afterAll(() =>
  vi.waitFor(
    () => {
      const left = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap' || name === 'ProcessWrap')
      if (left.length > 0) throw new Error(`left running: ${left.join(', ')}`)
    },
    { timeout: 300_000 },
  ),
)
