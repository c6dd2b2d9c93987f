import { afterAll } from 'vitest'

// Servers that a file leaves listening would go on unseen; their handles are what keeps a process alive.
afterAll(() => {
  const left = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap' || name === 'ProcessWrap')
  if (left.length > 0) throw new Error(`left running: ${left.join(', ')}`)
})
