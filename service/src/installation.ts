import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Db } from './db/open-database.ts'
import type { KeyRing } from './key-ring.ts'
import { type PortalLinks, portalLinks } from './portal-link.ts'

/** Values that this installation derives from its own secret; the same in every process on one database. */
export interface Installation {
  links: PortalLinks
  /** A hash to compare bytes without revealing them, because they may hold a customer's token. */
  fingerprint(bytes: Buffer): Buffer
}

const place = 'installation.sealed_secret'

/** Loads the installation's secret; the first process creates it. Fails if the key ring cannot open it. */
export async function loadInstallation(db: Db, keyRing: KeyRing): Promise<Installation> {
  await db
    .insertInto('installation')
    .values({ sealed_secret: keyRing.seal(randomBytes(32).toString('base64'), place) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('installation').select('sealed_secret').executeTakeFirstOrThrow()
  const secret = Buffer.from(keyRing.open(row.sealed_secret, place), 'base64')
  const derive = (purpose: string) => createHmac('sha256', secret).update(purpose).digest()
  const fingerprintKey = createSecretKey(derive('fingerprint'))
  return {
    links: portalLinks(derive('portal links')),
    fingerprint: (bytes) => createHmac('sha256', fingerprintKey).update(bytes).digest(),
  }
}
