import { afterAll, vi } from 'vitest'

// Servers and programs that a test file leaves running would stay unnoticed. Their handles keep a process alive, so
// they are checked.
afterAll(() =>
  vi.waitFor(
    () => {
      const left = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap' || name === 'ProcessWrap')
      if (left.length > 0) throw new Error(`left running: ${left.join(', ')}`)
    },
    { timeout: 300_000 },
  ),
)
