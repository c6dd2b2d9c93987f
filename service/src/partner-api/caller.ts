import type { FastifyRequest } from 'fastify'
import type { ImportDetail } from '../imports/import-rows.ts'
import type { AuthenticatedPartner } from './authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The first hook of every partner route sets it; null elsewhere. */
    authenticatedAs: AuthenticatedPartner | null
    /** The import that the path names, if it is the caller's. */
    foundImport: ImportDetail | null
  }
}

export function callerOf(request: FastifyRequest): AuthenticatedPartner {
  if (!request.authenticatedAs) throw new Error('a partner route ran without authentication')
  return request.authenticatedAs
}
