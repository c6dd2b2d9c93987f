import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { partitionLedger } from '../src/db/ledger-partitions.ts'
import { type Db, openDatabase } from '../src/db/open-database.ts'
import { type OutcomeRow, recordOutcomes } from '../src/engine/change-ledger.ts'
import { findRows } from '../src/engine/ledger.ts'
import { newId } from '../src/ids.ts'
import { eraseImport } from '../src/retention/erase-import.ts'
import { formatTable, median } from './print-table.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface LedgerBench {
  /** Generated rows of other imports. */
  rows: number
  imports: number
  /** Rows of the import that is erased. */
  huge: number
  /** Pages of 100 records whose commits are measured, in the shared table and in the partition. */
  pages: number
}

export const ledgerDefaults: LedgerBench = { rows: 20_000_000, imports: 20, huge: 1_000_000, pages: 300 }

interface PageCost {
  place: string
  writeMs: number
  readMs: number
}

export interface LedgerReport {
  rows: number
  gigabytes: number
  pages: PageCost[]
  /** Duration of the command, and the longest wait of another import's statement during it. */
  partition: { seconds: number; longestWaitMs: number; usualWaitMs: number }
  /** Erasing an import of `huge` rows. */
  erase: { huge: number; sharedSeconds: number; ownSeconds: number }
}

type Progress = (line: string) => void
const pageSize = 100

/** Measures a ledger with many rows: shared by its imports, and with a partition for one of them. */
export async function benchLedger(
  bench: LedgerBench,
  cleanup: AsyncDisposableStack,
  onProgress: Progress,
): Promise<LedgerReport> {
  const temporary = await startTemporaryService(cleanup)
  const url = await temporary.createDatabase('bench_ledger')
  const { db, close } = openDatabase(url, { poolSize: 4, isPatient: true })
  cleanup.defer(() => close())
  await sql`insert into partners (id, name, destination_tool, families)
    values ('prt_bench', 'Bench', 'open', '{helpdesk}')`.execute(db)
  const pages: PageCost[] = []
  const measure = async (place: string, importId: string) => {
    onProgress(`Pages: ${place} …`)
    const cost = await measurePages(db, importId, bench.pages)
    onProgress(`  ${cost.writeMs.toFixed(2)} ms to write a page, ${cost.readMs.toFixed(2)} ms to read one`)
    pages.push({ place, ...cost })
  }
  await measure('an empty ledger', await createImport(db))

  onProgress(`Generating ${bench.rows} rows …`)
  const perImport = Math.ceil(bench.rows / bench.imports)
  const indexes = await dropIndexes(db)
  for (let index = 0; index < bench.imports; index++) await generate(await createImport(db), perImport).execute(db)
  onProgress('Building its indexes …')
  for (const definition of indexes) await sql.raw(definition).execute(db)
  await sql`analyze id_map`.execute(db)
  const shared = await createImport(db)
  await generate(shared, bench.huge).execute(db)
  await measure('one table for all', await createImport(db))
  const { rows: sizes } = await sql<{ bytes: number }>`
    select pg_total_relation_size('id_map')::float8 as bytes`.execute(db)
  onProgress(`Erasing ${bench.huge} rows of it …`)
  const sharedSeconds = await seconds(() => eraseImport(db, shared))

  onProgress('A partition for one import …')
  const own = await createImport(db)
  const waits = watchWaits(db, await createImport(db))
  const partitionSeconds = await seconds(() => partitionLedger(db, own))
  const { longestMs, usualMs } = await waits.stop()
  await measure('the shared partition', await createImport(db))
  await generate(own, bench.huge).execute(db)
  await measure('a partition of its own', own)
  const ownSeconds = await seconds(() => eraseImport(db, own))
  return {
    rows: bench.rows,
    gigabytes: (sizes[0]?.bytes ?? 0) / 1e9,
    pages,
    partition: { seconds: partitionSeconds, longestWaitMs: longestMs, usualWaitMs: usualMs },
    erase: { huge: bench.huge, sharedSeconds, ownSeconds },
  }
}

async function createImport(db: Db): Promise<string> {
  const id = newId('imp')
  await sql`insert into imports (id, partner_id, source_tool, destination_tool, family, sponsorship, status, sequence)
    values (${id}, 'prt_bench', 'fernhill', 'open', 'helpdesk', 'accepted', 'migration_completed', 1)`.execute(db)
  return id
}

/** Generates comments in the state in which the engine leaves them. */
const generate = (importId: string, rows: number) => sql`
  insert into id_map (import_id, entity, source_id, state, run_id, destination_id, destination_version, parent_entity,
    parent_source_id, written_hash, is_verified, attempts, sent_at, is_counted)
  select ${importId}, 'comments', (1000000 + n)::text, 'written', ${importId.replace('imp_', 'run_')},
    (5000000 + n)::text, '1', 'tickets', (1000000 + n / 4)::text, sha256(n::text::bytea), true, 1, now(), true
  from generate_series(1, ${rows}::int) n`

/**
 * Drops the indexes, because filling a table first and indexing it later is much faster. Returns the statements that
 * create them again.
 */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string; is_key: boolean }>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition, i.indisprimary as is_key
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('id_map')`.execute(db)
  for (const { name, is_key } of rows) {
    if (is_key) await sql`alter table id_map drop constraint ${sql.id(name)}`.execute(db)
    else await sql`drop index ${sql.id(name)}`.execute(db)
  }
  return rows.map(({ definition, is_key }) =>
    is_key ? 'alter table id_map add primary key (import_id, entity, source_id)' : definition,
  )
}

/** Measures the engine's own statements for a page: storing its outcomes, and reading the previous page's rows. */
async function measurePages(db: Db, importId: string, count: number): Promise<Omit<PageCost, 'place'>> {
  const [writes, reads]: [number[], number[]] = [[], []]
  const run = { id: importId.replace('imp_', 'run_'), importId, since: null }
  const idsOf = (page: number) => Array.from({ length: pageSize }, (_, index) => String(9_000_000 + page * 100 + index))
  for (let page = 1; page <= count; page++) {
    const outcomes = idsOf(page).map(outcomeOf)
    writes.push(await seconds(() => db.transaction().execute((tx) => recordOutcomes(tx, run, 'tickets', outcomes))))
    const refs = idsOf(page - 1).map((sourceId) => ({ entity: 'tickets', sourceId }))
    reads.push(await seconds(() => findRows(db, importId, refs)))
  }
  return { writeMs: median(writes) * 1000, readMs: median(reads) * 1000 }
}

const outcomeOf = (sourceId: string): OutcomeRow => ({
  source_id: sourceId,
  place: { source_url: null, parent_entity: null, parent_source_id: null, is_counted: true, carried_at: null },
  state: 'written',
  destination_id: sourceId,
  destination_url: null,
  destination_version: '1',
  written_hash: `\\x${'ab'.repeat(32)}`,
  stored_hash: null,
  is_incomplete: false,
  code: null,
  message: null,
  warned: null,
})

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return (performance.now() - startedAt) / 1000
}

/** Repeats a small statement of another import, and measures its longest delay. */
function watchWaits(db: Db, importId: string) {
  const waits: number[] = []
  let isOver = false
  const refs = [{ entity: 'tickets', sourceId: '1' }]
  const watching = (async () => {
    while (!isOver) {
      waits.push(await seconds(() => findRows(db, importId, refs)))
      await sleep(5)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return { longestMs: Math.max(...waits) * 1000, usualMs: median(waits) * 1000 }
    },
  }
}

export function formatLedgerReport({ rows, gigabytes, pages, partition, erase }: LedgerReport): string {
  return [
    formatTable([
      [`${rows} rows, ${gigabytes.toFixed(1)} GB`, 'write 100 records, ms', 'read 100 rows, ms'],
      ...pages.map(({ place, writeMs, readMs }) => [place, writeMs.toFixed(2), readMs.toFixed(2)]),
    ]),
    '',
    `Making a partition took ${partition.seconds.toFixed(1)} s. Statements of other imports took ${partition.usualWaitMs.toFixed(1)} ms meanwhile, ${partition.longestWaitMs.toFixed(0)} ms at most.`,
    `Erasing an import of ${erase.huge} records: ${erase.sharedSeconds.toFixed(1)} s in the shared table, ${erase.ownSeconds.toFixed(2)} s with a partition of its own.`,
  ].join('\n')
}
