import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strays-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs this code in a process with a connector, in which a promise fails that nobody waits for. */
async function run(connector: string, code: string, place = folder) {
  await writeFile(join(folder, 'index.mjs'), connector)
  const own = (name: string) => JSON.stringify(join(import.meta.dirname, name))
  const program = `
    import { surviveStrays } from ${own('survive-strays.ts')}
    import { RetryableError } from ${own('../errors.ts')}
    import { read } from ${JSON.stringify(join(place, 'index.mjs'))}
    surviveStrays([${JSON.stringify(place)}], console.log)
    ${code}
    setTimeout(() => console.log('still running'), 50)`
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
}

test('a failure of a promise that a connector forgot is told with its place, and the process runs on', async () => {
  const forgetful = `export const read = () => void Promise.reject(new Error('no such page'))`
  const { stdout } = await run(forgetful, 'read()')
  expect(stdout).toBe(
    `A promise of the connector at ${folder} failed, and no code waited for it: no such page\nstill running\n`,
  )
})

test('a failed request that a connector forgot is told, and the process runs on', async () => {
  const { stdout } = await run(
    'export const read = (ask) => void ask()',
    `read(async () => { throw new RetryableError('no answer') })`,
  )
  expect(stdout).toContain('no code waited for it: no answer\nstill running')
})

test('an error in a timer of a connector is told with its place, and the process runs on', async () => {
  const timed = `export const read = () => setTimeout(() => { throw new Error('too late') }, 1)`
  const { stdout } = await run(timed, 'read()')
  expect(stdout).toBe(`The connector at ${folder} threw an error that no code could handle: too late\nstill running\n`)
})

test('a connector behind a symbolic link is recognized', async () => {
  const link = `${folder}-link`
  await symlink(folder, link)
  try {
    const { stdout } = await run(`export const read = () => void Promise.reject(new Error('linked'))`, 'read()', link)
    expect(stdout).toContain('no code waited for it: linked\nstill running')
  } finally {
    await rm(link)
  }
})

test('any other failure that nobody handles ends the process', async () => {
  await expect(run('export const read = 1', `void Promise.reject(new TypeError('ours'))`)).rejects.toMatchObject({
    stderr: expect.stringContaining('TypeError: ours'),
  })
})
