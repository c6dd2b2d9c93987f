import type { FastifyInstance } from 'fastify'
import { findAccess, type Role } from '../accounts/sealed-access.ts'
import { connectAccount } from '../authorizations/connect-account.ts'
import type { AccountAccess } from '../connectors/contract/contract.ts'
import { credentialsOf, givenValue, isAccountField, wireNames } from '../connectors/credentials.ts'
import { ValidationError } from '../errors.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalAccess } from './contract.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import type { PortalParts } from './portal-parts.ts'
import { readFlag, readTexts } from './read-body.ts'
import { readRole } from './read-role.ts'

type ForRole = { Params: { id: string; role: string } }

/** Shows and connects the two accounts. */
export function registerAccountRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db, keyRing, connectors } = parts
  const credentialsFor = (imp: PortalImportRow, role: Role) => {
    const name = role === 'source' ? imp.source_tool : imp.destination_tool
    return credentialsOf(
      connectors.find(({ tool }) => tool === name),
      role,
    )
  }
  const path = '/portal/imports/:id/accounts/:role'
  const options = { schema: { hide: true }, bodyLimit: 16 * 1024 }

  // For connecting again: only the secret must be typed anew.
  app.get<ForRole>(path, options, async (request): Promise<PortalAccess> => {
    const imp = await admitByCookie(parts, request)
    const role = readRole(request.params.role)
    // An operator who looks sees which fields there are, and nothing that was typed into them.
    const isOperatorsLook = imp.session.operator_role !== null
    const access = isOperatorsLook ? null : await findAccess(db, keyRing, imp.id, role)
    const named: Record<string, string | null> =
      role === 'destination' && !isOperatorsLook
        ? { instanceUrl: imp.destination_instance_url, username: imp.destination_username }
        : {}
    const fields = credentialsFor(imp, role).map(
      ({ name, wireName, isSecret, isOptional, pattern, example, link, words }) => ({
        name: wireName,
        is_secret: isSecret,
        ...(isOptional && { is_optional: true as const }),
        pattern: pattern ?? null,
        example: example ?? null,
        link: link ?? null,
        value: isSecret ? null : ((access && givenValue(access, name)) ?? named[name] ?? null),
        words,
      }),
    )
    return { fields }
  })

  app.put<ForRole>(path, options, async (request) => {
    const imp = await admitAction(parts, request)
    const { id: importId } = imp
    const role = readRole(request.params.role)
    if (readFlag(request.body, 'confirm')) {
      const given = await findAccess(db, keyRing, importId, role)
      if (!given) throw new ValidationError({ [role]: ['has not been given yet, so there is nothing to confirm'] })
      return { account: await connectAccount(parts, { importId, role, access: given }) }
    }
    const own = credentialsFor(imp, role).filter(({ name }) => !isAccountField(name))
    const names = own.map(({ name }) => name)
    const body = readTexts(request.body, [...Object.values(wireNames), ...names])
    const more = names.flatMap((name) => (body[name] ? [[name, body[name]] as const] : []))
    const access: AccountAccess = {
      instanceUrl: body.instance_url ?? null,
      username: body.username ?? null,
      token: body.token ?? null,
      uploadId: body.upload ?? null,
      ...(more.length > 0 && { more: Object.fromEntries(more) }),
    }
    const isSame = readFlag(request.body, 'same_account')
    return { account: await connectAccount(parts, { importId, role, access, isSame }) }
  })
}
