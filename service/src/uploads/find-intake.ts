import type { Connector } from '../connectors/contract.ts'
import type { Intake } from '../connectors/upload-contract.ts'
import { ValidationError } from '../errors.ts'

/** How this tool takes uploads. Most tools do not: they have accounts. */
export function findIntake(connectors: readonly Connector[], tool: string): Intake {
  const connector = connectors.find((candidate) => candidate.tool === tool)
  const intake = connector?.source?.intake
  if (intake) return intake
  throw new ValidationError({ upload: [`is not possible: ${connector?.label ?? tool} is connected as an account`] })
}
