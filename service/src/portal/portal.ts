import type { FastifyInstance } from 'fastify'
import { answerError } from '../http-errors.ts'
import { refuseUnstorable } from '../refuse-unstorable.ts'
import { registerAccountRoutes } from './accounts.routes.ts'
import { registerActionRoutes } from './actions.routes.ts'
import { registerCertificateRoutes } from './certificate.routes.ts'
import { registerContactRoutes } from './contact.routes.ts'
import { registerCorrectionRoutes } from './corrections.routes.ts'
import { registerImportRoutes } from './imports.routes.ts'
import { LookOnlyError } from './keep-look-only.ts'
import { registerLiveRoutes } from './live.routes.ts'
import { registerMappingRoutes } from './mapping.routes.ts'
import { registerPageRoutes } from './page.routes.ts'
import { registerPaymentRoutes } from './payment.routes.ts'
import { registerPeopleRoutes } from './people.routes.ts'
import { registerPlanRoutes } from './plan.routes.ts'
import type { PortalOptions, PortalParts } from './portal-parts.ts'
import { registerRecordRoutes } from './records.routes.ts'
import { registerReportRoutes } from './report.routes.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import { registerSessionRoutes } from './session.routes.ts'
import { registerSignInRoutes } from './sign-in.routes.ts'
import { registerSponsorshipRoutes } from './sponsorship.routes.ts'
import { registerUploadRoutes } from './uploads.routes.ts'
import { registerVisitorRoutes } from './visitor.routes.ts'

const isStream = (body: unknown) => typeof body === 'object' && body !== null && 'pipe' in body

/** The customer's side: the page behind the redirect, and the JSON routes that it calls. */
export async function portal(app: FastifyInstance, options: PortalOptions): Promise<void> {
  const parts: PortalParts = {
    ...options,
    isSecure: (request) => request.protocol === 'https' || options.origin().startsWith('https:'),
  }
  sendSecurityHeaders(app)
  app.setErrorHandler((error: Error, request, reply) =>
    error instanceof LookOnlyError
      ? reply.code(403).send({ error: 'forbidden', message: error.message })
      : answerError(error, request, reply),
  )
  // A form of another site cannot send JSON. Without this parser such a request is refused.
  app.removeContentTypeParser('text/plain')
  app.addHook('preHandler', async ({ body, query, params, routeOptions }) => {
    // A part of an upload is no JSON; its route reads it as bytes.
    if (!isStream(body)) refuseUnstorable(body)
    refuseUnstorable(query)
    // An unknown import is answered like one without a session, whatever its id; the page opens at any address.
    const { id: _, ...named } = params as Record<string, unknown>
    if (routeOptions.url?.startsWith('/portal/')) refuseUnstorable(named)
  })
  // First: its hook names the person who acts, for all routes that follow.
  registerVisitorRoutes(app, parts)
  await registerPageRoutes(app, parts)
  registerSessionRoutes(app, parts)
  registerImportRoutes(app, parts)
  registerLiveRoutes(app, parts)
  registerAccountRoutes(app, parts)
  registerSignInRoutes(app, parts)
  registerActionRoutes(app, parts)
  registerPeopleRoutes(app, parts)
  registerPlanRoutes(app, parts)
  registerMappingRoutes(app, parts)
  registerCorrectionRoutes(app, parts)
  registerRecordRoutes(app, parts)
  registerReportRoutes(app, parts)
  registerCertificateRoutes(app, parts)
  registerSponsorshipRoutes(app, parts)
  registerPaymentRoutes(app, parts)
  registerContactRoutes(app, parts)
  await registerUploadRoutes(app, parts)
}
