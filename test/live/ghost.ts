import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installPackages } from './install-packages.ts'
import { keepRunning } from './keep-running.ts'
import { type Place, restart } from './place.ts'
import type { LiveTool } from './wordpress.ts'

const run = promisify(execFile)

const place = '/tmp/wherry-live/ghost'
const app = join(place, 'app')
const version = '6.65.0'
/** Ghost 6 requires Node 22; its SQLite aborts on newer versions. */
const nodePackage = `node-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`
const nodeVersion = '22.23.3'
const nodeHome = join(place, 'node/node_modules', nodePackage)

export interface LiveGhost extends LiveTool, Place {
  /** The owner's key. It may also import whole sites, which is the only way to create authors. */
  staffKey: string
  /** Stops Ghost in the middle of its work, and starts it again at the same address. */
  restart(): Promise<void>
}

/**
 * Starts Ghost from npm with its own SQLite, only on loopback. Needs root (it runs as www-data), a compiler and npm.
 */
export async function startGhost(name: string): Promise<LiveGhost> {
  await install()
  const root = join(place, name)
  await rm(root, { recursive: true, force: true })
  for (const folder of ['log', 'mail']) await mkdir(join(root, folder), { recursive: true })
  for (const folder of ['adapters', 'data', 'files', 'images', 'logs', 'media', 'public', 'settings'])
    await mkdir(join(root, 'content', folder), { recursive: true })
  await cp(join(app, 'content/themes'), join(root, 'content/themes'), { recursive: true })
  await symlink(app, join(root, 'current'))
  const url = `http://127.0.0.1:${await freePort()}`
  await writeSite(root, url)
  await run('chown', ['-R', 'www-data:', root])
  const pidFile = join(root, 'web.pid')
  const server = keepRunning(pidFile, () => launch(root))
  const stop = async () => {
    await server.stop()
    await rm(root, { recursive: true, force: true })
  }
  try {
    await untilItAnswers(url, server.ends)
    const { admin, staff } = await setUp(url)
    const place: Place = {
      url,
      access: { instanceUrl: url, username: null, token: admin },
      mailFolder: join(root, 'mail'),
      folder: root,
      database: null,
      pidFile,
    }
    const mailsAtFirst = (await readdir(place.mailFolder)).length
    return {
      ...place,
      staffKey: staff,
      mails: async () => (await readdir(place.mailFolder)).length - mailsAtFirst,
      async restart() {
        const ends = server.ends()
        await restart(place)
        while (server.ends() === ends) await sleep(50)
        await untilItAnswers(url)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The package bundles dependencies, so it is installed as a project, with the pnpm that it names. */
async function install(): Promise<void> {
  if (await stat(join(place, 'complete')).catch(() => null)) return
  // Ghost's SQLite is compiled here.
  await installPackages(['make', 'g++', 'python3'])
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  for (const folder of ['node', 'pnpm']) {
    await mkdir(join(place, folder), { recursive: true })
    await writeFile(join(place, folder, 'package.json'), '{"private":true}')
  }
  await run('npm', ['install', ...quiet, `${nodePackage}@${nodeVersion}`], { cwd: join(place, 'node') })
  const unpacked = join(place, `unpack-${process.pid}`)
  await mkdir(unpacked, { recursive: true })
  await run('npm', ['pack', '--loglevel=error', `ghost@${version}`], { cwd: unpacked })
  await run('tar', ['xzf', `ghost-${version}.tgz`], { cwd: unpacked })
  await rm(app, { recursive: true, force: true })
  await rename(join(unpacked, 'package'), app)
  await rm(unpacked, { recursive: true, force: true })
  const { packageManager } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8')) as { packageManager: string }
  await run('npm', ['install', ...quiet, packageManager.replace(/\+.*$/, '')], { cwd: join(place, 'pnpm') })
  const env = {
    ...process.env,
    PATH: `${nodeHome}/bin:${place}/pnpm/node_modules/.bin:${process.env.PATH}`,
    npm_config_nodedir: nodeHome,
    CI: '1',
  }
  const store = ['--store-dir', join(place, 'store')]
  const options = { cwd: app, env, maxBuffer: 64 * 1024 * 1024 }
  await run('pnpm', ['install', '--prod', '--frozen-lockfile', '--ignore-scripts', ...store], options)
  await run('pnpm', ['rebuild', 'better-sqlite3'], options)
  await rm(join(place, 'store'), { recursive: true, force: true })
  await writeFile(join(place, 'complete'), version)
}

async function writeSite(root: string, url: string): Promise<void> {
  const config = {
    url,
    server: { host: '127.0.0.1', port: Number(new URL(url).port) },
    database: {
      client: 'better-sqlite3',
      connection: { filename: join(root, 'content/data/ghost.db') },
      useNullAsDefault: true,
    },
    mail: { from: 'noreply@example.test', transport: 'sendmail', options: { path: join(root, 'sendmail') } },
    paths: { contentPath: `${root}/content/` },
    privacy: { useTinfoil: true },
    security: { staffDeviceVerification: false },
    logging: { level: 'info', transports: ['stdout'] },
    process: 'local',
  }
  await writeFile(join(root, 'config.production.json'), JSON.stringify(config))
  await writeFile(join(root, 'sendmail'), `#!/bin/sh\ncat >"${root}/mail/$(date +%s%N)-$$.eml"\n`)
  await chmod(join(root, 'sendmail'), 0o755)
}

function launch(root: string): ChildProcess {
  const command = `exec '${nodeHome}/bin/node' current/index.js >>'${root}/log/ghost.log' 2>&1`
  return spawn('setpriv', ['--reuid=www-data', '--regid=www-data', '--init-groups', 'sh', '-c', command], {
    cwd: root,
    env: { PATH: `${nodeHome}/bin:/usr/bin:/bin`, HOME: root, LANG: 'C.UTF-8', NODE_ENV: 'production' },
    detached: true,
    stdio: 'ignore',
  })
}

async function untilItAnswers(url: string, ends = () => 0): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    const isUp = await fetch(`${url}/ghost/api/admin/site/`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isUp) return
    if (turn === 480 || ends() > 0) throw new Error('Ghost does not start')
    await sleep(250)
  }
}

/** Creates an account, an integration and their keys, as the owner does in the browser. */
async function setUp(url: string): Promise<{ admin: string; staff: string }> {
  const password = randomBytes(18).toString('base64url')
  const email = 'owner@example.test'
  let cookie = ''
  const call = async (method: string, route: string, body?: object) => {
    const answer = await fetch(`${url}/ghost/api/admin${route}`, {
      method,
      headers: { origin: url, cookie, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
    cookie ||= answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return text.startsWith('{') ? JSON.parse(text) : null
  }
  await call('POST', '/authentication/setup/', {
    setup: [{ name: 'Owner Ö', email, password, blogTitle: 'Live & odd' }],
  })
  await call('POST', '/session/', { username: email, password })
  const made = await call('POST', '/integrations/?include=api_keys', { integrations: [{ name: 'live' }] })
  const keys = made.integrations[0].api_keys as { id: string; type: string; secret: string }[]
  const { apiKey } = await call('GET', '/users/me/token/')
  const keyOf = ({ id, secret }: { id: string; secret: string }) => (secret.includes(':') ? secret : `${id}:${secret}`)
  const admin = keys.find(({ type }) => type === 'admin')
  if (!admin) throw new Error('an integration without a key')
  // A new site starts with a post and a page, whose pictures are on a remote server.
  for (const kind of ['posts', 'pages']) {
    for (const { id } of (await call('GET', `/${kind}/?fields=id`))[kind]) await call('DELETE', `/${kind}/${id}/`)
  }
  return { admin: keyOf(admin), staff: keyOf(apiKey) }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
