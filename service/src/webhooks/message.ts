import { type Static, Type } from 'typebox'
import { families } from '../families/index.ts'
import { importStatuses, statusTexts } from '../lifecycle.ts'
import type { PortalLinks } from '../portal-link.ts'
import type { EventContent } from './claim-deliveries.ts'

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Enum([...values], { type: 'string', description })
const count = Type.Integer({ minimum: 0 })

export const WebhookMessage = Type.Object(
  {
    id: Type.String({ description: 'The import’s id' }),
    token: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Opens the portal of this one import' }),
    status_code: oneOf(importStatuses, 'The status in snake case'),
    status: oneOf(Object.values(statusTexts), 'Status text'),
    family: oneOf(families, 'Product family'),
    items: Type.Record(Type.String(), count, {
      description: 'Records of each entity in the destination through this import, at the moment of the change',
    }),
    users: Type.Object({ source_tool: count, destination_tool: count, matched: count }),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String(),
          message: Type.String(),
          entity: Type.String(),
          count: Type.Integer({ minimum: 1 }),
        }),
        { minItems: 1, maxItems: 100, description: 'Present only if there are any' },
      ),
    ),
    sequence: Type.Integer({ minimum: 1, description: 'Grows by one with each change of the import' }),
    timestamp: Type.Integer({ minimum: 0, description: 'Milliseconds since 1970 at the moment of this attempt' }),
    request: Type.Optional(
      oneOf(['sponsorship'], 'The customer asks you to pay for the full migration; the status has not changed'),
    ),
    test: Type.Optional(
      Type.Literal(true, { type: 'boolean', description: 'Sent by the operator to try the target; no such import' }),
    ),
  },
  { title: 'WebhookMessage' },
)

export type WebhookMessage = Static<typeof WebhookMessage>

/** The content of a test message. The sandbox answers for this import. */
const example: EventContent = {
  importId: 'imp_sandbox_migration_completed',
  linkVersion: 1,
  family: 'helpdesk',
  status: 'migration_completed',
  items: { contacts: 234, tickets: 123 },
  users: { source_tool: 5, destination_tool: 4, matched: 3 },
  warnings: [],
  sequence: 1,
  request: null,
}
/** Opens nothing: the import does not exist. */
const exampleToken = '0'.repeat(32)

/** The body that the partner gets. Without content it is a test message. */
export function presentMessage(content: EventContent | null, links: PortalLinks, sentAt: Date): WebhookMessage {
  const { importId, linkVersion, family, status, items, users, warnings, sequence, request } = content ?? example
  return {
    id: importId,
    token: content ? links.token({ id: importId, link_version: linkVersion }) : exampleToken,
    status_code: status,
    status: statusTexts[status],
    family,
    items,
    users,
    ...(warnings.length > 0 ? { warnings } : {}),
    sequence,
    timestamp: sentAt.getTime(),
    ...(request ? { request } : {}),
    ...(content ? {} : { test: true as const }),
  }
}
