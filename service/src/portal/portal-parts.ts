import type { FastifyRequest } from 'fastify'
import type { Connector } from '../connectors/contract/contract.ts'
import type { ReadDatabase } from '../db/prepare-query.ts'
import type { RunStarter } from '../imports/start-run.ts'
import type { KeyRing } from '../key-ring.ts'
import type { FailureLimiter } from '../limit-failures.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { PaymentProviders } from '../payments/provider.ts'
import type { PortalLinks } from '../portal-link.ts'
import type { UploadEnqueue } from '../uploads/finish-upload.ts'
import type { PortalViewExamples } from './mapping.routes.ts'
import type { PortalRecordViews, PortalTitleRecords } from './records.routes.ts'

export interface PortalOptions extends PortalRecordViews, ReadDatabase {
  links: PortalLinks
  connectors: readonly Connector[]
  keyRing: KeyRing
  outbound: Outbound
  /** Hands runs over to the workers. */
  starter: RunStarter
  /** Shows some real records as a mapping would make them. */
  viewExamples: PortalViewExamples
  /** Asks the destination for the titles of records. */
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
