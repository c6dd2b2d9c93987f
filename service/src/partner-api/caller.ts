import type { FastifyRequest } from 'fastify'
import { ScopeMissingError } from '../errors.ts'
import { type ImportDetail, type ImportEntry, isImportId } from '../imports/import-rows.ts'
import { allows, type TokenScope } from '../partners/token-scopes.ts'
import type { AuthenticatedPartner } from './authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The first hook of every partner route sets it; null elsewhere. */
    authenticatedAs: AuthenticatedPartner | null
    /** The import that the path names, if it is the caller's. */
    foundImport: ImportDetail | null
    /** The list that the query asks for, if it was found together with the token. */
    foundList: ImportEntry[] | null
  }

  interface FastifyContextConfig {
    /** The route lists the rows of a customer. */
    listsRows?: boolean
    /** Every route of the partner API names the scope that it needs. */
    scope?: TokenScope
  }
}

export function callerOf(request: FastifyRequest): AuthenticatedPartner {
  if (!request.authenticatedAs) throw new Error('a partner route ran without authentication')
  return request.authenticatedAs
}

/** Refuses a token that is limited to other scopes. In the sandbox, the scope `sandbox` stands for every other. */
export function requireScope({ scopes }: AuthenticatedPartner, scope: TokenScope, isSandbox: boolean): void {
  if (isSandbox ? allows(scopes, scope, 'sandbox') : allows(scopes, scope)) return
  throw new ScopeMissingError(
    `This API token may not do that: it needs the scope ${scope}. Ask the operator of the service for a token with it.`,
  )
}

/** Rows to find together with the token. Nothing is checked yet, so only harmless values are passed on. */
export function wantedRows(request: FastifyRequest): { importId: string | null; username: string | null } {
  const { id = null } = (request.params ?? {}) as { id?: string }
  const { destination_username: username, after } = request.query as Record<string, unknown>
  const isListed = request.routeOptions.config.listsRows === true && after === undefined && isUsername(username)
  return { importId: id !== null && isImportId(id) ? id : null, username: isListed ? username : null }
}

const isUsername = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 320 && !value.includes('\0') && value.isWellFormed()
