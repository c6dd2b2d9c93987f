import type { Connector } from '../contract/contract.ts'

/** Through this connector a partner's own product is the destination, and the customer knows it by the partner's name. */
const partnersOwnTool = 'open'

/** A tool's name for customers. */
export function nameTool(connectors: readonly Connector[], tool: string, partnerName: string): string {
  if (tool === partnersOwnTool) return partnerName
  return connectors.find((connector) => connector.tool === tool)?.label ?? tool
}
