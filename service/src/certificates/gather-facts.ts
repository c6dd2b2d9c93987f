import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { exactTime } from '../audit-chain.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { neverThere } from '../imports/list-records.ts'
import { serviceVersion } from '../service-version.ts'
import { type Certificate, type CertifiedAct, certificateFormat } from './certificate.ts'

const rowsAtOnce = 5_000
/** Who approved the move: the partner, its policy, or the customer who paid. */
const approvals = [
  'sponsorship accepted',
  'sponsorship accepted by policy',
  'sponsorship accepted for the rest',
  'purchase paid',
]

type Ledger = Db | Tx

/**
 * A hash over every record that was compared, with its result; some at a time, in the order of entity and source id.
 */
export async function hashCompared(db: Ledger, importId: string): Promise<string> {
  const hash = createHash('sha256')
  let after = { entity: '', source_id: '' }
  for (;;) {
    const { rows } = await sql<{ entity: string; source_id: string; destination_id: string; result: string }>`
      select entity, source_id, destination_id, case when is_verified then 'agrees' else code end as result
      from id_map
      where import_id = ${importId} and state = 'written' and (is_verified or code in ('differs', 'edited'))
        and (entity, source_id) > (${after.entity}, ${after.source_id})
      order by entity, source_id limit ${rowsAtOnce}`.execute(db)
    for (const { entity, source_id, destination_id, result } of rows) {
      hash.update(`${JSON.stringify([entity, source_id, destination_id, result])}\n`)
    }
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return hash.digest('hex')
    after = last
  }
}

/** The ledger's counts for an import at the end of a run. */
export async function gatherFacts(tx: Ledger, runId: string, sha256: string): Promise<Certificate> {
  const run = await tx
    .selectFrom('runs as r')
    .innerJoin('imports as i', 'i.id', 'r.import_id')
    .select(['r.import_id', 'r.kind', 'r.created_at', 'r.mapping_version', 'i.partner_id', 'i.family'])
    .select(['i.source_tool', 'i.destination_tool', 'i.sponsorship'])
    .select([sql<Date>`coalesce(r.finished_at, now())`.as('finished_at'), sql<Date>`now()`.as('now')])
    .where('r.id', '=', runId)
    .executeTakeFirstOrThrow()
  const importId = run.import_id
  const counts = await countRecords(tx, importId, runId)
  const sum = (name: 'agree' | 'differ' | 'gone' | 'taken_out') => counts.reduce((total, row) => total + row[name], 0)
  const [agree, differ] = [sum('agree'), sum('differ')]
  const finishedAt = run.finished_at.toISOString()
  return {
    format: certificateFormat,
    issued_at: run.now.toISOString(),
    service: { name: 'Wherry', version: serviceVersion },
    partner: run.partner_id,
    import: importId,
    run: {
      id: runId,
      kind: run.kind,
      started_at: run.created_at.toISOString(),
      finished_at: finishedAt,
      mapping_version: run.mapping_version,
    },
    tools: { source: run.source_tool, destination: run.destination_tool, family: run.family },
    started: await findStart(tx, importId, run.kind, runId),
    approved: await findApprovals(tx, importId, run.sponsorship === 'accepted'),
    records: [...Map.groupBy(counts, (row) => row.entity)].map(([entity, rows]) => ({
      entity,
      outcomes: Object.fromEntries(rows.map((row) => [row.state, row.count])),
      of_this_run: Object.fromEntries(rows.filter((row) => row.of_run > 0).map((row) => [row.state, row.of_run])),
    })),
    exceptions: await countExceptions(tx, importId),
    compared: { records: agree + differ, agree, differ, sha256 },
    deletions: {
      removed_by_import: sum('taken_out'),
      deleted_in_destination: counts.reduce((total, row) => total + (row.state === 'deleted' ? row.count : 0), 0),
      gone_from_source: sum('gone'),
    },
  }
}

interface Count {
  entity: string
  state: string
  count: number
  of_run: number
  agree: number
  differ: number
  gone: number
  taken_out: number
}

async function countRecords(tx: Ledger, importId: string, runId: string): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select entity, state, count(*)::int as count, (count(*) filter (where run_id = ${runId}))::int as of_run,
      (count(*) filter (where state = 'written' and is_verified))::int as agree,
      (count(*) filter (where state = 'written' and not is_verified and code in ('differs', 'edited')))::int as differ,
      (count(*) filter (where gone_from_source_at is not null))::int as gone,
      (count(*) filter (where state = 'removed' and code is distinct from ${neverThere}))::int as taken_out
    from id_map where import_id = ${importId} group by entity, state order by entity, state`.execute(tx)
  return rows
}

/** Codes without their suffix, which may be the name of a field or an address. */
async function countExceptions(tx: Ledger, importId: string): Promise<Certificate['exceptions']> {
  const { rows } = await sql<{ entity: string; code: string; count: number }>`
    select entity, substring(code from '^[a-z_]+') as code, sum(count)::int as count
    from warnings where import_id = ${importId} group by 1, 2 order by 1, 2`.execute(tx)
  return rows
}

async function findStart(tx: Ledger, importId: string, kind: string, runId: string): Promise<CertifiedAct | null> {
  const [started] = await findActs(tx, importId, sql`act = ${`${kind} started`} and details->>'run' = ${runId}`)
  return started ?? null
}

async function findApprovals(tx: Ledger, importId: string, isSponsored: boolean): Promise<CertifiedAct[]> {
  const found = await findActs(tx, importId, sql`act = any(${approvals}::text[])`)
  // A partner that asks for the full migration at once pays for it.
  return found.length > 0 || !isSponsored ? found : findActs(tx, importId, sql`act = 'import created'`)
}

async function findActs(tx: Ledger, importId: string, which: ReturnType<typeof sql>): Promise<CertifiedAct[]> {
  const { rows } = await sql<Omit<CertifiedAct, 'audit_line'> & { audit_line: string | null }>`
    select act, actor as by, details->>'visitor' as visitor, ${exactTime} as at, seq as audit_line
    from audit_log where subject = ${importId} and ${which} order by id`.execute(tx)
  return rows.map((row) => ({ ...row, audit_line: row.audit_line === null ? null : Number(row.audit_line) }))
}
