import { sql } from 'kysely'
import { withdrawAccess } from '../accounts/withdraw-access.ts'
import { audit } from '../audit.ts'
import type { AuditLine } from '../audit-chain.ts'
import type { RenewParts } from '../authorizations/renew-grant.ts'
import { eraseWithdrawn } from '../authorizations/revoke-access.ts'
import type { Db } from '../db/open-database.ts'
import { endImport } from '../imports/end-import.ts'
import { eraseImport } from './erase-import.ts'
import { eraseTexts } from './erase-texts.ts'

/** The acts that erase, by what they erase. */
const acts = { imports: 'import erased', credentials: 'credentials erased', texts: 'texts erased' } as const
type Kind = keyof typeof acts
const kinds = Object.keys(acts) as Kind[]
const actAgain = 'erased again'

/** Erasures in an exported audit log that this database lacks, because it was restored to an earlier moment. */
export interface MissingErasures {
  /** For each kind the imports, with the hash of the last line about it. */
  missing: Record<Kind, Map<string, string>>
  /** Imports that were created after the restored moment: nothing of them is here. */
  notHere: string[]
}

/** A line that the database also has is from before the restored moment: that erasure still holds. */
export async function findMissingErasures(db: Db, lines: AsyncIterable<AuditLine>): Promise<MissingErasures> {
  const missing = { imports: new Map(), credentials: new Map(), texts: new Map() } as MissingErasures['missing']
  for await (const line of lines) {
    const kind = kinds.find((one) => acts[one] === line.act)
    if (kind && !(await hasLine(db, line))) missing[kind].set(line.subject, line.hash)
  }
  const told = new Set(kinds.flatMap((kind) => [...missing[kind].keys()]))
  const here = new Set(await findImports(db, [...told]))
  const whole = new Set(missing.imports.keys())
  for (const kind of kinds) {
    for (const [importId, hash] of missing[kind]) {
      // The erasure of the whole import includes the others.
      const isIncluded = kind !== 'imports' && whole.has(importId)
      if (isIncluded || !here.has(importId) || (await isDoneAgain(db, importId, hash))) missing[kind].delete(importId)
    }
  }
  return { missing, notHere: [...told].filter((importId) => !here.has(importId)) }
}

/** Applies them once more. Can be repeated: an erasure that was applied again is no longer missing. */
export async function eraseAgain(parts: RenewParts, { missing }: MissingErasures): Promise<void> {
  const { db } = parts
  for (const kind of kinds) {
    for (const [importId, line] of missing[kind]) {
      await eraseKind(parts, kind, importId)
      await audit(db, { actor: 'operator', act: actAgain, subject: importId, details: { was: acts[kind], line } })
    }
  }
}

async function eraseKind(parts: RenewParts, kind: Kind, importId: string): Promise<void> {
  const { db } = parts
  if (kind === 'texts') {
    await db.updateTable('imports').set({ texts_due_at: sql<Date>`now()` }).where('id', '=', importId).execute()
    return eraseTexts(db, importId)
  }
  if (kind === 'credentials') await db.transaction().execute((tx) => withdrawAccess(tx, importId))
  else {
    // At the restored moment a run may have been under way. It was stopped before the first erasure.
    if (await isUnderWay(db, importId)) await endImport(db, importId, 'cancelled')
    await eraseImport(db, importId)
  }
  await eraseWithdrawn(parts, importId)
}

async function hasLine(db: Db, { seq, hash }: AuditLine): Promise<boolean> {
  const found = await db
    .selectFrom('audit_log')
    .select('id')
    .where('seq', '=', String(seq))
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found !== undefined
}

async function isDoneAgain(db: Db, importId: string, hash: string): Promise<boolean> {
  const found = await db
    .selectFrom('audit_log')
    .select('id')
    .where('subject', '=', importId)
    .where('act', '=', actAgain)
    .where(sql<boolean>`details->>'line' = ${hash}`)
    .executeTakeFirst()
  return found !== undefined
}

async function findImports(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from imports where id = any(${ids})`.execute(db)
  return rows.map(({ id }) => id)
}

async function isUnderWay(db: Db, importId: string): Promise<boolean> {
  const run = await db
    .selectFrom('runs')
    .innerJoin('imports', 'imports.id', 'runs.import_id')
    .select('runs.id')
    .where('runs.import_id', '=', importId)
    .where('runs.state', 'in', ['working', 'paused'])
    .where('imports.ended_at', 'is', null)
    .executeTakeFirst()
  return run !== undefined
}
