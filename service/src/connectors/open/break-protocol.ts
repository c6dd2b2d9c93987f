import { ObstacleError, RetryableError } from '../../errors.ts'

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
 * The destination has a later revision of a record than the one that was sent. Nobody waits for the answer to a late
 * request, so this is met only by a worker that lost its run, or after our database was restored. Sending again, with a
 * higher revision each time, puts it right.
 */
export function outdated(what: string, { revision }: { revision: number }): RetryableError {
  return breaksProtocol(`${what} answered outdated for a record that we have just sent: it has revision ${revision}`)
}
