import { type Actor, audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { ConflictError } from '../errors.ts'
import { endPortalSessions } from '../portal-sessions.ts'

export interface IssuedLink {
  id: string
  link_version: number
  /** Browsers that were signed in and are not any more. */
  ended_sessions: number
}

/**
 * Makes the present link of an import worthless and issues the next one, or none with `revokes`. Everybody who was signed
 * in is signed out. Answers null for an import that does not exist, has ended, or belongs to another partner.
 */
export async function issueLink(
  db: Db,
  importId: string,
  {
    actor,
    partnerId,
    revokes = false,
    seenVersion,
  }: { actor: Actor; partnerId?: string; revokes?: boolean; seenVersion?: number | undefined },
): Promise<IssuedLink | null> {
  return db.transaction().execute(async (tx) => {
    const imp = await tx
      .updateTable('imports')
      .set((eb) => ({
        link_version: eb('link_version', '+', 1),
        link_revoked_at: revokes ? eb.fn<Date>('now') : null,
      }))
      .where('id', '=', importId)
      .where('ended_at', 'is', null)
      .$if(partnerId !== undefined, (query) => query.where('partner_id', '=', String(partnerId)))
      .returning(['id', 'link_version'])
      .executeTakeFirst()
    if (!imp) return null
    // The other link was shown to somebody a moment ago, and would be worthless before it was ever sent.
    if (seenVersion !== undefined && imp.link_version !== seenVersion + 1) {
      throw new ConflictError(`Import ${importId} got another link meanwhile. Nothing was changed.`)
    }
    const ended_sessions = await endPortalSessions(tx, importId)
    const details = { link_version: imp.link_version, ended_sessions }
    await audit(tx, { actor, act: revokes ? 'link revoked' : 'link issued', subject: importId, details })
    return { ...imp, ended_sessions }
  })
}
