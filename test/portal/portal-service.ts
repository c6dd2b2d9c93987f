import { resolve } from 'node:path'
import { request } from 'undici'
import { checkoutDir } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { createImport } from '../../service/src/imports/create-import.ts'
import type { NewImport } from '../../service/src/imports/new-import.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { startTestService } from '../support/service.ts'

export const builtWeb = resolve(checkoutDir, 'web/dist')

export interface PortalServiceOptions {
  /** The folder of the built web part; by default the real one. */
  webDist?: string
  /** The configured origin; by default the address where the service listens. */
  origin?: string
  failedAuthLimit?: number
}

export interface PortalCall {
  headers?: Record<string, string>
  /** An object is sent as JSON; a string is sent unchanged. */
  body?: unknown
}

/** The service, seen from the customer's side. */
export async function startPortalService(options: PortalServiceOptions = {}) {
  const service = await startTestService({
    config: {
      rateLimit: 0,
      origin: options.origin ?? null,
      ...(options.failedAuthLimit === undefined ? {} : { failedAuthLimit: options.failedAuthLimit }),
    },
    ...(options.webDist === undefined ? {} : { webDist: options.webDist }),
  })
  const { db, keyRing, links, origin } = service
  return {
    app: service.app,
    db,
    origin,
    async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, { headers = {}, body }: PortalCall = {}) {
      const answer = await request(`${origin}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      return { status: answer.statusCode, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null }
    },
    /** An import of a new partner, as the partner API would create it. */
    async createImport(input: Partial<NewImport> & { partnerName?: string } = {}) {
      const { partnerName = 'Harbour', ...given } = input
      const partner = await createPartner(
        db,
        { connectors, keyRing },
        { name: partnerName, destination: 'open', families: ['helpdesk'] },
      )
      const imp = await createImport(
        db,
        keyRing,
        { id: partner.id, destinationTool: 'open' },
        {
          sourceTool: 'fernhill',
          family: 'helpdesk',
          instanceUrl: null,
          username: null,
          token: null,
          startFull: false,
          checked: null,
          ...given,
        },
        null,
      )
      const token = links.token(imp)
      return { id: imp.id, token, path: `/imports/${imp.id}/${token}` }
    },
    close: service.close,
  }
}

export type PortalService = Awaited<ReturnType<typeof startPortalService>>
