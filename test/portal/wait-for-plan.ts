import { expect, vi } from 'vitest'
import type { PortalPlan } from '../../service/src/portal/mapping-contract.ts'

interface Portal {
  act(method: string, path: string): Promise<{ json: unknown }>
}

/** The plan of an import, once it is made. */
export function waitForPlan({ act }: Portal): Promise<PortalPlan> {
  return vi.waitFor(
    async () => {
      const plan = (await act('GET', '/plan')).json as PortalPlan
      expect(plan.state).toBe('finished')
      return plan
    },
    { timeout: 300_000, interval: 100 },
  )
}
