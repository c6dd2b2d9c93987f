import { ObstacleError, RetryableError } from '../../errors.ts'
import type { WriteOutcome } from '../contract/contract.ts'

const longestFault = 300

/**
 * An answer that is not what the protocol says. It may be better next time, and never passes as success; a destination
 * that stays so has to be put right. `fault` may hold what came from outside, so it is cut.
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
 * Nobody waits for the answer to a late request, so this is met only by a worker that lost its run, after our database
 * was restored, or where a request arrived twice. Sending again, each time with a higher revision, puts it right.
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

/** Only what was sent with a version can have another one, or be missed. Anything else must not pass for people's doing. */
export function unmet(
  what: string,
  key: string,
  version: string | null | undefined,
  { result }: { result: 'changed' | 'missing' },
): WriteOutcome {
  if (version == null) throw breaksProtocol(`${what} answered ${result} though we named no version`)
  return { key, result }
}
