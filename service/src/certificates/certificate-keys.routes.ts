import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/open-database.ts'
import { listPublicKeys } from './signing-key.ts'

export const certificateKeysPath = '/.well-known/wherry-certificate-keys.json'

/** The public keys as a JWK set, for everyone who wants to verify a certificate. */
export function registerCertificateKeys(app: FastifyInstance, db: Db): void {
  app.get(certificateKeysPath, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=300')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/jwk-set+json')
      .send(JSON.stringify(await listPublicKeys(db))),
  )
}
