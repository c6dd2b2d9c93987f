import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Connector } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import type { PortalLinks } from '../imports/portal-link.ts'
import type { RunStarter } from '../imports/start-run.ts'
import type { KeyRing } from '../key-ring.ts'
import type { FailureLimiter } from '../limit-failures.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { PaymentProviders } from '../payments/provider.ts'
import { refuseUnstorable } from '../refuse-unstorable.ts'
import type { UploadEnqueue } from '../uploads/finish-upload.ts'
import { registerAccountRoutes } from './accounts.routes.ts'
import { registerActionRoutes } from './actions.routes.ts'
import { registerContactRoutes } from './contact.routes.ts'
import { registerCorrectionRoutes } from './corrections.routes.ts'
import { registerImportRoutes } from './imports.routes.ts'
import { registerLiveRoutes } from './live.routes.ts'
import { type PortalViewExamples, registerMappingRoutes } from './mapping.routes.ts'
import { registerPageRoutes } from './page.routes.ts'
import { registerPaymentRoutes } from './payment.routes.ts'
import { registerPeopleRoutes } from './people.routes.ts'
import { registerPlanRoutes } from './plan.routes.ts'
import { type PortalRecordViews, type PortalTitleRecords, registerRecordRoutes } from './records.routes.ts'
import { registerReportRoutes } from './report.routes.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import { registerSessionRoutes } from './session.routes.ts'
import { registerSignInRoutes } from './sign-in.routes.ts'
import { registerSponsorshipRoutes } from './sponsorship.routes.ts'
import { registerUploadRoutes } from './uploads.routes.ts'
import { registerVisitorRoutes } from './visitor.routes.ts'

export interface PortalOptions extends PortalRecordViews {
  db: Db
  links: PortalLinks
  connectors: readonly Connector[]
  keyRing: KeyRing
  outbound: Outbound
  /** Hands runs over to the workers. */
  starter: RunStarter
  /** Shows some real records as a mapping would make them. */
  viewExamples: PortalViewExamples
  /** Asks the destination what it calls records. */
  titleRecords: PortalTitleRecords
  /** Hands uploads over to them. */
  enqueueUpload: UploadEnqueue
  uploadLimitBytes: number
  /** The ways to pay for a full migration. */
  providers: PaymentProviders
  /** Whether there is a mail server. */
  sendsMail: boolean
  /** Public address of the service. */
  origin: () => string
  /** Links that open nothing, by the address they were tried from. */
  failedSessions: FailureLimiter
  /** Folder of the built web part. */
  webDist: string
}

export interface PortalParts extends PortalOptions {
  /** Whether the customer's browser speaks https with us, be it through a proxy. */
  isSecure(request: FastifyRequest): boolean
}

const isStream = (body: unknown) => typeof body === 'object' && body !== null && 'pipe' in body

/** The customer's side: the page behind the redirect, and the JSON routes that it calls. */
export async function portal(app: FastifyInstance, options: PortalOptions): Promise<void> {
  const parts: PortalParts = {
    ...options,
    isSecure: (request) => request.protocol === 'https' || options.origin().startsWith('https:'),
  }
  sendSecurityHeaders(app)
  // What a form of another site can send is no JSON; with this parser gone it is refused.
  app.removeContentTypeParser('text/plain')
  app.addHook('preHandler', async ({ body, query }) => {
    // A part of an upload is no JSON; its route reads it as bytes.
    if (!isStream(body)) refuseUnstorable(body)
    refuseUnstorable(query)
  })
  // First: it tells who acts for all routes that follow.
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
  registerSponsorshipRoutes(app, parts)
  registerPaymentRoutes(app, parts)
  registerContactRoutes(app, parts)
  await registerUploadRoutes(app, parts)
}
