import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../db/open-database.ts'
import type { KeyRing } from '../key-ring.ts'

/**
 * The capability in the customer's portal link. It is derived from the import's id with a secret of this
 * installation, so that a copy of the database opens no portal and no import stores a token of its own.
 * Counting up `link_version` makes the old link worthless.
 */
export interface PortalLinks {
  token(imp: { id: string; link_version: number }): string
  isToken(imp: { id: string; link_version: number }, candidate: string): boolean
}

const place = 'installation.sealed_portal_secret'

/** Loads the installation's secret; the first process to start makes it. Fails when the key ring is not ours. */
export async function loadPortalLinks(db: Db, keyRing: KeyRing): Promise<PortalLinks> {
  await db
    .insertInto('installation')
    .values({ sealed_portal_secret: keyRing.seal(randomBytes(32).toString('base64'), place) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('installation').select('sealed_portal_secret').executeTakeFirstOrThrow()
  return portalLinks(Buffer.from(keyRing.open(row.sealed_portal_secret, place), 'base64'))
}

export function portalLinks(secret: Buffer): PortalLinks {
  const token: PortalLinks['token'] = (imp) =>
    createHmac('sha256', secret).update(`${imp.id}/${imp.link_version}`).digest('hex').slice(0, 32)
  return {
    token,
    isToken(imp, candidate) {
      const expected = Buffer.from(token(imp))
      const given = Buffer.from(candidate)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
