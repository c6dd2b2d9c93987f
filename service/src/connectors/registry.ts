import type { Family } from '../families/index.ts'
import { ghost } from './blog/ghost/index.ts'
import { wordpress } from './blog/wordpress/index.ts'
import type { Connector } from './contract/contract.ts'
import { hubspot } from './crm/hubspot/index.ts'
import { pipedrive } from './crm/pipedrive/index.ts'
import { tryton } from './crm/tryton/index.ts'
import { csv } from './files/index.ts'
import { fernhill } from './helpdesk/fernhill/index.ts'
import { freshdesk } from './helpdesk/freshdesk/index.ts'
import { helpscout } from './helpdesk/helpscout/index.ts'
import { intercom } from './helpdesk/intercom/index.ts'
import { rt } from './helpdesk/rt/index.ts'
import { zendesk } from './helpdesk/zendesk/index.ts'
import { open } from './open/index.ts'
import { redmine } from './project/redmine/index.ts'

/** Every tool that we can move data from or to. */
export const connectors: readonly Connector[] = [
  csv,
  fernhill,
  freshdesk,
  ghost,
  helpscout,
  hubspot,
  intercom,
  open,
  pipedrive,
  redmine,
  rt,
  tryton,
  wordpress,
  zendesk,
]

export interface SourceTool {
  tool: string
  label: string
  /** Families that both the source and the destination have. */
  families: Family[]
}

/** The tools that can be a source for this destination, sorted by label. */
export function sourceToolsFor(
  destination: { destinationTool: string; families: readonly Family[] },
  registry: readonly Connector[],
): SourceTool[] {
  return registry
    .filter((connector) => connector.source)
    .filter((connector) => connector.movesBetweenInstances || connector.tool !== destination.destinationTool)
    .map(({ tool, label, families }) => ({
      tool,
      label,
      families: families.filter((family) => destination.families.includes(family)),
    }))
    .filter((tool) => tool.families.length > 0)
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
}
