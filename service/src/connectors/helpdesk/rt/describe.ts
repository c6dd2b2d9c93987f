import { entityOf } from '../../../families/index.ts'
import type { DestinationDescription, DestinationField } from '../../contract/contract.ts'
import { describeEntity } from '../../kit/write-record.ts'
import type { AccountFacts } from './account-facts.ts'
import { listFields } from './custom-fields.ts'
import { contacts, groups } from './people.ts'
import { ticketsAtOnce } from './post-messages.ts'
import { tickets } from './tickets.ts'

type Fields = Record<string, Partial<DestinationField>>

/** Fields of the family, with what is to be said of them besides. */
function take(entity: string, more: Fields): Record<string, DestinationField> {
  const known = entityOf('helpdesk', entity).fields
  const fields = Object.entries(more).map(([name, own]): [string, DestinationField] => {
    const { type = 'text', many = false } = known[name] ?? {}
    return [name, { type, many, required: false, maxLength: null, options: [], ...own }]
  })
  return Object.fromEntries(fields)
}

/** What the lenses say, and what is to be said besides. */
function declared(
  entity: typeof groups | typeof tickets,
  facts: AccountFacts,
  more: Fields = {},
  required: string[] = [],
) {
  const name = entity.name as keyof AccountFacts['fields']
  const { fields, customFields } = describeEntity(entity as typeof tickets, {
    required,
    customFields: listFields(name, facts.fields[name]),
  })
  for (const [field, own] of Object.entries(more)) Object.assign(fields[field] ?? {}, own)
  return { fields, customFields }
}

export function describeAccount(base: string, facts: AccountFacts): DestinationDescription {
  const required = { required: true }
  const unchangeable = { customFields: [], removal: 'with parent' as const, isUnchangeable: true }
  const ticket = declared(tickets, facts, { description: { isFixed: true } })
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
      // Messages of a ticket must be written in their order. Several tickets are written at once within a batch.
      concurrency: 1,
      requestsAtOnce: ticketsAtOnce,
      settleMs: 0,
    },
    entities: {
      groups: {
        ...declared(groups, facts, { description: { type: 'text' } }, ['name']),
        unites: { kind: 'queue', by: ['name'] },
      },
      // Nothing but a word on its people: there is nothing to create, and nothing to remove.
      organizations: {
        fields: take('organizations', { name: { ...required, maxLength: 200 } }),
        customFields: [],
        removal: 'never',
        unites: { kind: 'organization', by: ['name'] },
      },
      contacts: {
        ...declared(contacts, facts, { emails: { many: false }, phones: { isDetailed: true } }),
        unites: { kind: 'person', by: ['emails'] },
      },
      tickets: { ...ticket, fields: { ...ticket.fields, ...take('tickets', { closed_at: {} }) } },
      comments: {
        fields: take('comments', {
          ...{ ticket: required, author_agent: {}, author_contact: {}, body: { isFixed: true }, is_public: {} },
        }),
        ...unchangeable,
      },
      attachments: {
        fields: take('attachments', {
          ...{ parent: required, file_name: { ...required, maxLength: 200 }, content_type: { maxLength: 80 } },
          ...{ size: {}, is_private: {}, uploaded_by: {} },
        }),
        ...unchangeable,
      },
    },
  }
}
