import { execFile, spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPackages } from './install-packages.ts'
import { keepRunning } from './keep-running.ts'
import type { Place } from './place.ts'
import { rawMails } from './rt-mails.ts'
import { rtMailGate, rtMailSeed, rtSetup, siteConfig } from './rt-perl.ts'
import { seedRt } from './rt-seed.ts'

// Starts a real Request Tracker 5 of Debian on a free loopback port, with its own Postgres. Needs root, which it drops.
// `node test/live/rt.ts` starts a source with odd data and an empty destination, and prints the settings for
// rt.live.test.ts.

const run = promisify(execFile)
const serverPath = '/usr/share/request-tracker5/libexec/rt-server'
const packages = ['request-tracker5', 'rt5-db-postgresql', 'rt5-standalone', 'postgresql', 'msmtp-mta', 'curl']
/** The user id of www-data, which is the same on every Debian. */
const user = 33

export interface LiveRt extends Place {
  mails(): Promise<number>
  stop(): Promise<void>
}

export async function startRt(name: string, options: { isSeeded?: boolean } = {}): Promise<LiveRt> {
  await installPackages(packages, 'request-tracker5 request-tracker5/dbconfig-install boolean false\n')
  const folder = await mkdtemp(join(tmpdir(), `live-rt-${name}-`))
  for (const part of ['', 'socket', 'mail', 'mason', 'site.d']) {
    await mkdir(join(folder, part), { recursive: true })
    await chown(join(folder, part), user, user)
  }
  const port = await freePort()
  const env = {
    PATH: '/usr/sbin:/usr/bin:/bin',
    HOME: folder,
    LANG: 'C.UTF-8',
    RT_SITE_CONFIG: join(folder, 'RT_SiteConfig.pm'),
    RT_SITE_CONFIG_DIR: join(folder, 'site.d'),
  }
  const asUser = { uid: user, gid: user, cwd: folder, env, maxBuffer: 16 * 1024 * 1024 }
  const write = async (file: string, text: string) => {
    await writeFile(join(folder, file), text)
    await chown(join(folder, file), user, user)
  }
  await write('RT_SiteConfig.pm', siteConfig(folder, port))
  await write('setup.pl', rtSetup)
  await write('mail-seed.pl', rtMailSeed)
  await write('mail-gate.pl', rtMailGate)
  for (const [index, mail] of rawMails.entries()) await write(`mail-${index}.eml`, mail)
  await write('root-password', crypto.randomUUID())

  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    stops.push((await startPostgres(folder, asUser)).stop)
    const password = join(folder, 'root-password')
    await run('rt-setup-database-5', ['--action', 'init', '--skip-create', '--root-password-file', password], asUser)
    const token = (await run('perl', [join(folder, 'setup.pl')], asUser)).stdout.trim()
    const listen = ['--server', 'Starlet', '--host', '127.0.0.1', '--port', String(port), '--max-workers', '2']
    const pidFile = join(folder, 'web.pid')
    const server = keepRunning(pidFile, () => spawn(serverPath, listen, { ...asUser, detached: true, stdio: 'ignore' }))
    stops.push(() => server.stop())
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, token, server.ends)
    if (options.isSeeded) {
      await seedRt(url, token, () => run('perl', [join(folder, 'mail-seed.pl')], asUser))
      await run('perl', ['mail-gate.pl', ...rawMails.keys().map((index) => `mail-${index}.eml`)], asUser)
    }
    return {
      url,
      access: { instanceUrl: url, username: null, token },
      folder,
      mailFolder: join(folder, 'mail'),
      database: { host: join(folder, 'socket'), user: 'rt', database: 'rt' },
      pidFile,
      mails: () => countMails(folder),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Counts the sent mails, which are kept in files. */
export async function countMails(folder: string): Promise<number> {
  const files = (await readdir(join(folder, 'mail'))).filter((file) => file.endsWith('.mbox'))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, 'mail', file), 'utf8')))
  return texts.reduce((sum, text) => sum + (text.match(/^From www-data@/gm)?.length ?? 0), 0)
}

async function startPostgres(folder: string, asUser: object) {
  const versions = (await readdir('/usr/lib/postgresql')).sort((a, b) => Number(b) - Number(a))
  const bin = (tool: string) => join('/usr/lib/postgresql', versions[0] ?? '', 'bin', tool)
  const data = join(folder, 'pg')
  await run(bin('initdb'), ['-D', data, '-U', 'rt', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'], asUser)
  const settings = `-c listen_addresses='' -c unix_socket_directories='${join(folder, 'socket')}' -c fsync=off`
  await run(bin('pg_ctl'), ['-D', data, '-o', settings, '-l', join(folder, 'postgres.log'), '-w', 'start'], asUser)
  await run(bin('createdb'), ['-h', join(folder, 'socket'), '-U', 'rt', 'rt'], asUser)
  return { stop: () => run(bin('pg_ctl'), ['-D', data, '-m', 'fast', '-w', 'stop'], asUser) }
}

async function untilReady(url: string, token: string, ends: () => number): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if (ends() > 0) throw new Error('Request Tracker ended while it was starting')
    const answer = await fetch(`${url}/REST/2.0/rt`, { headers: { authorization: `token ${token}` } }).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('Request Tracker did not answer')
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

if (import.meta.main) {
  const source = await startRt('source', { isSeeded: true })
  const destination = await startRt('destination')
  const told = ({ access, folder }: LiveRt) => ({ access, folder })
  console.log(`WHERRY_LIVE_RT='${JSON.stringify({ source: told(source), destination: told(destination) })}'`)
  const stop = async () => {
    await Promise.all([source.stop(), destination.stop()])
    process.exit(0)
  }
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
}
