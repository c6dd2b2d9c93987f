import type { Family } from '../families/index.ts'
import type { Connector } from './contract.ts'
import { csv } from './csv/index.ts'
import { fernhill } from './fernhill/index.ts'
import { ghost } from './ghost/index.ts'
import { open } from './open/index.ts'
import { redmine } from './redmine/index.ts'
import { rt } from './rt/index.ts'
import { tryton } from './tryton/index.ts'
import { wordpress } from './wordpress/index.ts'

/** Every tool we can move data from or to. */
export const connectors: readonly Connector[] = [csv, fernhill, ghost, open, redmine, rt, tryton, wordpress]

export interface SourceTool {
  tool: string
  label: string
  /** Only the families that the destination has too. */
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
