import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../../service/src/db/embedded-postgres.ts'
import { migrateToLatest } from '../../service/src/db/migrate.ts'
import { onServer, urlOf } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A real Postgres with the database `templateName`, migrated and empty. */
    postgresUrl: string
    templateName: string
  }
}

/** One server for the whole run: that of DATABASE_URL if set, otherwise an embedded one in a temporary folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeFolder = await makeFolder()
  const given = process.env.DATABASE_URL
  const server = given ? null : await openTemporaryServer()
  const postgresUrl = given ?? String(server?.url)
  const templateName = `wherry_test_template_${process.pid}`
  await onServer(postgresUrl, (client) => client.query(`create database ${pg.escapeIdentifier(templateName)}`))
  await migrateToLatest(urlOf(postgresUrl, templateName))
  project.provide('postgresUrl', postgresUrl)
  project.provide('templateName', templateName)
  return async () => {
    await onServer(postgresUrl, (client) =>
      client.query(`drop database if exists ${pg.escapeIdentifier(templateName)} with (force)`),
    )
    await server?.close()
    await removeFolder()
  }
}

/** All temporary files of the run are in one folder, which is removed even if this process is killed. */
async function makeFolder(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(tmpdir(), 'wherry-run-'))
  // The same mode as /tmp: programs of other users keep their files in it, too.
  await chmod(folder, 0o1777)
  const tidier = spawn(process.execPath, [join(import.meta.dirname, 'tidy-up.ts'), folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  tidier.unref()
  process.env.TMPDIR = folder
  return async () => {
    process.env.TMPDIR = before
    if (before === undefined) delete process.env.TMPDIR
    tidier.ref()
    tidier.stdin.end()
    await once(tidier, 'exit')
  }
}

async function openTemporaryServer() {
  const home = await mkdtemp(join(tmpdir(), 'wherry-test-'))
  // The user that Postgres runs as when we are root must be able to enter; otherwise the data would be kept elsewhere.
  await chmod(home, 0o755)
  // The data is deleted after the run, so nothing has to reach the disk.
  const server = await openEmbeddedPostgres({
    home,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  return {
    // Each test creates its own database.
    url: server.adminUrl,
    close: () => server.close(),
  }
}
