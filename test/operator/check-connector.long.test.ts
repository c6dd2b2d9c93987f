import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What `wherry connector check` says of mistakes: whose they are, and where.

const run = promisify(execFile)
const limit = { timeout: 900_000 }
const program = join(import.meta.dirname, '../../service/bin/wherry.mjs')
const wherry = (...args: string[]) =>
  run(process.execPath, [program, 'connector', ...args], { env: { PATH: process.env.PATH, NO_COLOR: '1' } })

let parent: string
let folder: string
let whole: { index: string; twin: string }
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'check-connector-'))
  await wherry('new', 'acme', '--in', parent)
  folder = join(parent, 'acme')
  const text = (name: string) => readFile(join(folder, name), 'utf8')
  whole = { index: await text('index.ts'), twin: await text('twin.ts') }
})
afterAll(() => rm(parent, { recursive: true, force: true }))

/** What the command prints for the new connector with these changes. */
async function check(change: { index?: [string, string]; twin?: [string, string] }): Promise<string> {
  for (const name of ['index', 'twin'] as const) {
    const [from, to] = change[name] ?? ['', '']
    expect(whole[name]).toContain(from)
    await writeFile(join(folder, `${name}.ts`), whole[name].replace(from, to))
  }
  const told = await wherry('check', folder).catch((error: { stdout: string; stderr: string }) => error)
  return `${told.stdout}\n${told.stderr}`
}

test('what is not checked is said', limit, async () => {
  const told = await check({})
  expect(told).toMatch(/NOT CHECKED: reading .*source\.entities of the twin names no entity/)
  expect(told).not.toContain('does not pass')
})

const failed = 'The twin failed, not the connector: twin.ts:'
const known = `if (request.url === '/api/account')`
test.each<[string, [string, string], string]>([
  ['cannot be loaded', ['import { createServer', `throw new Error('no licence')\nimport { createServer`], 'no licence'],
  ['exports nothing', ['export async function', 'async function'], 'twin.ts exports no function startTwin'],
  [
    'does not start',
    ['  const unknown', `  throw new Error('no port')\n  const unknown`],
    'The twin does not start: twin.ts:',
  ],
  ['names an unknown entity', ['entities: []', `entities: ['ticket']`], 'source.entities: there is no entity ticket'],
  ['throws while it answers', [known, `${known} throw new Error('oh')\n    ${known}`], failed],
  [
    'throws later while it answers',
    [known, `${known} return void Promise.reject(new Error('oh'))\n    ${known}`],
    failed,
  ],
  ['knows less than the connector asks for', ['/api/account', '/api/me'], 'has no such request: GET /api/account'],
])('a twin that %s is named, not the connector', limit, async (_, twin, words) => {
  const told = await check({ twin })
  expect(told).toContain(words)
  expect(told).toContain('does not pass')
})

test('a page that a run would refuse fails the check with its place', limit, async () => {
  const told = await check({
    index: [
      'read: async () => ({ items: [], warnings: [], next: null })',
      `read: async () => ({ items: [{ entity: 'tickets', sourceId: '1', fields: { subject: 7 as never } }], warnings: [], next: null })`,
    ],
    twin: ['entities: []', `entities: ['tickets']`],
  })
  expect(told).toContain('read(tickets) answered with record 1 with a subject that is no text')
})
