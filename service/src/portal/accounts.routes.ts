import type { FastifyInstance } from 'fastify'
import { connectAccount } from '../authorizations/connect-account.ts'
import { findAccess } from '../authorizations/sealed-access.ts'
import { ValidationError } from '../errors.ts'
import { admit, admitByCookie } from './admit-by-cookie.ts'
import type { PortalAccess } from './contract.ts'
import type { PortalParts } from './portal.ts'
import { readFlag, readTexts } from './read-body.ts'
import { readRole } from './read-role.ts'

type ForRole = { Params: { id: string; role: string } }

/** The two accounts: what is known of each, and connecting it. */
export function registerAccountRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db, keyRing } = parts
  const path = '/portal/imports/:id/accounts/:role'
  const options = { schema: { hide: true }, bodyLimit: 16 * 1024 }

  // For connecting again: only the secret must be typed anew.
  app.get<ForRole>(path, options, async (request): Promise<PortalAccess> => {
    const imp = await admitByCookie(parts, request)
    const role = readRole(request.params.role)
    const access = await findAccess(db, keyRing, imp.id, role)
    const isDestination = role === 'destination'
    return {
      instance_url: access?.instanceUrl ?? (isDestination ? imp.destination_instance_url : null),
      username: access?.username ?? (isDestination ? imp.destination_username : null),
    }
  })

  app.put<ForRole>(path, options, async (request) => {
    const importId = await admit(parts, request)
    const role = readRole(request.params.role)
    if (readFlag(request.body, 'confirm')) {
      const given = await findAccess(db, keyRing, importId, role)
      if (!given) throw new ValidationError({ [role]: ['has not been given yet, so there is nothing to confirm'] })
      return { account: await connectAccount(parts, { importId, role, access: given }) }
    }
    const body = readTexts(request.body, ['instance_url', 'username', 'token', 'upload'])
    const access = {
      instanceUrl: body.instance_url,
      username: body.username,
      token: body.token,
      uploadId: body.upload,
    }
    const isSame = readFlag(request.body, 'same_account')
    return { account: await connectAccount(parts, { importId, role, access, isSame }) }
  })
}
