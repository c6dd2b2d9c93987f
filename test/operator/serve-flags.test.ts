import { expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { run } from '../support/program.ts'

const tellFlags = `data:text/javascript,${encodeURIComponent('console.error("flags:", ...process.execArgv)')}`

test.each([
  ['--role=api', '--max-semi-space-size=2 --heap-growing-percent=20 --no-maglev --no-sparkplug'],
  ['--role=worker', '--max-semi-space-size=8 --heap-growing-percent=50'],
])('serve %s gives V8 enough memory for new objects', { timeout: 120_000 }, async (role, flag) => {
  // The process ends at once, because of its invalid port.
  const env = { PATH: process.env.PATH, PORT: 'none', NODE_OPTIONS: `--import=${tellFlags}` }
  const args = ['service/bin/wherry.mjs', 'serve', role]
  const { code, stderr } = await run(process.execPath, args, { cwd: checkoutDir, env })
  expect([code, stderr]).toEqual([1, expect.stringContaining('PORT')])
  // The process starts a second time with its flags.
  expect(stderr.split('\n').filter((line) => line.startsWith('flags:'))).toEqual(['flags:', `flags: ${flag}`])
})
