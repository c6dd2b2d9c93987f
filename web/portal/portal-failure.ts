import type { PortalError } from '../../service/src/portal/contract.ts'

export type Ended = NonNullable<PortalError['ended']>

/** Why no import can be shown. Each kind has its own screen. */
export type FailureReason =
  | { kind: 'invalid link' }
  | { kind: 'signed out' }
  | { kind: 'cookies refused' }
  | { kind: 'ended'; ended: Ended }
  | { kind: 'unavailable'; reference: string | null }

export class PortalFailure extends Error {
  override name = 'PortalFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(reason.kind, options)
    this.reason = reason
  }
}
