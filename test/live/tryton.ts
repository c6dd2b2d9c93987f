import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { installPackages } from './install-packages.ts'
import { keepRunning } from './keep-running.ts'
import type { Place } from './place.ts'
import { seedTryton, signIn } from './tryton-seed.ts'

const run = promisify(execFile)

export interface LiveTool extends Place {
  /** The number of mails that Tryton has tried to send. */
  mails(): Promise<number>
  stop(): Promise<void>
}

const base = join(tmpdir(), 'wherry-live-tryton')
/** Neither Postgres nor trytond may run as root. */
const user = 'nobody'
const modules = ['party', 'party_relationship', 'sale_opportunity']
const packages = [
  'tryton-server',
  ...modules.map((name) => `tryton-modules-${name.replaceAll('_', '-')}`),
  'python3-psycopg2',
  'python3-bcrypt',
  'python3-phonenumbers',
  'postgresql',
]

/** Starts a new Tryton, empty except for the seed, on a free port of this machine. Needs root and Debian's packages. */
export async function startTryton(
  name: string,
  seed: (access: AccountAccess) => Promise<unknown> = seedTryton,
): Promise<LiveTool> {
  await installPackages(packages)
  const root = join(base, name)
  await rm(root, { recursive: true, force: true })
  for (const folder of ['sock', 'files', 'mail']) await mkdir(join(root, folder), { recursive: true })
  const trap = await startMailTrap(join(root, 'mail'))
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  await writeFile(
    join(root, 'trytond.conf'),
    `[web]\nlisten = 127.0.0.1:${port}\n[database]\nuri = postgresql://tryton@/?host=${join(root, 'sock')}\npath = ${join(root, 'files')}\nlist = False\n[email]\nuri = smtp://127.0.0.1:${trap.port}\n`,
  )
  await writeFile(join(root, 'password'), `${password}\n`)
  await run('chown', ['-R', `${user}:`, root])
  await startPostgres(root)
  await prepareDatabase(root)
  const pidFile = join(root, 'web.pid')
  const server = keepRunning(pidFile, () => startServer(root))
  const access = { instanceUrl: `http://127.0.0.1:${port}/crm`, username: 'admin', token: password }
  const stop = async () => {
    await server.stop()
    await asUser(root, [postgres('pg_ctl'), '-D', join(root, 'pg'), '-m', 'immediate', '-w', 'stop'])
    await trap.close()
    await rm(root, { recursive: true, force: true })
  }
  try {
    await untilItAnswers(access, server.ends)
    await seed(access)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: access.instanceUrl,
    access,
    mailFolder: join(root, 'mail'),
    folder: root,
    database: { host: join(root, 'sock'), user: 'tryton', database: 'crm' },
    pidFile,
    mails: async () => trap.connections(),
    stop,
  }
}

function postgres(program: string): string {
  const [newest] = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
  return `/usr/lib/postgresql/${newest}/bin/${program}`
}

const setpriv = ['--reuid', user, '--regid', 'nogroup', '--clear-groups', '--']
const environment = (root: string) => ({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: root, LANG: 'C.UTF-8' })

async function asUser(root: string, command: string[], more: Record<string, string> = {}): Promise<void> {
  await run('setpriv', [...setpriv, ...command], { cwd: root, env: { ...environment(root), ...more } })
}

async function startPostgres(root: string): Promise<void> {
  const data = join(root, 'pg')
  await asUser(root, [
    postgres('initdb'),
    '-D',
    data,
    '-U',
    'tryton',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ])
  const options = `-c listen_addresses='' -c unix_socket_directories=${join(root, 'sock')} -c fsync=off -c jit=off`
  await asUser(root, [postgres('pg_ctl'), '-D', data, '-l', join(root, 'postgres.log'), '-o', options, '-w', 'start'])
  await asUser(root, [postgres('createdb'), '-h', join(root, 'sock'), '-U', 'tryton', 'crm'])
}

/** Activating the modules takes minutes, so the fresh database is stored for the next time. */
async function prepareDatabase(root: string): Promise<void> {
  const dump = join(base, `fresh-${modules.join('-')}.dump`)
  const connection = ['-h', join(root, 'sock'), '-U', 'tryton']
  const admin = ['/usr/bin/trytond-admin', '-c', join(root, 'trytond.conf'), '-d', 'crm']
  const passFile = { TRYTONPASSFILE: join(root, 'password') }
  if (existsSync(dump)) {
    await run(postgres('pg_restore'), [...connection, '-d', 'crm', dump])
    await asUser(root, [...admin, '-p'], passFile)
  } else {
    const activate = ['-u', 'ir', ...modules, '--activate-dependencies', '--email', 'admin@example.test']
    await asUser(root, [...admin, ...activate], passFile)
    await run(postgres('pg_dump'), [...connection, '-Fc', '-f', `${dump}.new`, 'crm'])
    await rename(`${dump}.new`, dump)
  }
  await rm(join(root, 'password'))
}

function startServer(root: string): ChildProcess {
  const command = ['/usr/bin/python3', '/usr/bin/trytond', '-c', join(root, 'trytond.conf')]
  return spawn('setpriv', [...setpriv, ...command], {
    cwd: root,
    env: environment(root),
    detached: true,
    stdio: 'ignore',
  })
}

async function untilItAnswers(access: AccountAccess, ends: () => number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (ends() > 0) throw new Error('trytond ended at once')
    const isThere = await signIn(access).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  throw new Error('trytond does not answer')
}

/** Nothing here should send mail. Every connection is counted, and leaves a file. */
async function startMailTrap(folder: string): Promise<{ port: number; connections(): number; close(): Promise<void> }> {
  let connections = 0
  const server = await listen(
    createServer((socket) => {
      connections += 1
      writeFileSync(join(folder, String(connections)), '')
      socket.destroy()
    }),
  )
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function freePort(): Promise<number> {
  const server = await listen(createServer())
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function listen(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
