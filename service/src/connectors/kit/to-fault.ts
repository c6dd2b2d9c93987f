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
import { sayThrown } from './say-thrown.ts'

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
  try {
    return judge(tool, call, error, home)
  } catch {
    return new ConnectorFaultError(tool, `${call} threw a value that cannot be read`)
  }
}

function judge(tool: string, call: string, error: unknown, home: string | null): unknown {
  if (meant.some((known) => error instanceof known) || isAddressRefusal(error)) return error
  if (!(error instanceof Error)) {
    return new ConnectorFaultError(tool, `${call} threw something that is no error: ${sayThrown(error).slice(0, 100)}`)
  }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at [^/]*\//.test(line))
  const isMistake = mistakes.some((known) => error instanceof known)
  const place = home === null ? null : placeIn(home, isMistake ? frames : frames.slice(0, 1))
  if (place === null) return error
  return new ConnectorFaultError(tool, `${call} failed at ${place}: ${sayThrown(error).slice(0, 200)}`, {
    cause: error,
  })
}

/** File and line of the first frame of a stack that is in the folder; null if there is none. */
export function placeIn(home: string, frames: readonly string[]): string | null {
  const inside = `${home}/`
  const line = frames.map((one) => one.replaceAll('%20', ' ')).find((one) => one.includes(inside))
  return line === undefined ? null : line.slice(line.indexOf(inside) + inside.length).replace(/\)$/, '')
}
