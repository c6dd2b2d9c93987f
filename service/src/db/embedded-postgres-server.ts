import { randomBytes } from 'node:crypto'
import { appendFile, chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COPY_PREFIX, EmbeddedPostgresError, ifPresent, isCode, type Place, run } from './embedded-postgres-place.ts'

export interface Postmaster {
  pid: number
  port: number
}

export const SUPERUSER = 'wherry'

const DEFAULTS = { max_connections: '100', shared_buffers: '128MB' }
const FIXED = ['port', 'listen_addresses', 'unix_socket_directories', 'data_directory']
const LOG_LIMIT_BYTES = 10 * 1024 * 1024
const DRAFT_PREFIX = 'postgres-draft-'

/** Creates the cluster unless it exists. Built beside and renamed, so a kill midway never leaves half a cluster. */
export async function initialise(place: Place): Promise<boolean> {
  await removeAbandonedDrafts(place.base)
  if ((await ifPresent(stat(join(place.dataDir, 'PG_VERSION')))) !== undefined) return false
  const draft = join(place.base, `${DRAFT_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`)
  const passwordFile = join(draft, 'password')
  try {
    await mkdir(draft, { mode: 0o700 })
    await writeFile(passwordFile, place.password, { mode: 0o600 })
    await giveToServer(place, draft, passwordFile)
    await runInitdb(place, join(draft, 'data'), passwordFile)
    await appendFile(join(draft, 'data', 'postgresql.conf'), `\ninclude_if_exists = 'wherry.conf'\n`)
    await rename(join(draft, 'data'), place.dataDir)
    return true
  } catch (error) {
    // A process that broke a stale lock at the same moment made the cluster, with the same password: use that one.
    if (isCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runInitdb(place: Place, dataDir: string, passwordFile: string): Promise<void> {
  const args = ['-D', dataDir, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  // macOS and some old C libraries have no C.UTF-8. Postgres' built-in one sorts the same way and always exists.
  const builtIn = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const locales = process.platform === 'darwin' ? [builtIn] : [['--locale=C.UTF-8'], builtIn]
  const failures: string[] = []
  for (const locale of locales) {
    const { code, output } = await run(
      join(place.binDir, 'initdb'),
      [...args, '--no-instructions', ...locale],
      place.user,
    )
    if (code === 0) return
    failures.push(output)
  }
  throw new EmbeddedPostgresError(`initdb could not make a database in ${place.base}:\n${failures[0]}`)
}

async function removeAbandonedDrafts(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const maker = Number(new RegExp(`^${DRAFT_PREFIX}(\\d+)-`).exec(name)?.[1])
    if (maker > 0 && !processExists(maker)) {
      await rm(join(base, name), { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/** Removes copies of other versions and drafts of killed processes. Only while no server runs that may need them. */
async function removeOldBinaries({ base, binDir }: Place): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(COPY_PREFIX) || binDir.startsWith(join(base, name, '/'))) continue
    await rm(join(base, name), { recursive: true, force: true })
  }
}

/** Throws with the tail of the log if the server does not start. */
export async function startServer(place: Place, settings: Record<string, string>, port: number): Promise<void> {
  await removeOldBinaries(place)
  await writeSettings(place, settings, port)
  const logged = await prepareLog(place)
  // On the command line, because not even ALTER SYSTEM may open the server to other machines.
  const fixed = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  // Replaying the log after a crash may take minutes. pg_ctl still returns at once if the server gives up.
  const args = ['start', '-w', '-t', '300', '-D', place.dataDir, '-l', place.logFile, '-o', fixed]
  const { code, output } = await run(join(place.binDir, 'pg_ctl'), args, place.user)
  if (code === 0) return
  throw new EmbeddedPostgresError(
    `Postgres did not start: ${output}\nThe end of ${place.logFile}:\n${await readLogTail(place, logged)}`,
  )
}

export async function stopServer(place: Place, pid: number): Promise<void> {
  const args = ['stop', '-m', 'fast', '-w', '-t', '120', '-D', place.dataDir]
  const { code, output } = await run(join(place.binDir, 'pg_ctl'), args, place.user)
  // pg_ctl also fails if the server ended meanwhile; only its absence counts. pg_ctl returns when postmaster.pid is
  // removed, a moment before the process ends.
  for (let tries = code === 0 ? 100 : 1; tries > 0; tries -= 1) {
    if (!(await isPostmasterOf(pid, place.dataDir))) return
    await sleep(50)
  }
  throw new EmbeddedPostgresError(
    `Postgres did not stop: ${output}\nThe end of ${place.logFile}:\n${await readLogTail(place, 0)}`,
  )
}

/** The process that postmaster.pid names, if it is alive and serves this folder; or whether that file is a leftover. */
export async function findPostmaster(dataDir: string): Promise<{ running: Postmaster | undefined; leftover: boolean }> {
  const file = join(dataDir, 'postmaster.pid')
  const text = await ifPresent(readFile(file, 'utf8'))
  if (text === undefined) return { running: undefined, leftover: false }
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (pid > 0 && (await isPostmasterOf(pid, dataDir))) return { running: { pid, port }, leftover: false }
  // Postgres itself handles a dead pid, but treats any living one as a running server. An unreaped zombie (Node as
  // pid 1 of a container) or a stranger with a reused pid would block the start for ever. Removing the file is safe: a
  // living server holds the shared memory named after the folder's inode, and a second one refuses to start.
  if (!(pid > 0) || processExists(pid)) await rm(file, { force: true })
  return { running: undefined, leftover: true }
}

export async function isPostmasterOf(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { output } = await run('ps', ['-o', 'stat=,command=', '-p', String(pid)])
    return output !== '' && !output.startsWith('Z') && output.includes(dataDir)
  }
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    const state = status.slice(status.lastIndexOf(')') + 2, status.lastIndexOf(')') + 3)
    if (state === 'Z' || state === 'X') return false
    const here = await stat(dataDir)
    const there = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
    if (there !== undefined) return there.ino === here.ino && there.dev === here.dev
    // Root in a container may not look into another user's process, but everyone may read its command line.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(dataDir)
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return false
    throw error
  }
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}

/** The port of the last start if it is free, so that noted addresses stay right; otherwise another free one. */
export async function choosePort(dataDir: string): Promise<number> {
  const previous = await ifPresent(readFile(join(dataDir, 'wherry.conf'), 'utf8'))
  const last = Number(/^port = '(\d+)'$/m.exec(previous ?? '')?.[1])
  if (last > 0 && (await isPortFree(last))) return last
  for (let tries = 0; tries < 100; tries += 1) {
    // Below the ports for outgoing connections. Such a connection, even a client of ours that reaches itself, could
    // otherwise occupy the port when the server has to return to it.
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (await isPortFree(port)) return port
  }
  throw new EmbeddedPostgresError('No free port between 20000 and 29999 on 127.0.0.1 for Postgres.')
}

export async function isPortFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/**
 * Whether the postmaster still accepts new connections. For a moment after kill -9 the process is still listed and
 * listens, and its backends still answer. Only a new backend answers an SSLRequest, and a dead postmaster makes none.
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-SSL
 */
export async function answersNewcomers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])))
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(5_000, () => end(false))
    socket.once('data', () => end(true))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
}

export function checkSettings(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(name) || value.includes('\0')) {
      throw new EmbeddedPostgresError(`"${name}" is not a Postgres setting.`)
    }
    if (FIXED.includes(name.toLowerCase())) {
      throw new EmbeddedPostgresError(`The embedded Postgres chooses ${name} itself; remove it from the settings.`)
    }
  }
}

async function writeSettings(place: Place, settings: Record<string, string>, port: number): Promise<void> {
  // The whole file is written at each start, so that a setting no longer given returns to its default.
  const lines = Object.entries({ ...DEFAULTS, ...settings, port: String(port) }).map(([name, value]) => {
    const quoted = value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    return `${name} = '${quoted}'\n`
  })
  const file = join(place.dataDir, 'wherry.conf')
  await writeFile(`${file}.draft`, lines.join(''), { mode: 0o600 })
  await giveToServer(place, `${file}.draft`)
  await rename(`${file}.draft`, file)
}

/** Answers the position in the log where this start begins. Creates the file, because the server's user may not. */
async function prepareLog(place: Place): Promise<number> {
  const size = (await ifPresent(stat(place.logFile)))?.size ?? 0
  if (size > LOG_LIMIT_BYTES) await rename(place.logFile, `${place.logFile}.1`)
  await (await open(place.logFile, 'a', 0o600)).close()
  await giveToServer(place, place.logFile)
  return size > LOG_LIMIT_BYTES ? 0 : size
}

async function readLogTail(place: Place, from: number): Promise<string> {
  const text = (await ifPresent(readFile(place.logFile))) ?? Buffer.alloc(0)
  return text
    .subarray(Math.max(from, text.length - 4096))
    .toString()
    .trim()
    .split('\n')
    .slice(-20)
    .join('\n')
}

async function giveToServer({ user }: Place, ...paths: string[]): Promise<void> {
  if (user === undefined) return
  for (const path of paths) await chown(path, user.uid, user.gid)
}
