import type { DestinationDescription, DestinationEntity, DestinationField } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import { customFieldsOf } from '../../kit/read-record.ts'
import { describeEntity } from '../../kit/write-record.ts'
import type { AccountFacts } from './account-facts.ts'
import { withMade } from './custom-fields.ts'
import { attachments, comments } from './message-to-family.ts'
import { contacts, groups, organizations } from './people.ts'
import { ticketsAtOnce } from './post-messages.ts'
import { tickets } from './tickets.ts'

/** Describes an entity by its lenses, and adds facts about the entity and single fields. */
function declared<A>(
  entity: Entity<A>,
  about: Parameters<typeof describeEntity>[1],
  more: Record<string, Partial<DestinationField>> = {},
): DestinationEntity {
  const described = describeEntity(entity, about)
  for (const [field, own] of Object.entries(more)) Object.assign(described.fields[field] ?? {}, own)
  return described
}

export function describeAccount(base: string, { fields }: AccountFacts): DestinationDescription {
  const ofSite = <A>(entity: Entity<A>) => ({
    customFields: customFieldsOf(withMade(entity, fields[entity.name as keyof typeof fields]), undefined as A),
  })
  const unchangeable = { removal: 'with parent' as const, isUnchangeable: true }
  const ticket = declared(tickets, ofSite(tickets), { description: { isFixed: true } })
  return {
    account: { name: new URL(base).host },
    textFormat: 'html',
    maxFileBytes: null,
    capabilities: {
      deliveryClass: 'C',
      delete: true,
      silentCreate: true,
      backdate: true,
      createField: false,
      batchSize: 40,
      // Messages of a ticket must be written in order. Within a batch, several tickets are written in parallel.
      concurrency: 1,
      requestsAtOnce: ticketsAtOnce,
      settleMs: 0,
    },
    entities: {
      groups: declared(
        groups,
        { ...ofSite(groups), required: ['name'], unites: { kind: 'queue', by: ['name'] } },
        { description: { type: 'text' } },
      ),
      // An organization is only a text on users, so nothing is created or removed.
      organizations: declared(organizations, {
        ...{ required: ['name'], removal: 'never', unites: { kind: 'organization', by: ['name'] } },
      }),
      contacts: declared(
        contacts,
        { ...ofSite(contacts), unites: { kind: 'person', by: ['emails'] } },
        { phones: { isDetailed: true } },
      ),
      // Request Tracker has one date for both "solved" and "closed".
      tickets: {
        ...ticket,
        fields: { ...ticket.fields, closed_at: { ...(ticket.fields.solved_at as DestinationField) } },
      },
      comments: declared(comments, { required: ['ticket'], ...unchangeable }, { body: { isFixed: true } }),
      attachments: declared(attachments, { required: ['parent', 'file_name'], ...unchangeable }),
    },
  }
}
