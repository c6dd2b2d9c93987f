// Prepares a fresh clone. This is plain JavaScript, because the machine's own Node may be older than ours.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(checkout, 'node_modules/.bin')
const children = new Set()

/** Runs a program with our own Node first on its path. Returns its exit code, or 1 if a signal ended it. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: checkout,
    stdio: 'inherit',
    ...options,
    env: { ...process.env, ...options.env, PATH: `${bin}:${process.env.PATH}` },
  })
  children.add(child)
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code) => {
      children.delete(child)
      done(code ?? 1)
    })
  })
}

/** Passes signals on to the running programs, and stops them when the program that started us ends. */
export function passSignalsOn() {
  const pass = (signal) => {
    for (const child of children) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal))
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) pass('SIGTERM')
  }, 500).unref()
}

/** Installs the packages of the lockfile unless they are installed. */
export async function install() {
  const stamp = join(checkout, 'node_modules/.wherry-installed')
  const wanted = hashOf(['package-lock.json'])
  if (readIfThere(stamp) === wanted) return
  console.log('Installing packages (first start only; about a minute) …')
  // npm would warn that the machine's Node is too old. Our own Node, which comes with the packages, is new enough.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  if ((await run('npm', args)) !== 0) fail('npm ci failed; its message stands above.')
  writeFileSync(stamp, wanted)
}

/**
 * The Node that runs all other programs: the one from our lockfile or, if it has none for the platform, the machine's.
 */
export function ourNode() {
  const pinned = join(bin, 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail('Wherry needs Node 24, and none comes with our packages for this platform. Please install Node 24.')
}

/** Builds the web part unless the build is up to date. */
export async function buildWeb() {
  const stamp = join(checkout, 'web/dist/.built-from')
  const wanted = hashOf([...filesBelow('web').filter((file) => !file.startsWith('web/dist/')), 'package-lock.json'])
  if (readIfThere(stamp) === wanted) return
  console.log('Building the portal …')
  const build = ['run', 'build', '--silent', '-w', 'web', '--', '--logLevel', 'warn']
  if ((await run('npm', build)) !== 0) fail('The portal could not be built.')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.digest('hex')
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** All files below a folder of the checkout, with paths relative to the checkout. */
export function filesBelow(folder) {
  return readdirSync(join(checkout, folder))
    .filter((name) => name !== 'node_modules')
    .map((name) => `${folder}/${name}`)
    .sort()
    .flatMap((path) => (statSync(join(checkout, path)).isDirectory() ? filesBelow(path) : [path]))
}
