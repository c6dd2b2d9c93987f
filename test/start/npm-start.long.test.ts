import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Program } from '../support/program.ts'
import { type Clone, isRoot, kill, makeClone, waitUntil } from './clone.ts'

// The first test installs everything from the lockfile, as a new user's first start does.
const limitMs = 900_000
const nobody = { uid: 65_534, gid: 65_534 }

const clones: Clone[] = []
const cloneOf = (...args: Parameters<typeof makeClone>) => {
  const clone = makeClone(...args)
  clones.push(clone)
  return clone
}
// What a failed test leaves running would fail all that follow.
afterEach(async () => {
  for (const clone of clones) await clone.stop()
}, limitMs)
afterAll(async () => {
  for (const clone of clones) await clone.remove()
}, limitMs)

const fresh = cloneOf({
  name: 'fresh clone für alle',
  mode: 0o755,
  ...(isRoot ? { user: nobody } : {}),
  // demo.long.test.ts tests the programs beside the service.
  env: { PORT: '4710', WHERRY_DEMO: 'off' },
})
const origin = 'http://127.0.0.1:4710'

async function startReady(clone: Clone): Promise<Program> {
  const program = clone.npm('start')
  // Ends before the test does, so that a failure shows the output.
  await program.waitFor(/Wherry is ready/, limitMs - 60_000)
  return program
}
async function stopWith(program: Program, signal: NodeJS.Signals): Promise<number | null> {
  kill(program.pid, signal)
  return (await program.finished).code
}
const statusOf = (path: string, token = '') =>
  fetch(`${origin}${path}`, { headers: { authorization: `Basic ${btoa(`${token}:`)}` } }).then(
    (answer) => answer.status,
    () => 0,
  )
const postmasterOf = (clone: Clone) => clone.processes().find(({ command }) => /bin\/postgres -D/.test(command))
const serviceOf = (clone: Clone) => clone.processes().find(({ command }) => /wherry\.mjs serve/.test(command))
const nothingRuns = (clone: Clone) => waitUntil(() => clone.processes().length === 0)

describe('npm start', () => {
  let token = ''

  test(
    'works from a fresh clone, as an ordinary user, from a path with spaces; SIGTERM ends it with 0 and leaves nothing',
    async () => {
      const program = await startReady(fresh)
      expect(program.output()).toContain('http://localhost:4710/api/v2.1')
      // The output has one line for each step and the addresses: no list of files, no log.
      expect(program.output()).not.toMatch(/dist\/assets|"level":|PLUGIN_TIMINGS/)
      expect(await statusOf('/readyz')).toBe(200)
      const created = await fresh.wherry('partner', 'create', '--name', 'A', '--destination', 'open', '--json')
      expect(created.code).toBe(0)
      token = JSON.parse(created.stdout).api_token
      expect(await statusOf('/api/v2.1/tools', token)).toBe(200)
      expect(await stopWith(program, 'SIGTERM')).toBe(0)
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test(
    'starts again with its data, refuses to run twice in one folder, and ends with 0 on Ctrl-C',
    async () => {
      const program = await startReady(fresh)
      expect(await statusOf('/api/v2.1/tools', token)).toBe(200)
      const second = fresh.npm('start')
      const { code, stderr } = await second.finished
      expect(code).not.toBe(0)
      expect(stderr).toContain(`process ${serviceOf(fresh)?.pid}, at http://localhost:4710`)
      expect(await statusOf('/api/v2.1/tools', token)).toBe(200)
      // A terminal sends Ctrl-C to the whole group.
      kill(-program.pid, 'SIGINT')
      expect((await program.finished).code).toBe(0)
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test(
    'lets the command line work while it is not running',
    async () => {
      const { code, stdout } = await fresh.wherry('partner', 'list', '--json')
      expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ name: 'A' }]])
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test(
    'recovers from a kill -9 of the service',
    async () => {
      const program = await startReady(fresh)
      kill(Number(serviceOf(fresh)?.pid), 'SIGKILL')
      expect((await program.finished).code).not.toBe(0)
      expect(postmasterOf(fresh)).toBeDefined()
      const again = await startReady(fresh)
      expect(await statusOf('/api/v2.1/tools', token)).toBe(200)
      expect(await stopWith(again, 'SIGTERM')).toBe(0)
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test(
    'leaves nothing behind when npm itself is killed with -9',
    async () => {
      const program = await startReady(fresh)
      await stopWith(program, 'SIGKILL')
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test(
    'restarts Postgres by itself after a kill -9',
    async () => {
      const program = await startReady(fresh)
      const killed = Number(postmasterOf(fresh)?.pid)
      kill(killed, 'SIGKILL')
      // Connections to the killed Postgres may still answer for a moment.
      await waitUntil(() => (postmasterOf(fresh)?.pid ?? killed) !== killed)
      await waitUntil(
        async () => (await statusOf('/readyz')) === 200 && (await statusOf('/api/v2.1/tools', token)) === 200,
      )
      expect(await statusOf('/healthz')).toBe(200)
      expect(await stopWith(program, 'SIGTERM')).toBe(0)
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test(
    'recovers from a kill -9 of both',
    async () => {
      const program = await startReady(fresh)
      kill(Number(serviceOf(fresh)?.pid), 'SIGKILL')
      kill(Number(postmasterOf(fresh)?.pid), 'SIGKILL')
      await program.finished
      const again = await startReady(fresh)
      expect(await statusOf('/api/v2.1/tools', token)).toBe(200)
      expect(await stopWith(again, 'SIGTERM')).toBe(0)
      await nothingRuns(fresh)
    },
    limitMs,
  )

  test.skipIf(!isRoot)(
    'works as root, from a folder that nobody else may enter',
    async () => {
      const closed = cloneOf({
        name: 'closed',
        mode: 0o700,
        packagesOf: fresh.folder,
        env: { PORT: '4710', WHERRY_DEMO: 'off' },
      })
      const program = await startReady(closed)
      expect(await statusOf('/readyz')).toBe(200)
      const data = /data in (.+)/.exec(program.output())?.[1] ?? ''
      expect(await stopWith(program, 'SIGTERM')).toBe(0)
      await nothingRuns(closed)
      if (data.startsWith('/var/lib/wherry/')) rmSync(join(data, '..'), { recursive: true })
    },
    limitMs,
  )

  const debianPostgres = findDebianPostgres()
  test.skipIf(debianPostgres === null)(
    'works on an existing Postgres 15 or newer named by DATABASE_URL, which it leaves running',
    async () => {
      const { url, stop } = startDebianPostgres(String(debianPostgres))
      try {
        const env = { PORT: '4710', DATABASE_URL: url }
        const external = cloneOf({
          name: 'external',
          mode: 0o755,
          packagesOf: fresh.folder,
          ...(isRoot ? { user: nobody } : {}),
          env,
        })
        const program = await startReady(external)
        expect(external.processes().filter(({ command }) => command.includes('/demo/'))).toEqual([])
        const created = await external.wherry('partner', 'create', '--name', 'B', '--destination', 'open', '--json')
        expect(await statusOf('/api/v2.1/tools', JSON.parse(created.stdout).api_token)).toBe(200)
        expect((await external.npm('start').finished).code).not.toBe(0)
        expect(await stopWith(program, 'SIGTERM')).toBe(0)
        await nothingRuns(external)
        expect((await external.wherry('partner', 'list', '--json')).code).toBe(0)
        expect(existsSync(join(external.folder, '.wherry/postgres'))).toBe(false)
      } finally {
        stop()
      }
    },
    limitMs,
  )
})

function findDebianPostgres(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).filter((version) => Number(version) >= 15) : []
  return versions[0] === undefined ? null : join(root, versions[0], 'bin')
}

function startDebianPostgres(bin: string): { url: string; stop: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'wherry-pg15-'))
  const as = isRoot ? nobody : {}
  if (isRoot) chownSync(dir, nobody.uid, nobody.gid)
  const options = { ...as, cwd: dir, stdio: 'ignore' as const }
  execFileSync(join(bin, 'initdb'), ['-D', join(dir, 'data'), '-U', 'wherry', '-A', 'trust', '-E', 'UTF8'], options)
  const settings = `-p 4715 -c listen_addresses=127.0.0.1 -c unix_socket_directories=${dir} -c fsync=off`
  execFileSync(
    join(bin, 'pg_ctl'),
    ['-D', join(dir, 'data'), '-w', '-l', join(dir, 'log'), '-o', settings, 'start'],
    options,
  )
  return {
    url: 'postgres://wherry@127.0.0.1:4715/postgres',
    stop: () => {
      execFileSync(join(bin, 'pg_ctl'), ['-D', join(dir, 'data'), '-m', 'immediate', 'stop'], options)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
