import type { TwinRequest } from '../answers.ts'
import type { Clock } from '../clock.ts'
import type { ToolRules } from '../tool-twin.ts'
import { createAccount, type SearchRules } from './account.ts'
import { associationOperations } from './associations.ts'
import { batchOperations } from './batches.ts'
import { fileOperations } from './files.ts'
import { type HubspotPlan, hubspotLimits } from './limits.ts'
import { createOAuth } from './oauth.ts'
import { objectOperations } from './objects.ts'
import { createPipelines, pipelineOperations } from './pipelines.ts'
import { searchOperations } from './search.ts'
import { ownerOperations, propertyOperations } from './settings.ts'

export interface HubspotRules extends SearchRules {
  token: string
  plan?: HubspotPlan | null
}

export function hubspotRules(clock: Clock, { token, plan = null, ...options }: HubspotRules) {
  const account = createAccount(clock, options)
  createPipelines(account)
  const oauth = createOAuth(clock)
  const rules: ToolRules = {
    operations: [
      ...oauth.operations,
      ...ownerOperations(account),
      ...objectOperations(account),
      ...batchOperations(account),
      ...searchOperations(account),
      ...associationOperations(account),
      ...propertyOperations(account),
      ...pipelineOperations(account),
      ...fileOperations(account),
    ],
    admit(request: TwinRequest) {
      const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      return oauth.isOpen(request) || given === token ? null : oauth.refusalOf(given)
    },
    limits: hubspotLimits(plan),
    // The client ends some paths with a slash.
    addressOf(url) {
      if (!url.pathname.endsWith('/')) return url
      const address = new URL(url)
      address.pathname = address.pathname.slice(0, -1)
      return address
    },
    keyOf: ({ json }) => keyIn(json),
  }
  return { rules, account, oauth }
}

/** A batch is identified by its first record. */
function keyIn(json: { inputs?: { id?: string }[] } | undefined): string | undefined {
  const id = json?.inputs?.[0]?.id
  return typeof id === 'string' ? id : undefined
}
