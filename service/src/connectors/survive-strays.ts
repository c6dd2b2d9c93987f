import { AccountRefusedError, FileMissingError, ObstacleError, RetryableError } from '../errors.ts'
import { sayThrown } from './kit/say-thrown.ts'
import { homeOf } from './locate-connector.ts'

/** Errors of the kit's requests. A connector that does not wait for a request leaves one behind. */
const ofRequests = [RetryableError, ObstacleError, AccountRefusedError, FileMissingError]

/**
 * An error that a connector throws where nobody waits for it does not end the service: in a promise that it forgot, or
 * in a timer. Any other error that nobody handles still does.
 */
export function surviveStrays(places: readonly string[], print: (line: string) => void): void {
  const folders = places.flatMap((place) => homeOf(place) ?? [])
  /** The folder that the error comes from. Only a connector throws something else than an error, without a place. */
  const folderOf = (error: unknown) => {
    if (!(error instanceof Error)) return folders.join(' or ')
    const stack = String(error.stack).replaceAll('%20', ' ')
    return folders.find((one) => stack.includes(`${one}/`))
  }
  process.on('unhandledRejection', (error) => {
    const folder = folderOf(error)
    if (folder === undefined && !ofRequests.some((known) => error instanceof known)) throw error
    const place = folder === undefined ? 'a connector' : `the connector at ${folder}`
    print(`A promise of ${place} failed, and no code waited for it: ${sayThrown(error)}`)
  })
  process.on('uncaughtException', (error) => {
    const folder = folderOf(error)
    if (folder === undefined) throw error
    print(`The connector at ${folder} threw an error that no code could handle: ${sayThrown(error)}`)
  })
}
