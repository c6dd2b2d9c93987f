import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { openEmbeddedPostgres } from '../../db/embedded-postgres.ts'
import { readMigrationState } from '../../db/migrate.ts'
import { OperatorError } from '../../errors.ts'
import type { KeyRing } from '../../key-ring.ts'
import { loadKeyRing } from '../../load-key-ring.ts'
import { checkDatabase, connect } from './check-database.ts'
import { checkDirectAddress } from './check-direct-address.ts'
import { checkDisk, checkVersions } from './check-machine.ts'
import { checkOutside } from './check-outside.ts'
import { checkTokens } from './check-tokens.ts'
import { checkWaking } from './check-waking.ts'
import { checkKeys, checkWork } from './check-work.ts'
import { broken, type Finding, fine, reasonOf, worth } from './finding.ts'

/** Checks the whole installation. It only reads: nothing is created, migrated, sent or ended. */
export async function examine(env: Record<string, string | undefined>, name: string): Promise<Finding[]> {
  const findings = [checkVersions()]
  const config = tryConfig(env, findings)
  if (!config) return findings
  findings.push(await checkDisk('disk', config.home))
  await examineDatabase(config, findings)
  findings.push(...(await checkOutside(config, name)))
  return findings
}

function tryConfig(env: Record<string, string | undefined>, findings: Finding[]): Config | null {
  try {
    const config = readConfig(env)
    findings.push(fine('configuration', 'The configuration has no mistakes.'))
    return config
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    findings.push(
      broken('configuration', error.message, 'Correct these variables; docs/configuration.md explains each.'),
    )
    return null
  }
}

async function examineDatabase(config: Config, findings: Finding[]): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const reached = await reach(config, findings, cleanup)
  if (!reached) return
  const { client, place, url } = reached
  findings.push(fine('database', `${place} answers.`))
  try {
    findings.push(...(await checkDatabase(client, await readMigrationState())))
    if (findings.some(({ check, state }) => check.startsWith('database') && state === 'broken')) return
    const { rows } = await client.query<{ is_there: boolean; has_workers: boolean }>(
      `select to_regclass('installation') is not null and to_regclass('pgboss.queue') is not null as is_there,
         to_regclass('pooled_workers') is not null as has_workers`,
    )
    if (!rows[0]?.is_there) return
    findings.push(await checkKeys(client, () => loadRing(config)))
    // An older schema lacks the tables for this check.
    if (rows[0].has_workers) findings.push(...(await checkWork(client)))
    // Without the newest migrations, a column may be missing.
    if (findings.some(({ check, state }) => check === 'schema' && state === 'ok')) {
      findings.push(await checkTokens(client))
    }
    // Workers listen on the direct address if one is set. Senders may use PgBouncer.
    const listener = await connect(config.databaseDirectUrl ?? url)
    cleanup.defer(() => listener.end())
    findings.push(await checkWaking(listener, client))
  } catch (error) {
    findings.push(broken('database', `A check failed: ${reasonOf(error)}.`, 'Check the server’s log.'))
  }
}

async function reach(config: Config, findings: Finding[], cleanup: AsyncDisposableStack) {
  const { databaseUrl, databaseDirectUrl, home } = config
  try {
    if (databaseUrl !== null) {
      if (databaseDirectUrl !== null) findings.push(await checkDirectAddress(databaseUrl, databaseDirectUrl))
      const { hostname, port, pathname } = new URL(databaseUrl)
      const client = await connect(databaseUrl)
      cleanup.defer(() => client.end())
      return { client, url: databaseUrl, place: `Postgres at ${hostname}:${port || 5432}${pathname}` }
    }
    if (!existsSync(join(home, 'postgres-password'))) {
      const message = `There is no embedded database in ${home} yet.`
      findings.push(worth('database', message, 'The first "npm start" creates it. Or set DATABASE_URL.'))
      return null
    }
    const server = await openEmbeddedPostgres({ home, onNotice: () => {} })
    cleanup.defer(() => server.close())
    findings.push(await checkDisk('disk of the database', server.dataDir))
    const client = await connect(server.url)
    cleanup.defer(() => client.end())
    return { client, url: server.url, place: `The embedded Postgres in ${server.dataDir}` }
  } catch (error) {
    const fix =
      databaseUrl === null ? 'Read postgres.log in WHERRY_HOME.' : 'Check DATABASE_URL, and that the server runs.'
    findings.push(broken('database', `The database cannot be used: ${reasonOf(error)}.`, fix))
    return null
  }
}

/** Null if the key file is missing. The service itself would create a new key, which cannot open existing secrets. */
function loadRing(config: Config): KeyRing | null {
  return config.keys === null && !existsSync(join(config.home, 'keys')) ? null : loadKeyRing(config)
}
