import type { Connector } from '../connectors/contract/contract.ts'
import type { Intake } from '../connectors/contract/upload-contract.ts'
import { ValidationError } from '../errors.ts'

/** The part of a connector that reads uploads. Most tools have none, because they have accounts. */
export function findIntake(connectors: readonly Connector[], tool: string): Intake {
  const connector = connectors.find((candidate) => candidate.tool === tool)
  const intake = connector?.source?.intake
  if (intake) return intake
  throw new ValidationError({ upload: [`is not possible: ${connector?.label ?? tool} is connected as an account`] })
}
