import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { installPackages } from './install-packages.ts'
import { keepRunning } from './keep-running.ts'
import type { Place } from './place.ts'

// A real Redmine: Debian's package with its own Postgres, on a free port of the loopback interface.

export interface LiveTool extends Place {
  /** Number of mails sent so far; none leaves the machine. */
  mails(): Promise<number>
  /** Runs Ruby inside Redmine, for tasks that the API cannot do. */
  run(ruby: string): Promise<string>
  stop(): Promise<void>
}

const execute = promisify(execFile)
const app = '/usr/share/redmine'
const packages = ['redmine', 'redmine-pgsql', 'puma', 'postgresql']
/** Neither Postgres nor the web server runs as root. */
const owner = 'www-data'
const startLimitMs = 120_000

/**
 * Starts a fresh instance each time. `name` distinguishes two instances; the instance named `source` sends mails about
 * notes.
 */
export async function startRedmine(name: string): Promise<LiveTool> {
  if (process.getuid?.() !== 0) throw new Error('Redmine is installed and started as root; it then runs as www-data')
  await installPackages(packages, 'redmine redmine/instances/default/dbconfig-install boolean false\n')
  // A failed start leaves nothing behind.
  await using cleanup = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), `wherry-redmine-${name}-`))
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  const instance = basename(root)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
  const port = await findPort()
  const binaries = await findPostgres()
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: root,
    LANG: 'C.UTF-8',
    RAILS_ENV: 'production',
    REDMINE_INSTANCE: instance,
    REDMINE_LANG: 'en',
    SCHEMA: '/dev/null',
  }
  const as = ['--reuid', owner, '--regid', owner, '--init-groups']
  const act = async (command: string, parameters: string[], more: Record<string, string> = {}) => {
    const options = { cwd: app, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 }
    return (await execute('setpriv', [...as, command, ...parameters], options)).stdout
  }
  const paths = await writeSite(root)
  await execute('chown', ['-R', `${owner}:`, root])
  await symlink(paths.site, `/var/lib/redmine/${instance}`)
  cleanup.defer(() => rm(`/var/lib/redmine/${instance}`, { force: true }))

  const data = join(root, 'pg')
  const control = (...parameters: string[]) => act(join(binaries, 'pg_ctl'), ['-D', data, '-w', ...parameters])
  await act(join(binaries, 'initdb'), [
    '-D',
    data,
    '-U',
    'redmine',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ])
  const settings = `-c listen_addresses='' -c unix_socket_directories='${paths.socket}' -c fsync=off`
  await control('-l', join(root, 'postgres.log'), '-o', settings, 'start')
  cleanup.defer(async () => {
    await control('-m', 'immediate', 'stop')
  })
  await act(join(binaries, 'createdb'), ['-h', paths.socket, '-U', 'redmine', 'redmine'])

  await act('bundle', ['exec', 'rake', 'db:migrate'])
  const keyFile = join(root, 'key')
  const setup = join(root, 'setup.rb')
  await writeFile(setup, await readFile(join(import.meta.dirname, 'redmine-setup.rb')))
  await act('bundle', ['exec', 'rails', 'runner', setup], {
    KEY_FILE: keyFile,
    HOST_NAME: `127.0.0.1:${port}`,
    SILENT: name === 'source' ? '0' : '1',
  })
  const token = (await readFile(keyFile, 'utf8')).trim()

  const url = `http://127.0.0.1:${port}`
  const puma = ['puma', '-e', 'production', '-b', `tcp://127.0.0.1:${port}`, '-t', '4:4', '--dir', app]
  const web = keepRunning(join(root, 'web.pid'), () =>
    spawn('setpriv', [...as, ...puma, `${app}/config.ru`], { cwd: app, env, detached: true, stdio: 'ignore' }),
  )
  cleanup.defer(() => web.stop())
  await waitUntilReady(url, token)

  const running = cleanup.move()
  return {
    url,
    access: { instanceUrl: url, username: null, token },
    mails: () => countMails(paths.mail),
    mailFolder: paths.mail,
    folder: root,
    database: { host: paths.socket, user: 'redmine', database: 'redmine' },
    pidFile: join(root, 'web.pid'),
    run: async (ruby) => {
      const file = join(root, 'run.rb')
      await writeFile(file, ruby)
      return await act('bundle', ['exec', 'rails', 'runner', file])
    },
    stop: () => running.disposeAsync(),
  }
}

async function findPostgres(): Promise<string> {
  const versions = (await readdir('/usr/lib/postgresql')).sort((a, b) => Number(a) - Number(b))
  return `/usr/lib/postgresql/${versions.at(-1)}/bin`
}

async function writeSite(root: string) {
  const site = join(root, 'site')
  const socket = join(root, 'socket')
  const mail = join(root, 'mail')
  for (const folder of ['config', 'log', 'files', 'tmp/cache', 'public/plugin_assets']) {
    await mkdir(join(site, folder), { recursive: true })
  }
  await mkdir(socket)
  await mkdir(mail)
  const database = {
    adapter: 'postgresql',
    database: 'redmine',
    host: socket,
    username: 'redmine',
    encoding: 'utf8',
    pool: 8,
  }
  const delivery = { delivery_method: ':file', file_settings: { location: mail } }
  // YAML reads JSON; only the name of the method is a Ruby symbol.
  await writeFile(join(site, 'config/database.yml'), JSON.stringify({ production: database }))
  await writeFile(
    join(site, 'config/configuration.yml'),
    `production:\n  email_delivery:\n    delivery_method: ${delivery.delivery_method}\n    file_settings:\n      location: ${delivery.file_settings.location}\n`,
  )
  await writeFile(join(site, 'config/secret_key.txt'), crypto.randomUUID().replaceAll('-', '').repeat(2))
  return { site, socket, mail }
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function waitUntilReady(url: string, token: string): Promise<void> {
  const limit = Date.now() + startLimitMs
  while (Date.now() < limit) {
    try {
      const answer = await fetch(`${url}/users/current.json`, { headers: { 'x-redmine-api-key': token } })
      if (answer.ok) return
    } catch {
      // The server is not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('Redmine did not answer in two minutes')
}

/** There is one file per recipient; each mail in it begins with its own id. */
export async function countMails(folder: string): Promise<number> {
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  return texts.reduce((sum, text) => sum + (text.match(/^Message-ID:/gim)?.length ?? 0), 0)
}
