import type { Connector } from '../contract/contract.ts'

/** With this connector the destination is the partner's own product. Customers know it by the partner's name. */
const partnersOwnTool = 'open'

/** The name that customers see for a tool. */
export function nameTool(connectors: readonly Connector[], tool: string, partnerName: string): string {
  if (tool === partnersOwnTool) return partnerName
  return connectors.find((connector) => connector.tool === tool)?.label ?? tool
}
