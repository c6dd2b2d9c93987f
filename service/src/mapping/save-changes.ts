import { actingVisitor, audit } from '../audit.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { findVisitor } from '../visitors.ts'

/** The changes of this version; version 0 has none. */
export async function findChanges(db: Db, importId: string, version: number): Promise<MappingChanges> {
  const row = await db
    .selectFrom('mappings')
    .select('changes')
    .where('import_id', '=', importId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.changes ?? {}
}

/** The newest version of an import's mapping. */
export async function findNewest(db: Db, importId: string): Promise<{ version: number; changes: MappingChanges }> {
  const row = await db
    .selectFrom('mappings')
    .select(['version', 'changes'])
    .where('import_id', '=', importId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { version: 0, changes: {} }
}

/**
 * Saves the changes as the next version. If two people save at once, the second gets an error instead of overwriting
 * the first.
 */
export async function saveChanges(
  db: Db,
  importId: string,
  from: { version: number },
  changes: MappingChanges,
  { act = 'mapping changed', details = {} }: { act?: string; details?: Record<string, unknown> } = {},
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const version = from.version + 1
    const { version: newest } = await findNewest(tx, importId)
    const visitor = await findVisitor(tx, importId, actingVisitor.getStore())
    const saved =
      newest === from.version &&
      (await tx
        .insertInto('mappings')
        .values({ import_id: importId, version, changes: JSON.stringify(changes), saved_by: visitor })
        .onConflict((conflict) => conflict.doNothing())
        .returning('version')
        .executeTakeFirst())
    if (!saved) {
      throw new ValidationError({ version: [`is not the newest: someone saved version ${newest} meanwhile`] })
    }
    await audit(tx, {
      actor: `customer ${importId}`,
      act,
      subject: importId,
      details: { version, ...details },
    })
    return version
  })
}
