import type { Db, Tx } from '../db/open-database.ts'
import type { RunKind } from '../db/schema.ts'
import { OperatorError } from '../errors.ts'
import { lockRuns } from '../imports/lock-runs.ts'
import type { KeyRing } from '../key-ring.ts'
import { type SignedCertificate, signCertificate } from './certificate.ts'
import { gatherFacts, hashCompared } from './gather-facts.ts'
import { loadSigningKey } from './signing-key.ts'

/** Runs that end with a certificate: those that create or remove records permanently. */
const certifiedKinds: readonly RunKind[] = ['full', 'delta', 'retry', 'removal', 'undo']

/**
 * Prepares the certificate of a run that is about to end, and answers the step that signs and stores it in the
 * transaction of the end. Records are read before that transaction: nobody else changes them while the run is ours.
 */
export async function prepareCertificate(
  { db, keyRing }: { db: Db; keyRing: KeyRing },
  run: { id: string; importId: string; kind: RunKind },
): Promise<(tx: Tx) => Promise<void>> {
  if (!certifiedKinds.includes(run.kind)) return async () => {}
  const { kid, privateKey } = await loadSigningKey(db, keyRing)
  const sha256 = await hashCompared(db, run.importId)
  return async (tx) => {
    const certificate = await gatherFacts(tx, run.id, sha256)
    const signature = signCertificate(certificate, kid, privateKey)
    await tx
      .insertInto('certificates')
      .values({ run_id: run.id, import_id: run.importId, kid, certificate: JSON.stringify(certificate), signature })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function findCertificate(
  db: Db,
  runId: string,
  importId: string | null = null,
): Promise<SignedCertificate | null> {
  const found = await db
    .selectFrom('certificates')
    .select(['certificate', 'signature'])
    .where('run_id', '=', runId)
    .$if(importId !== null, (query) => query.where('import_id', '=', String(importId)))
    .executeTakeFirst()
  return found ?? null
}

/**
 * The newest certificate of an import. A run that ended before there were certificates gets one now, if no later run has
 * changed the records since.
 */
export async function findNewestCertificate(
  parts: { db: Db; keyRing: KeyRing },
  importId: string,
): Promise<SignedCertificate | null> {
  const { db } = parts
  const run = await findLastRun(db, importId)
  if (run?.state === 'finished' && !(await findCertificate(db, run.id))) {
    const certify = await prepareCertificate(parts, run)
    await db.transaction().execute(async (tx) => {
      // Under the import's lock no run starts: the records are still those that this run has left.
      await lockRuns(tx, importId)
      if ((await findLastRun(tx, importId))?.id === run.id) await certify(tx)
    })
  }
  const newest = await db
    .selectFrom('certificates')
    .select(['certificate', 'signature'])
    .where('import_id', '=', importId)
    .orderBy('run_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest ?? null
}

const findLastRun = (db: Db | Tx, importId: string) =>
  db
    .selectFrom('runs')
    .select(['id', 'import_id as importId', 'kind', 'state'])
    .where('import_id', '=', importId)
    .where('kind', 'in', [...certifiedKinds, 'sample'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function requireCertificate(db: Db, runId: string): Promise<SignedCertificate> {
  const found = await findCertificate(db, runId)
  if (found) return found
  throw new OperatorError(
    `There is no certificate of run ${runId}. Full, delta, retry, removal and undo runs have one when they are finished; "wherry run show" tells.`,
  )
}
