import type { PortalImport, PortalObstacle } from '../../../service/src/portal/contract.ts'
import { isRunning } from './running.ts'

/** The obstacle of the run under way; null when there is none, or when only the customer paused it. */
export function obstacleOf(imp: PortalImport): PortalObstacle | null {
  const obstacle = isRunning(imp) ? (imp.run?.obstacle ?? null) : null
  return obstacle?.code === 'paused' ? null : obstacle
}

/** The account that only the customer can open again. An account that fails only for some records is not lost. */
export function brokenRole(imp: PortalImport): 'source' | 'destination' | null {
  const obstacle = obstacleOf(imp)
  const isOpen = obstacle?.can_skip === true
  return obstacle?.must_act === 'customer' && !isOpen ? (obstacle.role ?? null) : null
}
