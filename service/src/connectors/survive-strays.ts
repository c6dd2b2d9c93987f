import { resolve } from 'node:path'
import { AccountRefusedError, FileMissingError, ObstacleError, RetryableError } from '../errors.ts'

/** Errors of the kit's requests. A connector that does not wait for a request leaves one behind. */
const ofRequests = [RetryableError, ObstacleError, AccountRefusedError, FileMissingError]

/**
 * A promise that a connector made and nobody waits for does not end the service when it fails. Any other failure that
 * nobody handles still does.
 */
export function surviveStrays(places: readonly string[], print: (line: string) => void): void {
  const folders = places.map((place) => resolve(place))
  process.on('unhandledRejection', (error) => {
    const stack = error instanceof Error ? String(error.stack) : ''
    const folder = folders.find((one) => stack.includes(`${one}/`))
    if (folder === undefined && !ofRequests.some((known) => error instanceof known)) throw error
    const place = folder === undefined ? 'a connector' : `the connector at ${folder}`
    print(`A promise of ${place} failed, and no code waited for it: ${(error as Error).message}`)
  })
}
