import { type RawBuilder, sql } from 'kysely'
import { goneFromSource, isUndecided } from '../imports/gone-records.ts'
import type { ClaimedRun } from './lease.ts'

export { goneFromSource }

/** The rows that a run may remove: an undo all of them, a removal those that the source no longer has. */
export const isRemovable = ({ kind }: Pick<ClaimedRun, 'kind'>): RawBuilder<boolean> =>
  kind === 'removal' ? isUndecided('m') : sql`true`
