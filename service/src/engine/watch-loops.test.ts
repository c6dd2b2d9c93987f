import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startProgram } from '../../../test/support/program.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** A program with a connector in a folder of its own. Its database cannot be reached, so no run is paused. */
async function startWith(connector: string, main: string) {
  const home = await mkdtemp(join(tmpdir(), 'a loop '))
  cleanup.defer(() => rm(home, { recursive: true }))
  await writeFile(join(home, 'index.mjs'), connector)
  const program = `
    import { watchLoops } from ${JSON.stringify(join(import.meta.dirname, 'watch-loops.ts'))}
    import { call } from ${JSON.stringify(join(home, 'index.mjs'))}
    const outside = [{ tool: 'odd', home: ${JSON.stringify(home)}, code: '' }]
    watchLoops({ outside, databaseUrl: 'postgres://127.0.0.1:1/none', busyMs: 400 })
    ${main}`
  const started = startProgram(process.execPath, ['--input-type=module', '--eval', program])
  cleanup.defer(async () => {
    started.child.kill('SIGKILL')
    await started.finished
  })
  return started
}

test.each([
  ['a loop after an await', 'await null; for (;;);', '1:'],
  ['a slow pattern after an await', `await null; /^(a+)+$/.test('a'.repeat(60) + 'b')`, '1:'],
  ['a chain of promises', 'const again = () => Promise.resolve().then(again); await again()', '1:'],
])('%s of a connector ends the process, with its place named', { timeout: 120_000 }, async (_, code, line) => {
  const looping = await startWith(`export const call = async () => { ${code} }`, 'await call()')
  const { code: exit, stderr } = await looping.finished
  expect(exit).toBe(null)
  expect(stderr).toMatch(
    new RegExp(
      `^The connector for odd does not keep its contract: it kept the process busy for 0.4 s at index.mjs:${line}\\d+\\. Its runs are paused, the connector is set aside, and this process ends\\.\nThe connector for odd could not be set aside: `,
    ),
  )
})

test('a process that is busy with other code goes on', { timeout: 120_000 }, async () => {
  const busy = await startWith('export const call = async () => {}', 'await call(); for (;;);')
  await busy.waitFor(/\n/)
  expect(busy.output()).toBe(
    'The process has been busy for 0.4 s and answers nobody. No connector from outside seems to be the cause.\n',
  )
  expect(busy.child.kill('SIGTERM')).toBe(true)
})
