import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openEmbeddedPostgres } from '../../service/src/db/embedded-postgres.ts'
import { migrateToLatest } from '../../service/src/db/migrate.ts'

/** A separate Postgres that a test can kill and freeze. */
export async function startOwnPostgres() {
  const home = await mkdtemp(join(tmpdir(), 'wherry-hostile-'))
  const server = await openEmbeddedPostgres({ home, settings: { fsync: 'off', max_connections: '60' } })
  await migrateToLatest(server.url)
  const postmaster = async () => Number.parseInt(await readFile(join(server.dataDir, 'postmaster.pid'), 'utf8'), 10)
  const signalAll = async (signal: NodeJS.Signals) => {
    const pid = await postmaster()
    // The postmaster is first when freezing and last when thawing, so that it never sees its children stopped.
    const children = await childrenOf(pid)
    for (const each of signal === 'SIGCONT' ? [...children, pid] : [pid, ...children]) signalIfAlive(each, signal)
  }
  return {
    url: server.url,
    ensureRunning: () => server.ensureRunning(),
    kill: async () => signalIfAlive(await postmaster(), 'SIGKILL'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    close: async () => {
      await server.close()
      // For root the data is outside of home, in a folder that belongs only to this home.
      await rm(dirname(server.dataDir), { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    pids.map(async (child) => {
      const stat = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '')
      // The name in parentheses may contain anything; state and parent come after it.
      return { child: Number(child), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
    }),
  )
  return parents.filter(({ parent }) => parent === pid).map(({ child }) => child)
}
