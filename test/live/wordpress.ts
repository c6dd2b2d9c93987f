import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { installPackages } from './install-packages.ts'
import { keepRunning, signalGroup } from './keep-running.ts'
import type { Place } from './place.ts'

const run = promisify(execFile)

const place = '/tmp/wherry-live/wordpress'
const code = join(place, 'code')
const packages = ['php-cli', 'php-mysql', 'php-gd', 'php-xml', 'php-mbstring', 'php-getid3', 'mariadb-server']

export interface LiveTool {
  url: string
  access: AccountAccess
  /** The number of mails that WordPress has tried to send; none leaves the machine. */
  mails(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts Debian's WordPress on PHP's own web server with its own database, both only on loopback. Needs root, for apt.
 */
export async function startWordpress(name: string): Promise<LiveTool & Place> {
  await install()
  const root = join(place, name)
  await rm(root, { recursive: true, force: true })
  for (const folder of ['db', 'log', 'mail']) await mkdir(join(root, folder), { recursive: true })
  await cp(code, join(root, 'site'), { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await writeSite(root, url)
  await run('chown', ['-R', 'www-data:', root])
  await asUser(root, [
    'mariadb-install-db',
    '--no-defaults',
    `--datadir=${root}/db`,
    '--auth-root-authentication-method=normal',
  ])
  const database = daemon(root, 'db', [
    'mariadbd',
    '--no-defaults',
    `--datadir=${root}/db`,
    `--socket=${root}/db.sock`,
    '--skip-networking',
    '--innodb-flush-log-at-trx-commit=0',
    '--character-set-server=utf8mb4',
  ])
  const sql = (query: string) =>
    asUser(root, ['mariadb', '--no-defaults', `--socket=${root}/db.sock`, '-u', 'root', '-e', query])
  await until(() => sql('create database if not exists wordpress'))
  await asUser(root, ['php', ...phpOptions(root), `${root}/setup.php`])
  const site = ['-S', `127.0.0.1:${port}`, '-t', `${root}/site`, `${root}/router.php`]
  const pidFile = join(root, 'web.pid')
  const web = keepRunning(pidFile, () => launch(root, 'web', ['php', ...phpOptions(root), ...site]))
  const token = await readFile(join(root, 'token'), 'utf8')
  await until(async () => {
    if (!(await fetch(`${url}/?rest_route=/`)).ok) throw new Error('not yet')
  })
  return {
    url,
    access: { instanceUrl: url, username: 'admin', token },
    mailFolder: join(root, 'mail'),
    folder: root,
    database: null,
    pidFile,
    mails: async () => (await readdir(join(root, 'mail'))).length,
    async stop() {
      await web.stop()
      await database.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** The package is unpacked, not installed, because it would bring a web server. */
async function install(): Promise<void> {
  await installPackages(packages)
  if (await stat(code).catch(() => null)) return
  const unpacked = join(place, `unpack-${process.pid}`)
  await mkdir(unpacked, { recursive: true })
  await run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', 'wordpress'], { cwd: unpacked })
  for (const file of await readdir(unpacked)) await run('dpkg', ['-x', file, '.'], { cwd: unpacked })
  const site = join(unpacked, 'usr/share/wordpress')
  await rm(join(site, 'wp-content/languages'), { recursive: true, force: true })
  await rm(join(site, 'wp-config.php'), { force: true })
  await mkdir(join(site, 'wp-content/uploads'), { recursive: true })
  await rename(site, code)
  await rm(unpacked, { recursive: true, force: true })
}

const phpOptions = (root: string) =>
  [
    `sendmail_path=${root}/sendmail`,
    `error_log=${root}/log/php.log`,
    'log_errors=1',
    'display_errors=0',
    'upload_max_filesize=16M',
    'post_max_size=16M',
    'memory_limit=256M',
    'date.timezone=UTC',
  ].flatMap((option) => ['-d', option])

async function writeSite(root: string, url: string): Promise<void> {
  const keys = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [`${name}_KEY`, `${name}_SALT`])
  const constants: [string, string | boolean][] = [
    ...keys.map((name): [string, string] => [name, randomBytes(32).toString('hex')]),
    ['DB_NAME', 'wordpress'],
    ['DB_USER', 'root'],
    ['DB_PASSWORD', ''],
    ['DB_HOST', `localhost:${root}/db.sock`],
    ['DB_CHARSET', 'utf8mb4'],
    ['DB_COLLATE', ''],
    ['WP_HOME', url],
    ['WP_SITEURL', url],
    // Lets application passwords be used without TLS.
    ['WP_ENVIRONMENT_TYPE', 'local'],
    ['WP_HTTP_BLOCK_EXTERNAL', true],
    ['DISABLE_WP_CRON', true],
    ['AUTOMATIC_UPDATER_DISABLED', true],
  ]
  const defines = constants.map(
    ([name, value]) => `define('${name}', ${typeof value === 'string' ? `'${value}'` : value});`,
  )
  await writeFile(
    join(root, 'site/wp-config.php'),
    `<?php\n${defines.join('\n')}\n$table_prefix = 'wp_';\nif (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');\nrequire_once ABSPATH . 'wp-settings.php';\n`,
  )
  await writeFile(
    join(root, 'router.php'),
    `<?php\n$path = rawurldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));\nif ($path !== '/' && is_file('${root}/site' . $path) && !str_ends_with($path, '.php')) return false;\nchdir('${root}/site');\nrequire '${root}/site/index.php';\n`,
  )
  await writeFile(
    join(root, 'setup.php'),
    `<?php\ndefine('WP_INSTALLING', true);\n$_SERVER['HTTP_HOST'] = '${new URL(url).host}';\nrequire '${root}/site/wp-load.php';\nrequire ABSPATH . 'wp-admin/includes/upgrade.php';\nwp_install('Live &amp; odd', 'admin', 'admin@example.test', true, '', '${randomBytes(12).toString('hex')}');\nupdate_option('timezone_string', 'Europe/Berlin');\nupdate_option('permalink_structure', '/%year%/%postname%/');\n[$password] = WP_Application_Passwords::create_new_application_password(1, ['name' => 'live']);\nfile_put_contents('${root}/token', $password);\n`,
  )
  await writeFile(join(root, 'sendmail'), `#!/bin/sh\ncat >"${root}/mail/$(date +%s%N)-$$.eml"\n`)
  await chmod(join(root, 'sendmail'), 0o755)
}

/** Neither PHP nor the database runs as root. */
const userCommand = (command: string[]) => ['--reuid=www-data', '--regid=www-data', '--init-groups', ...command]
const environment = (root: string) => ({
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: root,
  LANG: 'C.UTF-8',
  PHP_CLI_SERVER_WORKERS: '4',
})
const asUser = (root: string, command: string[]) =>
  run('setpriv', userCommand(command), { cwd: root, env: environment(root) })

/** Starts the command in its own process group, so that the web server's workers end with it. */
function launch(root: string, log: string, command: string[]): ChildProcess {
  const quoted = command.map((word) => `'${word}'`).join(' ')
  return spawn('setpriv', userCommand(['sh', '-c', `exec ${quoted} >>'${root}/log/${log}.log' 2>&1`]), {
    cwd: root,
    env: environment(root),
    detached: true,
    stdio: 'ignore',
  })
}

function daemon(root: string, log: string, command: string[]) {
  const child = launch(root, log, command)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    async stop() {
      signalGroup(child.pid, 'SIGTERM')
      await ended
    },
  }
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

async function until(act: () => Promise<unknown>, turns = 240): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      await act()
      return
    } catch (error) {
      if (turn === turns) throw error
      await sleep(250)
    }
  }
}
