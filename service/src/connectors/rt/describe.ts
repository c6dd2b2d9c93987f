import type { FieldType } from '../../families/definition.ts'
import type { DestinationDescription, DestinationField } from '../contract.ts'
import type { AccountFacts } from './account-facts.ts'
import { listFields } from './custom-fields.ts'
import { ticketsAtOnce } from './post-messages.ts'
import { priorityOptions, statusOptions } from './standard-options.ts'

const field = (type: FieldType, more: Partial<DestinationField> = {}): DestinationField => ({
  type,
  many: false,
  required: false,
  maxLength: null,
  options: [],
  ...more,
})
const text = (maxLength: number, more: Partial<DestinationField> = {}) => field('text', { maxLength, ...more })
const many = { many: true }

export function describeAccount(base: string, facts: AccountFacts): DestinationDescription {
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
        fields: { name: text(200, { required: true }), description: text(255), agents: field('user', many) },
        customFields: listFields('groups', facts.fields.groups),
        unites: { kind: 'queue', by: ['name'] },
      },
      // Nothing but a word on its people: there is nothing to create, and nothing to remove.
      organizations: {
        fields: { name: text(200, { required: true }) },
        customFields: [],
        removal: 'never',
        unites: { kind: 'organization', by: ['name'] },
      },
      contacts: {
        fields: {
          name: text(120),
          emails: field('email', { maxLength: 120 }),
          phones: field('phone', { ...many, isDetailed: true }),
          organization: field('relation'),
          language: text(16),
          timezone: text(50),
          notes: field('long_text'),
          is_suspended: field('boolean'),
        },
        customFields: listFields('contacts', facts.fields.contacts),
        unites: { kind: 'person', by: ['emails'] },
      },
      tickets: {
        fields: {
          number: text(100),
          subject: text(200),
          description: field('rich_text', { isFixed: true }),
          status: field('option', { options: statusOptions }),
          priority: field('option', { options: priorityOptions }),
          requester: field('relation'),
          assignee: field('user'),
          group: field('relation'),
          collaborators: field('relation', many),
          followers: field('user', many),
          due_at: field('datetime'),
          solved_at: field('datetime'),
          closed_at: field('datetime'),
          time_spent_s: field('integer'),
          parent_ticket: field('relation'),
          depends_on: field('relation', many),
          linked_tickets: field('relation', many),
        },
        customFields: listFields('tickets', facts.fields.tickets),
      },
      comments: {
        fields: {
          ticket: field('relation', { required: true }),
          author_agent: field('user'),
          author_contact: field('relation'),
          body: field('rich_text', { isFixed: true }),
          is_public: field('boolean'),
        },
        customFields: [],
        removal: 'with parent',
        isUnchangeable: true,
      },
      attachments: {
        fields: {
          parent: field('relation', { required: true }),
          file_name: text(200, { required: true }),
          content_type: text(80),
          size: field('integer'),
          is_private: field('boolean'),
          uploaded_by: field('user'),
        },
        customFields: [],
        removal: 'with parent',
        isUnchangeable: true,
      },
    },
  }
}
