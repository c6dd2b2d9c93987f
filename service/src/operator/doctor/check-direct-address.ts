import type pg from 'pg'
import { connect } from './check-database.ts'
import { broken, type Finding, fine, reasonOf } from './finding.ts'

const check = 'direct database address'
const fix = 'WHERRY_DATABASE_DIRECT_URL must name the server itself, and the same database as DATABASE_URL.'

/** Checks that both addresses reach the same database, and that the direct one keeps its session. */
export async function checkDirectAddress(url: string, directUrl: string): Promise<Finding> {
  await using cleanup = new AsyncDisposableStack()
  const open = async (address: string) => {
    const client = await connect(address)
    cleanup.defer(() => client.end())
    return client
  }
  try {
    const [pooled, direct, beside] = [await open(url), await open(directUrl), await open(directUrl)]
    if ((await identify(pooled)) !== (await identify(direct))) {
      return broken(check, 'DATABASE_URL and WHERRY_DATABASE_DIRECT_URL point to different databases.', fix)
    }
    // With two open clients, a pooler that shares connections gives both the same backend, or moves one to another
    // backend.
    const [before, other] = [await backendOf(direct), await backendOf(beside)]
    if (before === other || (await backendOf(direct)) !== before) {
      return broken(check, 'WHERRY_DATABASE_DIRECT_URL points to a pooler that shares connections.', fix)
    }
    return fine(check, 'WHERRY_DATABASE_DIRECT_URL points to the same database, without the pooler.')
  } catch (error) {
    return broken(check, `The database cannot be used directly: ${reasonOf(error)}.`, fix)
  }
}

/** Identifies a database together with its server, because two servers can use the same database number. */
async function identify(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select concat_ws('/', current_database(), (select oid from pg_database where datname = current_database()),
       extract(epoch from pg_postmaster_start_time())) as id`,
  )
  return rows[0]?.id ?? ''
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
