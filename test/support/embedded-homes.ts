import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, expect } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../service/src/db/embedded-postgres.ts'

const sources = fileURLToPath(new URL('../../service/src/db/', import.meta.url))
export const LIMIT = { timeout: 900_000 }
export const isRoot = process.getuid?.() === 0
export const NOBODY = 65_534
export const outside = '/var/lib/wherry/'

const folders: string[] = []
export const handles: EmbeddedPostgres[] = []
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

export async function newFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-embedded-'))
  folders.push(folder)
  await chmod(folder, mode)
  return folder
}

export async function openAt(home: string, options: { settings?: Record<string, string>; notices?: string[] } = {}) {
  const { settings = {}, notices = [] } = options
  const handle = await openEmbeddedPostgres({ home, settings, onNotice: (line) => notices.push(line) })
  handles.push(handle)
  return handle
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 300_000; !(await condition()); await sleep(10)) {
    if (Date.now() > limit) throw new Error('the awaited condition did not come true within 5 minutes')
  }
}

/** Living processes that run in the folder or name it. A zombie process does neither. */
export function processesOn(folder: string): number[] {
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

export function killAll(folder: string): void {
  for (const pid of processesOn(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process ended between listing and reading it.
    }
  }
}

export async function postmasterOf(handle: EmbeddedPostgres): Promise<number> {
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

/** Another Node process that opens the home. `next` returns its next line, parsed. */
export function startChild(home: string, options: ChildOptions = {}) {
  const { node = process.execPath, file = join(sources, 'embedded-postgres.ts') } = options
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

/**
 * Copies Wherry's packages for opening a database into a separate folder, as after an install with blocked install
 * scripts.
 */
export async function copyInstallation(folder: string): Promise<{ node: string; file: string; links: string[] }> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = join(dirname(createRequire(import.meta.url).resolve(platform)), '..', '..', '..')
  const packages = (await readdir(root)).filter((name) => /^(pg|postgres|split2|xtend)/.test(name))
  for (const name of [...packages, platform]) {
    await cp(join(root, name), join(folder, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of await readdir(sources)) {
    if (/^embedded-postgres(?!.*test)/.test(name)) await cp(join(sources, name), join(folder, 'src', name))
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await cp(process.execPath, join(folder, 'node'))
  const native = join(folder, 'node_modules', platform)
  const listed = JSON.parse(await readFile(join(native, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  const links = listed.map(({ target }) => join(native, target))
  for (const link of links) await rm(link)
  return { node: join(folder, 'node'), file: join(folder, 'src', 'embedded-postgres.ts'), links }
}
