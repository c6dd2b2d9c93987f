import {
  AccountRefusedError,
  ConnectorFaultError,
  FileMissingError,
  isAddressRefusal,
  ObstacleError,
  OtherProgramError,
  RetryableError,
} from '../../errors.ts'
import { RefusedError } from './outcomes.ts'

/** Errors with a meaning for the engine, which a connector may throw. */
const meant = [
  RetryableError,
  ObstacleError,
  AccountRefusedError,
  OtherProgramError,
  FileMissingError,
  RefusedError,
] as const
/** A kit that was called with something else throws one of these. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError] as const

/**
 * The error that a call of a connector ends with. A mistake in the connector's own code becomes a fault that names the
 * call and the line. Errors of the service, such as a lost lease, pass unchanged.
 */
export function toFault(tool: string, call: string, error: unknown, home: string | null): unknown {
  if (meant.some((known) => error instanceof known) || isAddressRefusal(error)) return error
  if (!(error instanceof Error)) {
    return new ConnectorFaultError(tool, `${call} threw something that is no error: ${String(error).slice(0, 100)}`)
  }
  const inside = `${home}/`
  const frames = (error.stack ?? '')
    .replaceAll('%20', ' ')
    .split('\n')
    .filter((line) => /^\s+at [^/]*\//.test(line))
  const line = home === null ? undefined : frames.find((one) => one.includes(inside))
  const isMistake = mistakes.some((known) => error instanceof known)
  if (line === undefined || !(isMistake || line === frames[0])) return error
  const place = line.slice(line.indexOf(inside) + inside.length).replace(/\)$/, '')
  return new ConnectorFaultError(tool, `${call} failed at ${place}: ${error.message.slice(0, 200)}`, { cause: error })
}
