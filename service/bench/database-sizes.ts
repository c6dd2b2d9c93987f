import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

export interface TableSize {
  name: string
  rows: number
  bytes: number
  indexes: { name: string; bytes: number }[]
}

/** The largest tables, each with its indexes. Row counts are Postgres' own, which are exact after a vacuum. */
export async function readSizes(url: string, most: number): Promise<{ bytes: number; tables: TableSize[] }> {
  return withClient(url, async (client) => {
    // Removes deleted rows first, as autovacuum would within minutes. Records do not leave these bytes behind.
    await client.query('vacuum (analyze)')
    const { rows: all } = await client.query('select pg_database_size(current_database())::float8 as bytes')
    const { rows: tables } = await client.query(
      `select c.relname as name, c.reltuples::float8 as rows,
         (pg_table_size(c.oid))::float8 as bytes,
         (select coalesce(json_agg(json_build_object('name', i.relname, 'bytes', pg_relation_size(i.oid))
             order by pg_relation_size(i.oid) desc), '[]')
           from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid) as indexes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('public', 'pgboss')
       order by pg_total_relation_size(c.oid) desc limit $1`,
      [most],
    )
    return { bytes: all[0].bytes, tables }
  })
}

/** Processor time of the whole Postgres server in milliseconds. Null if the system does not report it. */
export async function readServerCpuMs(url: string): Promise<number | null> {
  try {
    const server = await withClient(url, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      return (await readStat(Number(rows[0].pid)))?.[1]
    })
    if (server === undefined) return null
    const all = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .map(readStat),
    )
    // The server's own time includes its ended backends.
    const own = all.filter((stat) => stat && (stat[0] === server || stat[1] === server))
    return own.reduce((sum, stat) => sum + Number(stat?.[2]), 0) * 10
  } catch {
    return null
  }
}

/** Process id, parent's id, and the ticks of the process and its ended children. */
async function readStat(pid: number): Promise<[number, number, number] | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The process name may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
    return [pid, Number(fields[1]), ticks]
  } catch {
    return null
  }
}

async function withClient<Found>(url: string, ask: (client: pg.Client) => Promise<Found>): Promise<Found> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
