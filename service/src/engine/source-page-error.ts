import { isDatabaseUnavailable } from '../db/open-database.ts'
import { ObstacleError } from '../errors.ts'
import { LeaseLostError } from './lease.ts'
import type { Stage } from './run-context.ts'

/** A page of the source that could not be read, and how the run can get past it. The cause says why. */
export class SourcePageError extends Error {
  override name = 'SourcePageError'
  readonly stage: Stage
  /** The checkpoint of the stage: this page. */
  readonly cursor: string | null
  /** The cursor after the page; null if unknown. */
  readonly after: string | null
  /** The records that were asked for, where that was done by name. */
  readonly named: readonly string[]

  constructor(
    stage: Stage,
    page: { cursor: string | null; after: string | null; named?: readonly string[] },
    cause: unknown,
  ) {
    super(`a page of ${stage.entity} could not be read`, { cause })
    this.stage = stage
    this.cursor = page.cursor
    this.after = page.after
    this.named = page.named ?? []
  }
}

/** Whether the error is about the page. A refused account, a lost run or a lost database is not. */
export const isPageFailure = (error: unknown): boolean =>
  !(error instanceof ObstacleError || error instanceof LeaseLostError || isDatabaseUnavailable(error))
