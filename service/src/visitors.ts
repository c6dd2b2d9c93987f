import { actingVisitor, audit } from './audit.ts'
import type { Db, Tx } from './db/open-database.ts'
import { ValidationError } from './errors.ts'
import { newId } from './ids.ts'

const longestName = 100
/** More would be a flood, not a team. */
const mostVisitors = 500

/** Stores or replaces the name of a person who works on an import. Answers the person's id. */
export async function nameVisitor(
  db: Db,
  importId: string,
  name: string,
  visitorId: string | undefined,
): Promise<string> {
  if ([...name].length > longestName)
    throw new ValidationError({ name: [`must have at most ${longestName} characters`] })
  const known = await findVisitor(db, importId, visitorId)
  if (known !== null) {
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('visitors').set({ name }).where('id', '=', known).execute()
      await auditName(tx, importId, known, 'name told')
    })
    return known
  }
  const { count } = await db
    .selectFrom('visitors')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostVisitors)
    throw new ValidationError({ name: ['cannot be kept: too many people have given a name'] })
  const id = newId('vis')
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('visitors').values({ id, import_id: importId, name }).execute()
    await auditName(tx, importId, id, 'name told')
  })
  return id
}

/** The log is never deleted: it has the id of the person, never the name. */
async function auditName(tx: Tx, importId: string, visitorId: string, act: string): Promise<void> {
  await actingVisitor.run(visitorId, () => audit(tx, { actor: `customer ${importId}`, act, subject: importId }))
}

/** The person's acts stay in the log, without the name. */
export async function forgetVisitor(db: Db, importId: string, visitorId: string | undefined): Promise<void> {
  const known = await findVisitor(db, importId, visitorId)
  if (known === null) return
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('visitors').where('id', '=', known).execute()
    await auditName(tx, importId, known, 'name removed')
  })
}

/** The id, if a person of this import has given a name under it. */
export async function findVisitor(db: Db, importId: string, visitorId: string | undefined): Promise<string | null> {
  return (await find(db, importId, visitorId))?.id ?? null
}

export async function findVisitorName(db: Db, importId: string, visitorId: string | undefined): Promise<string | null> {
  return (await find(db, importId, visitorId))?.name ?? null
}

async function find(db: Db, importId: string, visitorId: string | undefined) {
  if (visitorId === undefined) return undefined
  return db
    .selectFrom('visitors')
    .select(['id', 'name'])
    .where('id', '=', visitorId)
    .where('import_id', '=', importId)
    .executeTakeFirst()
}
