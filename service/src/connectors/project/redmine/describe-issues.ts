import type { Family } from '../../../families/index.ts'
import type { DestinationEntity } from '../../contract/contract.ts'
import type { Vocabulary } from './vocabulary.ts'
import { customTaken } from './write-custom-fields.ts'
import { field, options } from './writing.ts'

/** Describes the fields of an issue as a destination, under each family's names. */
export function describeIssues(vocabulary: Vocabulary, family: Family): DestinationEntity {
  const customFields = customTaken(vocabulary, 'issue')
  const shared = {
    type: options(vocabulary.trackers),
    status: options(vocabulary.statuses),
    priority: options(vocabulary.priorities),
    assignee: field('user'),
    is_private: field('boolean'),
  }
  if (family === 'helpdesk') {
    const fields = {
      number: field('text'),
      subject: field('text', { required: true, maxLength: 255 }),
      description: field('rich_text'),
      ...shared,
      group: field('relation', { required: true }),
      requester: field('relation'),
      collaborators: field('relation', { many: true }),
      followers: field('user', { many: true }),
      due_at: field('datetime'),
      parent_ticket: field('relation'),
      depends_on: field('relation', { many: true }),
      linked_tickets: field('relation', { many: true }),
    }
    return { fields, customFields, sendsMail: true }
  }
  const fields = {
    key: field('text'),
    title: field('text', { required: true, maxLength: 255 }),
    body: field('rich_text'),
    ...shared,
    project: field('relation', { required: true }),
    milestone: field('relation'),
    component: field('relation'),
    reporter: field('user'),
    watchers: field('user', { many: true }),
    progress_percent: field('integer'),
    estimate_hours: field('decimal'),
    start_on: field('date'),
    due_on: field('date'),
    parent_issue: field('relation'),
    blocks: field('relation', { many: true }),
    precedes: field('relation', { many: true }),
    relates_to: field('relation', { many: true }),
    duplicates: field('relation', { many: true }),
    copied_to: field('relation', { many: true }),
  }
  return { fields, customFields, sendsMail: true }
}
