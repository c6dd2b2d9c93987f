import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Program, run } from '../support/program.ts'
import { isRoot, kill, makeClone, waitUntil } from './clone.ts'

const limitMs = 900_000
const port = await findFreePort()
const origin = `http://localhost:${port}`

const clone = makeClone({
  name: 'demo clone',
  mode: 0o755,
  ...(isRoot ? { user: { uid: 65_534, gid: 65_534 } } : {}),
  env: { PORT: String(port) },
})
afterAll(() => clone.remove(), limitMs)

async function startReady(env: Record<string, string> = {}): Promise<Program> {
  const program = clone.npmWith(env, 'start')
  await program.waitFor(/Ctrl-C stops everything/, limitMs - 60_000)
  return program
}
const pressCtrlC = async (program: Program) => {
  // A terminal sends the signal to the whole group.
  kill(-program.pid, 'SIGINT')
  expect((await program.finished).code).toBe(0)
  await waitUntil(() => clone.processes().length === 0)
}
const processOf = (pattern: RegExp) => clone.processes().find(({ command }) => pattern.test(command))
const pidOf = (pattern: RegExp) => processOf(pattern)?.pid ?? expect.fail(`no process ${pattern}`)
const read = async (url: string) => (await fetch(url)).text()
const printed = (program: Program, pattern: RegExp) => pattern.exec(program.output())?.[1] ?? expect.fail(`${pattern}`)
const harbourOf = (program: Program) => printed(program, /Harbour {2,}(\S+)/)
const isReady = () =>
  fetch(`${origin}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

let imp: { id: string; token: string; redirect_url: string }
let cookie = ''
const asCustomer = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${origin}/portal/${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
}
const reached = (status: string) =>
  waitUntil(async () => (await asCustomer('GET', `imports/${imp.id}`)).json.status_code === status)

let program: Program

test(
  'a fresh clone starts the demo, and the printed command creates an import whose link opens',
  async () => {
    program = await startReady()
    const command = printed(program, /^ {2}(curl -u .+?)\n\n/ms)
    const { stdout } = await run('bash', ['-c', command], { env: { PATH: process.env.PATH } })
    imp = JSON.parse(stdout)
    const page = await fetch(imp.redirect_url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await asCustomer('POST', 'session', { id: imp.id, token: imp.token })).status).toBe(204)
    expect((await asCustomer('GET', `imports/${imp.id}`)).json).toMatchObject({
      status_code: 'collecting_credentials',
      destination: { label: 'Harbour', access: 'checked' },
    })
    const settings = statSync(join(clone.folder, '.wherry/demo/settings.json'))
    expect(settings.mode & 0o777).toBe(0o600)
  },
  limitMs,
)

/** The commands of the README's walk, block by block, without commands that the reader must complete. */
const walk = (/## The walk(.+?)\n## /s.exec(readFileSync(join(checkoutDir, 'README.md'), 'utf8'))?.[1] ?? '')
  .split('```')
  .flatMap((block) => (block.startsWith('sh\n') && !block.includes('…') ? [block.slice(3)] : []))

/** Runs a block unchanged, except for the addresses of this start. Returns its last line. */
const runBlock = async (block: string | undefined) => {
  const fernhill = printed(program, /Fernhill Desk {2,}(\S+)/)
  const commands = String(block)
    .replaceAll('http://localhost:4000', origin)
    .replaceAll('http://127.0.0.1:4001', fernhill)
  const { stdout } = await run('bash', ['-ec', commands.replaceAll(/\n(?=curl)/g, '\necho\n')], {
    cwd: clone.folder,
    env: { PATH: process.env.PATH, ID: imp.id, TOKEN: imp.token, KEY: printed(program, /its API key: (\S+)/) },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

test(
  'the walk of the README: sample, sponsorship in Harbour, full migration, and Harbour shows it',
  async () => {
    expect(walk).toHaveLength(3)
    const harbour = harbourOf(program)
    expect(await runBlock(walk[0])).toEqual({ status_code: 'sample_migration_in_progress' })
    await reached('sample_migration_completed')
    const body = new URLSearchParams({ decision: 'accept' })
    const decided = await fetch(`${harbour}/imports/${imp.id}/payment`, { method: 'POST', body, redirect: 'manual' })
    expect(decided.status).toBe(303)
    expect(await runBlock(walk[1])).toEqual({ status_code: 'migration_in_progress' })
    await reached('migration_completed')
    await waitUntil(async () => (await read(`${harbour}/imports/live`)).includes('Migration completed'))
    expect(await read(harbour)).toContain('<strong>119</strong> Tickets')
  },
  limitMs,
)

test(
  'a message for every change of status arrives in Harbour and is verified',
  async () => {
    const live = `${harbourOf(program)}/imports/live`
    await waitUntil(async () => (await read(live)).split('>Verified<').length - 1 >= 6)
    expect(await read(live)).not.toContain('>Refused<')
  },
  limitMs,
)

test(
  'the walk of the README: everything can be undone',
  async () => {
    expect(await runBlock(walk[2])).toEqual({ status_code: 'undo_in_progress' })
    await reached('migration_cleaned')
    expect(await read(harbourOf(program))).toContain('Nothing has arrived yet')
  },
  limitMs,
)

test(
  'Ctrl-C leaves no process, and the next start has the same demo with its data',
  async () => {
    await pressCtrlC(program)
    program = await startReady()
    const harbour = harbourOf(program)
    await waitUntil(async () => (await read(`${harbour}/imports/live`)).includes(imp.id))
    const partners = JSON.parse((await clone.wherry('partner', 'list', '--json')).stdout)
    expect(partners).toMatchObject([{ name: 'Harbour', destination_tool: 'open' }])
  },
  limitMs,
)

test(
  'a second start says so and changes nothing; a killed demo program stops no other program',
  async () => {
    const second = await clone.npm('start').finished
    expect([second.code === 0, second.stderr]).toEqual([false, expect.stringContaining('already runs in this folder')])
    expect(second.stdout).not.toMatch(/Port \d+ is in use|not started/)
    kill(pidOf(/demo\/harbour\/main\.ts/), 'SIGKILL')
    await program.waitFor(/Harbour has ended by itself \(SIGKILL\)/)
    await waitUntil(isReady)
    expect((await fetch(printed(program, /Fernhill Desk {2,}(\S+)/))).status).toBe(200)
    await pressCtrlC(program)
  },
  limitMs,
)

test(
  'the demo ends with the service or npm, even when they are killed with -9, and can start again',
  async () => {
    program = await startReady()
    kill(pidOf(/wherry\.mjs serve/), 'SIGKILL')
    await program.finished
    await waitUntil(() => processOf(/demo\/(harbour|fernhill)\/main\.ts/) === undefined)
    program = await startReady()
    expect((await fetch(harbourOf(program))).status).toBe(200)
    kill(program.pid, 'SIGKILL')
    await program.finished
    await waitUntil(() => clone.processes().length === 0)
  },
  limitMs,
)

test(
  'a port in use prevents only its own program from starting',
  async () => {
    const held = Number(new URL(harbourOf(program)).port)
    const squatter = createServer((_request, answer) => answer.end())
    await new Promise<void>((resolve) => squatter.listen(held, '127.0.0.1', resolve))
    try {
      program = await startReady()
      expect(program.output()).toContain(`Harbour is not started: another program holds its port ${held}.`)
      await waitUntil(isReady)
      expect(processOf(/demo\/harbour/)).toBeUndefined()
      expect(processOf(/demo\/fernhill/)).toBeDefined()
      await pressCtrlC(program)
    } finally {
      squatter.close()
    }
  },
  limitMs,
)

test(
  'WHERRY_DEMO=off starts the service alone',
  async () => {
    program = await startReady({ WHERRY_DEMO: 'off' })
    expect(program.output()).not.toContain('Harbour')
    expect(processOf(/\/demo\/(harbour|fernhill)\//)).toBeUndefined()
    await pressCtrlC(program)
  },
  limitMs,
)
