import type { PortalError } from '../../service/src/portal/contract.ts'

export type Ended = NonNullable<PortalError['ended']>

/** Why there is no import to show; each kind has a screen of its own. */
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
