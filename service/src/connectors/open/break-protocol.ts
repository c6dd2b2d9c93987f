import { ObstacleError, RetryableError } from '../../errors.ts'
import type { WriteOutcome } from '../contract/contract.ts'

const longestFault = 300

/**
 * An answer that does not follow the protocol. It never counts as success. We retry, and if the fault stays, the
 * destination's operator must fix it. `fault` may contain text from outside, so it is shortened.
 */
export function breaksProtocol(fault: string): RetryableError {
  const cut = fault.slice(0, longestFault)
  return new RetryableError(`the destination does not keep to the protocol: ${cut}`, {
    obstacle: new ObstacleError(
      'protocol_broken',
      'operator',
      `The destination does not keep to the protocol: ${cut}. Please tell the partner who runs it; "wherry conformance" shows what to put right.`,
    ),
  })
}

/**
 * The destination already has a newer revision. This happens only to a worker that lost its run, after our database was
 * restored, or when a request arrived twice. Sending again with a higher revision solves it.
 */
export function outdated(sent: number, { revision }: { revision: number }): RetryableError {
  const fault = `the destination has revision ${revision} of a record of which we sent revision ${sent}`
  return new RetryableError(fault, {
    obstacle: new ObstacleError(
      'protocol_broken',
      'operator',
      `Nothing was written: ${fault}. Either our database was restored from an older copy, or the destination counts wrongly; "wherry conformance" tells which.`,
    ),
  })
}

/**
 * Only a record sent with a version may be reported as changed or missing. Otherwise the answer breaks the protocol,
 * and must not look like an edit by people.
 */
export function unmet(
  what: string,
  key: string,
  version: string | null | undefined,
  { result }: { result: 'changed' | 'missing' },
): WriteOutcome {
  if (version == null) throw breaksProtocol(`${what} answered ${result} though we named no version`)
  return { key, result }
}
