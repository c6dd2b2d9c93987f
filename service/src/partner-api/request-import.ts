import type { Connector } from '../connectors/contract/contract.ts'
import { type FieldMessages, ValidationError } from '../errors.ts'
import { checkDestination } from '../imports/check-destination.ts'
import type { CreatedImport, Idempotency } from '../imports/create-import.ts'
import { checkNewImport, type NewImportInput } from '../imports/new-import.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { AuthenticatedPartner } from './authenticate.ts'
import type { PartnerApiBackend } from './backend.ts'

export interface ImportRequestParts {
  backend: PartnerApiBackend
  connectors: readonly Connector[]
  outbound: Outbound
}

export interface ImportRequest {
  input: NewImportInput
  /** The schema's messages for properties of the wrong type. */
  malformed: FieldMessages
  idempotency: Idempotency | null
}

/** Creates the import that a partner requests, or answers the import of an earlier request with the same key. */
export async function requestImport(
  { backend, connectors, outbound }: ImportRequestParts,
  partner: AuthenticatedPartner,
  { input, malformed, idempotency }: ImportRequest,
): Promise<CreatedImport> {
  const earlier = idempotency && (await backend.findEarlierImport(partner, idempotency))
  if (earlier) return earlier

  const tools = backend.acceptedTools(partner)
  const { newImport, messages } = checkNewImport(input, malformed, { tools, guard: outbound.guard })
  if (!newImport) throw new ValidationError(messages)
  const connector = connectors.find(({ tool }) => tool === partner.destinationTool)
  const check = await backend.beginDestinationCheck(partner, newImport.instanceUrl)
  using _check = check
  const checked = check && (await checkDestination(connector, newImport, outbound))
  return backend.createImport(partner, { ...newImport, checked }, idempotency)
}
