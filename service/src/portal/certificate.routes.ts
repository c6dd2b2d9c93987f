import type { FastifyInstance, FastifyRequest } from 'fastify'
import { certificateKeysPath } from '../certificates/certificate-keys.routes.ts'
import { findCertificate, findNewestCertificate } from '../certificates/issue-certificate.ts'
import { printCertificate } from '../certificates/print-certificate.ts'
import { RequestError } from '../errors.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { readLanguage } from './read-body.ts'

type WithRun = { Params: { id: string }; Querystring: { run?: unknown; language?: unknown } }

/** The signed certificate of a run, as a file and for paper; without a run, the newest. */
export function registerCertificateRoutes(app: FastifyInstance, parts: PortalParts): void {
  const options = { schema: { hide: true } }
  const find = async (request: FastifyRequest<WithRun>) => {
    const imp = await admitByCookie(parts, request)
    const { run } = request.query
    const found =
      typeof run === 'string'
        ? await findCertificate(parts.db, run, imp.id)
        : await findNewestCertificate(parts, imp.id)
    if (found) return found
    throw new RequestError(
      'not_found',
      'There is no certificate yet: it is made when a migration or an undo is finished.',
    )
  }

  app.get<WithRun>('/portal/imports/:id/certificate.json', options, async (request, reply) => {
    const found = await find(request)
    return reply
      .type('application/json; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="certificate-${found.certificate.run.id}.json"`)
      .send(JSON.stringify(found, null, 2))
  })

  app.get<WithRun>('/portal/imports/:id/certificate', options, async (request, reply) => {
    const found = await find(request)
    const { language } = request.query
    const page = { language: readLanguage(typeof language === 'string' ? language : null) }
    return reply
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      )
      .type('text/html; charset=utf-8')
      .send(printCertificate(found, { ...page, keysUrl: `${parts.origin()}${certificateKeysPath}` }))
  })
}
