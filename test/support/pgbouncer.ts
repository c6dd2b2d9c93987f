import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from './free-port.ts'

const program = ['/usr/sbin/pgbouncer', 'pgbouncer'].find((place) => spawnSync(place, ['--version']).status === 0)
export const hasPgbouncer = program !== undefined

/** The reason why tests behind a real PgBouncer are skipped here. */
export const pgbouncerMissing = 'PgBouncer is missing (Debian package "pgbouncer"): nothing is tested behind it.'

/**
 * A real PgBouncer in transaction mode, configured as docs/operations.md says, with `size` connections to the server.
 */
export async function startPgbouncer(databaseUrl: string, { size = 15 }: { size?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-pgbouncer-'))
  await chmod(folder, 0o755)
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const database = decodeURIComponent(pathname.slice(1))
  const ownPort = await findFreePort()
  const server = `host=${hostname} port=${port || 5432} dbname=${database} user=${decodeURIComponent(username)}`
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
${database} = ${server} password=${decodeURIComponent(password)}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 500
ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout, lock_timeout, options
`,
    { mode: 0o644 },
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const child = spawn(String(program), ['--quiet', settings], { ...user, stdio: 'ignore' })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${ownPort}`
  await untilAnswering(url.href, child)
  return {
    url: url.href,
    async close(): Promise<void> {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }))

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    const answers = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (answers) return
    await sleep(50)
  }
}
