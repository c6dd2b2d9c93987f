import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await own.drop()
})

const wherry = (...args: string[]) =>
  run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), 'connector', 'oauth', ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: own.url,
      WHERRY_KEYS: testKeys,
      WHERRY_ORIGIN: 'https://import.example.com',
    },
  })
const folder = mkdtempSync(join(tmpdir(), 'secret-'))
const secretFile = join(folder, 'client-secret')
writeFileSync(secretFile, 'hunter2\n', { mode: 0o600 })
const desk = ['--instance', 'https://desk.example.com/', '--client-id', 'wherry', '--client-secret-file', secretFile]

test('a client is set, listed without its secret, and removed', { timeout: 900_000 }, async () => {
  const set = await wherry('set', 'fernhill', ...desk, '--json')
  expect([set.code, set.stderr]).toEqual([0, ''])
  expect(JSON.parse(set.stdout)).toEqual({
    tool: 'fernhill',
    instance: 'https://desk.example.com',
    client_id: 'wherry',
    redirect_uri: 'https://import.example.com/portal/oauth/callback',
  })
  const { stdout } = await wherry('list', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ tool: 'fernhill', client_id: 'wherry', has_secret: true }])
  expect(stdout).not.toContain('hunter2')
  const old = ['--instance', 'https://desk.example.com', '--client-id', 'wherry', '--client-secret', 'hunter3']
  const deprecated = await wherry('set', 'fernhill', ...old)
  expect([deprecated.code, deprecated.stderr]).toEqual([0, expect.stringContaining('--client-secret is deprecated')])
  expect(deprecated.stderr).not.toContain('hunter3')
  expect((await wherry('remove', 'fernhill', '--instance', 'https://desk.example.com')).code).toBe(0)
  expect((await wherry('list')).stdout.trim()).toBe('None.')
})

test.each([
  ['a tool that has no such sign-in', ['set', 'redmine', ...desk], 'Tools that can: fernhill'],
  ['a missing instance', ['set', 'fernhill', '--client-id', 'wherry'], '--instance must be'],
  ['what is not there', ['remove', 'fernhill', '--instance', 'https://none.example'], 'There is no such client'],
])('%s is reported', { timeout: 900_000 }, async (_what, args, words) => {
  const { code, stderr } = await wherry(...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
})
