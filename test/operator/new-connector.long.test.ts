import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
let parent: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'new-connector-'))
})
afterAll(() => rm(parent, { recursive: true, force: true }))

const wherry = (...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, '../../service/bin/wherry.mjs'), 'connector', ...args], {
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  })

// Each check starts its own test runner.
const limit = { timeout: 900_000 }

test('a new connector passes its checks, and a connector that breaks its contract does not', limit, async () => {
  const made = JSON.parse((await wherry('new', 'acme', '--in', parent, '--json')).stdout) as { folder: string }
  expect(made.folder).toBe(join(parent, 'acme'))
  expect((await wherry('check', made.folder)).stdout).toContain('1 passed')
  // The compiler fails the test by its exit code.
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', made.folder])
  const index = join(made.folder, 'index.ts')
  const code = await readFile(index, 'utf8')
  const unchecked = '((_words: string, signIn: () => Promise<AccountInfo>) => signIn())('
  await writeFile(index, code.replace('kit.checkAccess(', unchecked))
  await expect(wherry('check', made.folder)).rejects.toThrow('does not pass its contract tests yet')
  await writeFile(index, code.replace("['helpdesk']", '[]'))
  await expect(wherry('check', made.folder)).rejects.toThrow('families: must name at least one family')
  await expect(wherry('new', 'acme', '--in', parent)).rejects.toThrow('exists already')
  await expect(wherry('new', 'Acme Desk', '--in', parent)).rejects.toThrow('lowercase letters')
})
