import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../service/src/db/embedded-postgres.ts'
import { run } from '../support/program.ts'

/** A Postgres that archives its WAL, so that it can be restored to any moment after its base backup. */
export interface ArchivedPostgres {
  url: string
  /** Copies the running server, as pg_basebackup does. */
  takeBaseBackup(): Promise<void>
  /** Names this moment, and waits until the archive has everything up to it. */
  nameMoment(name: string): Promise<void>
  /** Starts a second server from the base backup and the archive, in its state at the named moment. */
  restoreTo(name: string): Promise<EmbeddedPostgres>
  close(): Promise<void>
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const [home, copy, archive] = [await makeFolder(0o755), await makeFolder(0o755), await makeFolder(0o777)]
  const server = await openEmbeddedPostgres({
    home,
    settings: {
      archive_mode: 'on',
      archive_command: `cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
    },
  })
  const asAdmin = async <T>(act: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: server.adminUrl })
    await client.connect()
    try {
      return await act(client)
    } finally {
      await client.end()
    }
  }
  const data = join(copy, 'postgres')
  return {
    url: server.url,
    close: () => server.close(),
    takeBaseBackup: () =>
      asAdmin(async (client) => {
        await client.query(`select pg_backup_start('rehearsal', fast => true)`)
        await copyRunning(server.dataDir, data)
        await cp(join(home, 'postgres-password'), join(copy, 'postgres-password'))
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
        await writeOwned(data, 'backup_label', String(rows[0]?.labelfile))
      }),
    nameMoment: (name) =>
      asAdmin(async (client) => {
        await client.query('select pg_create_restore_point($1)', [name])
        const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
        const archived = async () => expect(await readdir(archive)).toContain(rows[0]?.file)
        await vi.waitFor(archived, { timeout: 120_000, interval: 200 })
      }),
    async restoreTo(name) {
      await writeOwned(data, 'recovery.signal', '')
      return openEmbeddedPostgres({
        home: copy,
        settings: {
          restore_command: `cp ${archive}/%f %p`,
          recovery_target_name: name,
          recovery_target_action: 'promote',
          // No connection is allowed before the recovery is complete.
          hot_standby: 'off',
        },
      })
    },
  }
}

async function makeFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-restore-'))
  await chmod(folder, mode)
  return folder
}

/** Copies with file owners, which Postgres requires. A file that vanishes meanwhile is no error: the WAL covers it. */
async function copyRunning(from: string, to: string): Promise<void> {
  const { stderr } = await run('cp', ['-a', from, to], { env: { PATH: process.env.PATH, LC_ALL: 'C' } })
  expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('No such file'))).toEqual([])
  // The copy is not a running server, and its WAL comes from the archive.
  await rm(join(to, 'postmaster.pid'), { force: true })
  for (const name of await readdir(join(to, 'pg_wal'))) {
    if (/^[0-9A-F]{24}/.test(name)) await rm(join(to, 'pg_wal', name))
  }
}

async function writeOwned(folder: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  await writeFile(join(folder, name), text, { mode: 0o600 })
  await chown(join(folder, name), uid, gid)
}
