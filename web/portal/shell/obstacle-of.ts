import type { PortalImport, PortalObstacle } from '../../../service/src/portal/contract.ts'
import { isRunning } from './running.ts'

/** The obstacle of the current run; null if there is none, or if the customer has paused the run. */
export function obstacleOf(imp: PortalImport): PortalObstacle | null {
  const obstacle = isRunning(imp) ? (imp.run?.obstacle ?? null) : null
  return obstacle?.code === 'paused' ? null : obstacle
}

/**
 * The account that only the customer can connect again. An account that fails for some records only does not count.
 */
export function brokenRole(imp: PortalImport): 'source' | 'destination' | null {
  const obstacle = obstacleOf(imp)
  const isOpen = obstacle?.can_skip === true
  return obstacle?.must_act === 'customer' && !isOpen ? (obstacle.role ?? null) : null
}
