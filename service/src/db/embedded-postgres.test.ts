import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'
import { migrateToLatest } from './migrate.ts'

const LIMIT = { timeout: 120_000 }
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const outside = '/var/lib/wherry/'

const folders: string[] = []
const handles: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const handle of handles.splice(0)) {
    await handle.close().catch(() => {})
    killAll(handle.dataDir)
    if (handle.dataDir.startsWith(outside)) await rm(dirname(handle.dataDir), { recursive: true, force: true })
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function newFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-embedded-'))
  folders.push(folder)
  await chmod(folder, mode)
  return folder
}

async function openAt(home: string, options: { settings?: Record<string, string>; notices?: string[] } = {}) {
  const { settings = {}, notices = [] } = options
  const handle = await openEmbeddedPostgres({ home, settings, onNotice: (line) => notices.push(line) })
  handles.push(handle)
  return handle
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 30_000; !(await condition()); await sleep(10)) {
    if (Date.now() > limit) throw new Error('the awaited condition did not come true within 30 s')
  }
}

/** Living processes that run in the folder or name it; a zombie has neither. */
function processesOn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const mentions = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
        return pid > 0 && pid !== process.pid && (mentions || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder))
      } catch {
        return false
      }
    })
}

function killAll(folder: string): void {
  for (const pid of processesOn(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself between the two looks.
    }
  }
}

async function postmasterOf(handle: EmbeddedPostgres): Promise<number> {
  return Number.parseInt(await readFile(join(handle.dataDir, 'postmaster.pid'), 'utf8'), 10)
}

const SCRIPT = `
  const [file, home, arch] = process.argv.slice(1)
  if (arch) Object.defineProperty(process, 'arch', { value: arch })
  const { openEmbeddedPostgres } = await import(file)
  const notices = []
  try {
    const handle = await openEmbeddedPostgres({ home, onNotice: (line) => notices.push(line) })
    console.log(JSON.stringify({ url: handle.url, dataDir: handle.dataDir, notices }))
    process.stdin.once('data', async () => { await handle.close(); console.log('"closed"'); process.exit(0) })
  } catch (error) { console.log(JSON.stringify({ error: error.message })); process.exit(1) }`

interface ChildOptions {
  node?: string
  file?: string
  arch?: string
  uid?: number
  env?: Record<string, string>
}

/** Another process, on a Node of its own, that opens the home. `next` gives its next line, parsed. */
function startChild(home: string, options: ChildOptions = {}) {
  const { node = process.execPath, file = fileURLToPath(new URL('embedded-postgres.ts', import.meta.url)) } = options
  const args = ['--input-type=module', '-e', SCRIPT, file, home, options.arch ?? '']
  const user = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }
  const child = spawn(node, args, { ...user, cwd: '/', env: options.env ?? {}, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  async function next() {
    await until(() => text.includes('\n') || child.exitCode !== null || child.signalCode !== null)
    const [line = '', ...rest] = text.split('\n')
    text = rest.join('\n')
    return JSON.parse(line)
  }
  async function close() {
    const exited = once(child, 'exit')
    child.stdin.write('close')
    expect(await next()).toBe('closed')
    await exited
  }
  return { child, next, close }
}

/** What Wherry needs to open a database, in a folder of its own, as after an install with install scripts blocked. */
async function copyInstallation(folder: string): Promise<{ node: string; file: string; links: string[] }> {
  const here = dirname(fileURLToPath(import.meta.url))
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = join(dirname(createRequire(import.meta.url).resolve(platform)), '..', '..', '..')
  const packages = (await readdir(root)).filter((name) => /^(pg|postgres|split2|xtend)/.test(name))
  for (const name of [...packages, platform]) {
    await cp(join(root, name), join(folder, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of await readdir(here)) {
    if (/^embedded-postgres(?!.*test)/.test(name)) await cp(join(here, name), join(folder, 'src', name))
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await cp(process.execPath, join(folder, 'node'))
  const native = join(folder, 'node_modules', platform)
  const listed = JSON.parse(await readFile(join(native, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  const links = listed.map(({ target }) => join(native, target))
  for (const link of links) await rm(link)
  return { node: join(folder, 'node'), file: join(folder, 'src', 'embedded-postgres.ts'), links }
}

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
    expect(processesOn(second.dataDir)).toEqual([])
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
  expect(processesOn(opened[2].dataDir)).toEqual([])
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
  expect(processesOn(dataDir)).toEqual([])
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
  expect(processesOn(handle.dataDir)).toEqual([])
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
  expect(processesOn(handle.dataDir)).toEqual([])
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
  expect(processesOn(after.dataDir)).toEqual([])
})

test('a connection that lost its place takes it again on ensureRunning', LIMIT, async () => {
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

test('a postmaster.pid that names a living stranger does not block the start', LIMIT, async () => {
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
  const commands = processesOn(handle.dataDir).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  expect(commands.length).toBeGreaterThan(0)
  const log = await readFile(join(dirname(handle.dataDir), 'postgres.log'), 'utf8')
  for (const password of passwords) expect([...notices, ...commands, log].join('\n')).not.toContain(password)
})

test('a machine without a Postgres package is told to set DATABASE_URL', LIMIT, async () => {
  const { next } = startChild(join(await newFolder(), '.wherry'), { arch: 'pdp11' })
  expect((await next()).error).toMatch(/@embedded-postgres\/linux-pdp11 is not installed.*DATABASE_URL/)
})

test.runIf(isRoot)('a home closed to the server user keeps its data outside, and keeps it there', LIMIT, async () => {
  const closed = await newFolder(0o700)
  const home = join(closed, '.wherry')
  const first = await openAt(home)
  expect(first.dataDir.startsWith(outside)).toBe(true)
  await query(first.url, 'CREATE TABLE t AS SELECT 7 AS v')
  await first.close()
  await chmod(closed, 0o755)
  const second = await openAt(home)
  expect(second.dataDir).toBe(first.dataDir)
  expect(await query(second.url, 'SELECT v FROM t')).toEqual([{ v: 7 }])
  await second.close()
  expect(processesOn(second.dataDir)).toEqual([])
})

test.runIf(isRoot)('programs in a folder closed to the server user are copied, with their links', LIMIT, async () => {
  const { node, file } = await copyInstallation(await newFolder(0o700))
  const home = join(await newFolder(), '.wherry')
  const { next, close } = startChild(home, { node, file })
  const opened = await next()
  expect(opened.dataDir).toBe(join(home, 'postgres'))
  expect(await query(opened.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await close()
  expect(processesOn(home)).toEqual([])
  expect((await readdir(home)).filter((name) => name.includes('draft'))).toEqual([])
})

test.runIf(isRoot)(
  'an ordinary user without LANG gets a server of their own, missing links restored',
  LIMIT,
  async () => {
    const folder = await newFolder()
    const { node, file, links } = await copyInstallation(folder)
    for (const link of links) await chown(dirname(link), NOBODY, NOBODY)
    const home = join(folder, 'hömé of nobody')
    await mkdir(home, { mode: 0o700 })
    await chown(home, NOBODY, NOBODY)
    const { next, close } = startChild(join(home, '.wherry'), { node, file, uid: NOBODY, env: { HOME: home } })
    const opened = await next()
    expect((await stat(opened.dataDir)).uid).toBe(NOBODY)
    expect(await query(opened.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    for (const link of links) expect((await stat(link)).isFile()).toBe(true)
    // Root joins as the owner of the data, as an operator with sudo would.
    const joined = await openAt(join(home, '.wherry'))
    expect(joined.url).toBe(opened.url)
    await close()
    await joined.close()
    expect(processesOn(home)).toEqual([])
  },
)

/** What its role may do, and that it may not reach beyond its database. */
async function expectFewRights(handle: EmbeddedPostgres): Promise<void> {
  const rights =
    'SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles WHERE rolname = current_user'
  expect(await query(handle.url, rights)).toEqual([
    { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false },
  ])
  for (const reach of [
    "SELECT pg_read_file('postgresql.conf')",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    'CREATE ROLE x',
  ]) {
    await expect(query(handle.url, reach)).rejects.toThrow(/permission denied/)
  }
  expect(handle.url).not.toContain(new URL(handle.adminUrl).password)
}

test('the service signs in with few rights, and its schema and its queue are made with them', LIMIT, async () => {
  const handle = await openAt(join(await newFolder(), '.wherry'))
  await expectFewRights(handle)
  await migrateToLatest(handle.url)
  expect(await query(handle.url, 'SELECT count(*)::int AS partners FROM partners')).toEqual([{ partners: 0 }])
  expect(await query(handle.url, 'SELECT count(*)::int AS version FROM pgboss.version')).toEqual([{ version: 1 }])
})

test('a folder whose service was its superuser goes on with few rights, and can be migrated', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const before = await openAt(home)
  // As earlier versions left it.
  await query(before.adminUrl, 'ALTER DATABASE wherry OWNER TO wherry')
  await query(before.adminUrl, 'DROP ROLE wherry_service')
  await migrateToLatest(before.adminUrl)
  await query(
    before.adminUrl,
    "CREATE TYPE mood AS ENUM ('calm'); CREATE TABLE kept AS SELECT 7 AS v, 'calm'::mood AS m",
  )
  await before.close()

  const after = await openAt(home)
  await expectFewRights(after)
  await migrateToLatest(after.url)
  expect(await query(after.url, 'SELECT v FROM kept')).toEqual([{ v: 7 }])
  await query(after.url, "ALTER TYPE mood ADD VALUE 'glad'")
  const mine = `SELECT n.nspname, c.relname, pg_get_userbyid(c.relowner) AS owner FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'pgboss') AND pg_get_userbyid(c.relowner) <> 'wherry_service'`
  expect(await query(after.url, mine)).toEqual([])
  const functions = `SELECT proname FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
    AND pg_get_userbyid(proowner) <> 'wherry_service'`
  expect(await query(after.url, functions)).toEqual([])
  // An earlier version may work on it once more.
  await query(after.adminUrl, 'CREATE TABLE of_an_earlier_version AS SELECT 1')
  const again = await openAt(home)
  await query(again.url, 'ALTER TABLE of_an_earlier_version ADD COLUMN more int')
})
