import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { EmbeddedPostgresError, ifPresent, isCode, type Place, settlePlace } from './embedded-postgres-place.ts'
import { provideServiceRole, SERVICE_ROLE, servicePassword } from './embedded-postgres-role.ts'
import * as server from './embedded-postgres-server.ts'

export { EmbeddedPostgresError }

export interface EmbeddedPostgres {
  /** For the service, with a role of few rights; valid until `close`, also across `ensureRunning`. */
  url: string
  /** The same with the superuser, for the program that runs the server. The service never gets it. */
  adminUrl: string
  dataDir: string
  /** Restarts a dead server on the same port. Cheap if the server runs. */
  ensureRunning(): Promise<void>
  /** Leaves the server; the last process to leave stops it. */
  close(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  home: string
  /** Extra Postgres settings. They apply to a server that we start, not to one that already runs. */
  settings?: Record<string, string>
  onNotice?: (line: string) => void
}

const DATABASE = 'wherry'

/**
 * The advisory lock by which processes that share one embedded server know of each other. Each holds it shared while it
 * uses the server, and only a process that gets it exclusively may stop the server. The number is "wherry" in ASCII.
 * Advisory locks belong to one database. This one is in `postgres`, so that `wherry` can be dropped or cloned.
 */
const USERS_LOCK = '131290262303353'

const START_LIMIT_MS = 120_000
const LOCK_STALE_MS = 60_000

interface Membership {
  client: Client
  postmaster: server.Postmaster
  lost: boolean
}

/** Starts the home's own Postgres, creating it on first use, or joins the running one. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const launch = { settings: { ...options.settings }, notice: options.onNotice ?? (() => {}) }
  server.checkSettings(launch.settings)
  await mkdir(options.home, { recursive: true })
  const home = await realpath(options.home)

  const { place, first } = await withHomeLock(home, async () => {
    const place = await settlePlace(home)
    if (await server.initialise(place)) launch.notice(`Made a new database in ${place.dataDir}`)
    return { place, first: await reachServer(place, launch) }
  })
  const { port } = first.postmaster
  let membership = first
  let ensuring: Promise<void> | undefined
  let closing: Promise<void> | undefined

  async function ensure(): Promise<void> {
    if (await isWell(membership)) return
    await drop(membership)
    membership = await withHomeLock(home, () => reachServer(place, { ...launch, port }))
  }

  const urlFor = (role: string, password: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`
  return {
    url: urlFor(SERVICE_ROLE, servicePassword(place)),
    adminUrl: urlFor(server.SUPERUSER, place.password),
    dataDir: place.dataDir,
    async ensureRunning() {
      if (closing !== undefined) throw new EmbeddedPostgresError('The embedded Postgres was closed.')
      ensuring ??= ensure().finally(() => {
        ensuring = undefined
      })
      await ensuring
    },
    async close() {
      // The caller of a failed restart already has its error. Leaving goes on from the state after the failure.
      closing ??= (ensuring ?? Promise.resolve()).catch(() => {}).then(() => leave(place, membership, launch.notice))
      await closing
    },
  }
}

interface Launch {
  settings: Record<string, string>
  notice: (line: string) => void
  port?: number
}

/** Joins the running server or starts it; with a port, only on that port. Call with the home's lock held. */
async function reachServer(place: Place, { settings, notice, port }: Launch): Promise<Membership> {
  const giveUpAt = Date.now() + START_LIMIT_MS
  let untidy = false
  for (;;) {
    let failure: unknown
    const { running, leftover } = await server.findPostmaster(place.dataDir)
    untidy ||= running !== undefined || leftover
    if (running === undefined) {
      const chosen = port ?? (await server.choosePort(place.dataDir))
      try {
        await server.startServer(place, settings, chosen)
        notice(`Started Postgres on 127.0.0.1:${chosen}`)
        continue
      } catch (error) {
        // After a kill -9 the old backends live on for some seconds, and another program may have taken the port just now.
        // Any other refusal, such as a bad setting, would repeat itself.
        if (!untidy && (await server.isPortFree(chosen))) throw error
        failure = error
      }
    } else if (port !== undefined && running.port > 0 && running.port !== port) {
      throw new EmbeddedPostgresError(`Postgres now runs on port ${running.port} instead of ${port}: start again.`)
    } else {
      try {
        return await enroll(place, running)
      } catch (error) {
        if (error instanceof EmbeddedPostgresError) throw error
        failure = error
      }
    }
    if (Date.now() > giveUpAt) {
      const reason = failure instanceof Error ? failure.message : String(failure)
      throw new EmbeddedPostgresError(`No answer from Postgres in ${place.dataDir}: ${reason}`, { cause: failure })
    }
    await sleep(100)
  }
}

async function enroll(place: Place, postmaster: server.Postmaster): Promise<Membership> {
  const client = new Client({
    host: '127.0.0.1',
    port: postmaster.port,
    user: server.SUPERUSER,
    password: place.password,
    database: 'postgres',
    ssl: false,
    application_name: 'wherry presence',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5_000,
    query_timeout: START_LIMIT_MS,
    // A timeout for the whole server must not end this connection, which holds our lock.
    options: '-c idle_session_timeout=0 -c statement_timeout=0 -c lock_timeout=0',
  })
  const membership = { client, postmaster, lost: false }
  for (const sign of ['error', 'end'] as const) {
    client.on(sign, () => {
      membership.lost = true
    })
  }
  try {
    await client.connect()
    await client.query('SELECT pg_advisory_lock_shared($1)', [USERS_LOCK])
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (found.rows.length === 0) {
      await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: unknown) => {
        // duplicate_database or unique_violation: another opener created it between the two statements.
        if (!isCode(error, '42P04', '23505')) throw error
      })
    }
    await provideServiceRole(client, place, { port: postmaster.port, database: DATABASE })
    return membership
  } catch (cause) {
    await drop(membership)
    if (!isCode(cause, '28P01')) throw cause
    throw new EmbeddedPostgresError(
      `The database in ${place.dataDir} refuses the password kept for it. Restore the file postgres-password, or remove that folder to start empty.`,
      { cause },
    )
  }
}

async function isWell({ client, postmaster, lost }: Membership): Promise<boolean> {
  // Our own backend can outlive its postmaster for a moment, so its answer alone proves nothing.
  if (lost || !(await server.answersNewcomers(postmaster.port))) return false
  const answer = await client.query('SELECT 1').catch(() => undefined)
  return answer !== undefined
}

async function leave(place: Place, membership: Membership, notice: (line: string) => void): Promise<void> {
  const giveUpAt = Date.now() + START_LIMIT_MS
  for (let current: Membership | undefined = membership; ; current = undefined) {
    try {
      if (current === undefined) {
        const { running } = await server.findPostmaster(place.dataDir)
        if (running === undefined) return
        current = await enroll(place, running)
      }
      // Release first, then try: two processes that leave at once, both still holding the lock, would both be refused.
      await current.client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK])
      const { rows } = await current.client.query('SELECT pg_try_advisory_lock($1) AS alone', [USERS_LOCK])
      if (rows[0]?.alone !== true) return
      // The exclusive lock is kept until the server is down: a newcomer waits for it and then starts the server.
      await server.stopServer(place, current.postmaster.pid)
      return notice('Stopped Postgres')
    } catch (error) {
      // Mostly another leaving process is stopping the server, or the server died: look again until it is gone or
      // answers.
      if (error instanceof EmbeddedPostgresError || Date.now() > giveUpAt) throw error
    } finally {
      if (current !== undefined) await drop(current)
    }
    await sleep(100)
  }
}

async function drop(membership: Membership): Promise<void> {
  membership.lost = true
  // A frozen server never confirms the end of a connection.
  const goodbye = membership.client.end().catch(() => {})
  await Promise.race([goodbye, sleep(2_000, undefined, { ref: false })])
}

/**
 * Lets one opener of a home work at a time. This saves work, such as a second initdb; it does not protect the data. Two
 * processes that break a stale lock at the same instant both get in, and then rename and Postgres' own lock file decide.
 */
async function withHomeLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const path = join(home, 'postgres.lock')
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}\n`
  for (;;) {
    try {
      await writeFile(path, mine, { flag: 'wx' })
      break
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const held = await ifPresent(Promise.all([readFile(path, 'utf8'), stat(path)]))
    if (held !== undefined) {
      const holder = Number.parseInt(held[0], 10)
      // The age catches a pid that was reused after a reboot; a working holder touches the file every second.
      if ((holder > 0 && !server.processExists(holder)) || Date.now() - held[1].mtimeMs > LOCK_STALE_MS) {
        await rm(path, { force: true })
      } else {
        await sleep(50)
      }
    }
  }
  const touching = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), 1_000)
  try {
    return await work()
  } finally {
    clearInterval(touching)
    if ((await ifPresent(readFile(path, 'utf8'))) === mine) await rm(path, { force: true })
  }
}
