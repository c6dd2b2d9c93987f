import type { ImportStatus, PortalImport } from '../../../service/src/portal/contract.ts'

const runningStatuses: readonly ImportStatus[] = [
  'sample_migration_in_progress',
  'migration_in_progress',
  'undo_in_progress',
]

export function isRunning(imp: PortalImport): boolean {
  return runningStatuses.includes(imp.status_code)
}

/** Whether the customer or an obstacle has paused the run. */
export function isHeld(imp: PortalImport): boolean {
  return isRunning(imp) && imp.run?.state === 'paused'
}

/** The finished share of the current run in percent; null without a run or while its total is unknown. */
export function percentDone(imp: PortalImport): number | null {
  const { done, total } = imp.progress
  if (!isRunning(imp) || total === null || total <= 0) return null
  return Math.min(100, (done / total) * 100)
}
