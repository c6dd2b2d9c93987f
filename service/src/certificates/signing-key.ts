import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Db } from '../db/open-database.ts'
import type { KeyRing } from '../key-ring.ts'
import { type PublicKey, thumbprint } from './certificate.ts'

export interface SigningKey {
  kid: string
  privateKey: KeyObject
}

const placeOf = (kid: string) => `certificate_keys.sealed_key/${kid}`

/** The key of this installation; made when the first certificate needs it. */
export async function loadSigningKey(db: Db, keyRing: KeyRing): Promise<SigningKey> {
  const found = (await findActive(db)) ?? (await makeKey(db, keyRing))
  const der = keyRing.openBytes(found.sealed_key, placeOf(found.kid))
  return { kid: found.kid, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
}

/** Every key that ever signed: old certificates stay verifiable. */
export async function listPublicKeys(db: Db): Promise<{ keys: PublicKey[] }> {
  const rows = await db.selectFrom('certificate_keys').select('public_key').orderBy('created_at').execute()
  return { keys: rows.map((row) => row.public_key) }
}

const findActive = (db: Db) =>
  db.selectFrom('certificate_keys').select(['kid', 'sealed_key']).where('is_active', '=', true).executeTakeFirst()

async function makeKey(db: Db, keyRing: KeyRing) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = String(publicKey.export({ format: 'jwk' }).x)
  const kid = thumbprint({ x })
  const published: PublicKey = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }
  const sealed_key = keyRing.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), placeOf(kid))
  await db
    .insertInto('certificate_keys')
    .values({ kid, public_key: JSON.stringify(published), sealed_key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await findActive(db)
  if (!made) throw new Error('no key to sign certificates could be made')
  return made
}
