import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'

/** Takes effect with the next request in every process, because tokens are never cached. */
export async function revokeToken(db: Db, tokenId: string) {
  return db.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('api_tokens')
      .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.fn<Date>('now')) }))
      .where('id', '=', tokenId)
      .returning(['id', 'partner_id', 'revoked_at'])
      .executeTakeFirst()
    if (!revoked) throw new OperatorError(`There is no token ${tokenId}. "wherry token list" shows what there is.`)
    await audit(tx, {
      actor: 'operator',
      act: 'token revoked',
      subject: revoked.partner_id,
      details: { token: tokenId },
    })
    return revoked
  })
}
