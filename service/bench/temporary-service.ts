import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { migrateToLatest } from '../src/db/migrate.ts'
import { startChild } from './run-child.ts'
import type { ServeApp } from './serve-app.ts'
import type { ServeBare } from './serve-bare.ts'

/** A separate Postgres with production settings, and servers that use it. `cleanup` removes everything. */
export interface TemporaryService {
  /** The key ring of the service. */
  keys: string
  /** Creates a database with the newest schema. */
  createDatabase(name: string): Promise<string>
  /** Serves the real app. */
  serveApp(databaseUrl: string, options: { rateLimit: number }): Promise<Served>
  /** Serves the baseline for the comparison. */
  serveBare(databaseUrl: string, options: { poolSize: number }): Promise<Served>
}

export interface Served {
  origin: string
  usedCpuMs(): Promise<number>
  /** Resident memory of the process. */
  memoryMb(): Promise<number>
}

export async function startTemporaryService(cleanup: AsyncDisposableStack): Promise<TemporaryService> {
  const postgresUrl = await openTemporaryPostgres(cleanup)
  const keys = `k1:${randomBytes(32).toString('base64')}`
  return {
    keys,
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: postgresUrl })
      await client.connect()
      try {
        await client.query(`create database ${pg.escapeIdentifier(name)}`)
      } finally {
        await client.end()
      }
      const url = new URL(postgresUrl)
      url.pathname = `/${name}`
      await migrateToLatest(url.href)
      return url.href
    },
    serveApp: (databaseUrl, options) =>
      serve(cleanup, 'serve-app.ts', { databaseUrl, keys, ...options } satisfies ServeApp),
    serveBare: (databaseUrl, options) =>
      serve(cleanup, 'serve-bare.ts', { databaseUrl, keys, ...options } satisfies ServeBare),
  }
}

async function serve(cleanup: AsyncDisposableStack, program: string, options: object): Promise<Served> {
  const child = startChild(cleanup, program)
  return { origin: await child.ask<string>(options), usedCpuMs: child.usedCpuMs, memoryMb: child.memoryMb }
}

async function openTemporaryPostgres(cleanup: AsyncDisposableStack): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'wherry-bench-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true }))
  // If root starts it, Postgres runs as another user, who must be able to enter the folder.
  await chmod(home, 0o711)
  const opening = openEmbeddedPostgres({ home })
  // Registered before Postgres is open, because Ctrl-C may come while it starts.
  cleanup.defer(async () => {
    const server = await opening.catch(() => null)
    await server?.close()
    if (server) await rm(dirname(server.dataDir), { recursive: true, force: true })
  })
  return (await opening).adminUrl
}
