import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { checkOutbound, type KnownRequests } from '../twins/check-outbound.ts'
import { wordpressRequests } from '../twins/wordpress/operations.ts'
import { ghostRequests } from './requests-of-ghost.ts'
import { redmineRequests } from './requests-of-redmine.ts'
import { rtRequests } from './requests-of-rt.ts'

/**
 * The requests of real tools that ignore unknown names. Tryton is not among them: it refuses every unknown model,
 * method and field itself.
 */
export const knownRequests: Partial<Record<string, KnownRequests>> = {
  ghost: ghostRequests,
  redmine: redmineRequests,
  rt: rtRequests,
  wordpress: wordpressRequests,
}

/** Fails a call to one of these servers if the tool does not have such a request. */
export const checkTool = (tool: string, outbound: Outbound, ...urls: string[]): Outbound =>
  urls.reduce((checked, url) => checkOutbound(checked, url, knownRequests[tool] ?? { operations: [] }), outbound)
