import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../errors.ts'

/** Keeps one connection open for as long as the service runs. */
export interface DatabaseWatch {
  stop(): Promise<void>
}

export interface WatchOptions {
  url: string
  /** With a folder, only one watch per folder can exist on this machine; a second one is refused. */
  folder: string | null
  /** Shown to a second process that tries to start. */
  address: string
  /** Called when the connection is lost; restarts an embedded server. */
  restore: () => Promise<void>
  onNotice: (line: string) => void
}

/**
 * Notices at once when the server dies, and calls `restore`. The connection also holds the lock of a folder. Postgres
 * releases the lock with the process, however it ends, so no stale lock can ever block a start.
 */
export async function watchDatabase(options: WatchOptions): Promise<DatabaseWatch> {
  let stopped = false
  const stopping = new AbortController()
  let client = await connect(options)
  const follow = () => {
    client.once('end', () => {
      if (!stopped)
        void restore().catch((error: Error) => options.onNotice(`The database watch ended: ${error.message}`))
    })
  }
  const restore = async () => {
    options.onNotice('The database connection was lost; restoring it …')
    while (!stopped) {
      try {
        await options.restore()
        client = await connect(options)
        options.onNotice('The database is back.')
        return follow()
      } catch {
        await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }
  follow()
  return {
    async stop() {
      stopped = true
      stopping.abort()
      await client.end().catch(() => {})
    },
  }
}

async function connect({ url, folder, address }: WatchOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // Postgres keeps 63 bytes of the name.
    application_name: `wherry ${process.pid} ${address}`.slice(0, 63),
  })
  // The event 'end' follows, and its listener acts.
  client.on('error', () => {})
  await client.connect()
  if (folder === null) return client
  try {
    await takeFolderLock(client, `${hostname()}:${folder}`)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function takeFolderLock(client: pg.Client, folder: string): Promise<void> {
  const key = `hashtextextended('wherry folder ' || $1, 0)`
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${key}) as locked`, [folder])
  if (rows[0]?.locked) return
  const holder = await client.query<{ application_name: string | null }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid), (select ${key} as key) k
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and l.classid::bigint = (k.key >> 32) & 4294967295 and l.objid::bigint = k.key & 4294967295`,
    [folder],
  )
  const [, pid = '?', address = '?'] = holder.rows[0]?.application_name?.split(' ') ?? []
  throw new OperatorError(
    `Wherry already runs in this folder: process ${pid}, at ${address}. Stop it first (Ctrl-C in its window, or: kill ${pid}).`,
  )
}
