import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

const own = (name: string) => JSON.stringify(join(import.meta.dirname, name))

test('a loop after an await is told with the name of the connector and of its call', async () => {
  const program = `
    import { watchLoops } from ${own('watch-loops.ts')}
    import { limitCalls } from ${own('kit/limit-calls.ts')}
    const count = async () => { await null; for (;;); }
    const side = { requires: [], checkAccount: async () => ({ name: 'Odd' }), open: () => ({ count }) }
    watchLoops(200)
    const reader = await limitCalls({ tool: 'odd', source: side }).source.open({ signal: new AbortController().signal })
    await reader.count()`
  const busy = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const [line] = await once(createInterface(busy.stderr), 'line')
    expect(line).toBe(
      'The process has been busy for 0.2 s and answers nobody. Calls of connectors under way: odd count',
    )
  } finally {
    busy.kill('SIGKILL')
  }
})
