import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { ConflictError, OperatorError, ValidationError } from '../errors.ts'
import { openLook } from '../portal-sessions.ts'

const shortest = 10
const longest = 200

/** Opens the portal of an import for an operator who gives a reason. The audit log keeps the reason permanently. */
export async function lookAtPortal(
  db: Db,
  importId: string,
  { reason, operatorSessionId }: { reason: string | null; operatorSessionId: string },
): Promise<{ secret: string; until: Date }> {
  const { length } = [...(reason ?? '')]
  if (length < shortest || length > longest) {
    throw new ValidationError({ reason: [`must have ${shortest} to ${longest} characters`] })
  }
  return db.transaction().execute(async (tx) => {
    // The row is locked, so that a new link issued at the same time also ends this view.
    const imp = await tx
      .selectFrom('imports')
      .select(['id', 'link_version', 'ended_as'])
      .where('id', '=', importId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!imp) throw new OperatorError(`There is no import ${importId}.`)
    if (imp.ended_as) throw new ConflictError(`Import ${importId} was ${imp.ended_as}: its portal shows nothing more.`)
    const look = await openLook(tx, imp, operatorSessionId)
    if (!look) throw new ConflictError('Your session has ended, or your role has changed. Nothing was opened.')
    await audit(tx, { actor: 'operator', act: 'portal seen', subject: importId, details: { reason } })
    return look
  })
}
