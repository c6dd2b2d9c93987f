import type { Connector } from '../contract.ts'

/** Fernhill Desk, the help desk of our demo. */
export const fernhill: Connector = {
  tool: 'fernhill',
  label: 'Fernhill Desk',
  families: ['helpdesk'],
  isSource: true,
  movesBetweenInstances: false,
}
