import type { Account, Conversation } from './account.ts'
import { presentCompany } from './companies.ts'
import { presentFiles, presentParts, shownBody } from './parts.ts'
import { tagList } from './people.ts'
import type { Field } from './search.ts'
import { plainText, shownAuthor } from './texts.ts'

export const contactList = ({ contacts }: Account, ids: readonly string[]) => ({
  type: 'contact.list',
  contacts: ids.map((id) => ({ type: 'contact', id, external_id: contacts.get(id)?.externalId ?? null })),
})

/** Recorded answers count the first message, too, which is no part. */
const partCount = (account: Account, id: string) => account.partsOf(id).length + 1

export function presentConversation(account: Account, one: Conversation, { isPlain = false, withParts = false } = {}) {
  const company = one.companyId === null ? undefined : account.companies.get(one.companyId)
  const count = partCount(account, one.id)
  const people = [
    ...new Set(account.partsOf(one.id).flatMap(({ author }) => (author.type === 'admin' ? author.id : []))),
  ]
  return {
    type: 'conversation',
    id: one.id,
    title: one.title,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    waiting_since: one.waitingSince,
    snoozed_until: one.snoozedUntil,
    open: one.state !== 'closed',
    state: one.state,
    read: one.isRead,
    priority: one.priority,
    admin_assignee_id: one.adminAssigneeId,
    team_assignee_id: one.teamAssigneeId,
    ...(company && { company: presentCompany(account, company) }),
    tags: tagList(account, one.tagIds),
    conversation_rating: null,
    source: {
      type: one.sourceType,
      id: one.sourceId,
      delivered_as: one.author.type === 'admin' ? 'admin_initiated' : 'customer_initiated',
      subject: isPlain ? plainText(one.subject) : one.subject,
      body: shownBody(account, one.body, isPlain),
      author: shownAuthor(one.author),
      attachments: presentFiles(account, one.fileIds),
      url: null,
      redacted: false,
    },
    contacts: contactList(account, one.contactIds),
    teammates:
      people.length === 0 ? null : { type: 'admin.list', teammates: people.map((id) => ({ type: 'admin', id })) },
    custom_attributes: one.custom,
    first_contact_reply: null,
    sla_applied: null,
    // A conversation without replies has no counts.
    statistics: count === 1 ? null : { type: 'conversation_statistics', count_conversation_parts: count },
    ticket: null,
    linked_objects: { type: 'list', data: [], total_count: 0, has_more: false },
    ai_agent: null,
    ai_agent_participated: false,
    ...(withParts && { conversation_parts: presentParts(account, one.id, 'conversation_part', isPlain) }),
  }
}

export const conversationFields = (account: Account): Record<string, Field<Conversation>> => ({
  id: { type: 'string', of: ({ id }) => id },
  created_at: { type: 'date', of: ({ createdAt }) => createdAt },
  updated_at: { type: 'date', of: ({ updatedAt }) => updatedAt },
  'source.type': { type: 'string', of: ({ sourceType }) => sourceType },
  'source.id': { type: 'string', of: ({ sourceId }) => sourceId },
  'source.subject': { type: 'string', of: ({ subject }) => subject },
  'source.body': { type: 'words', of: ({ body }) => plainText(body) },
  'source.author.id': { type: 'string', of: ({ author }) => author.id },
  'source.author.email': { type: 'string', of: ({ author }) => author.email },
  contact_ids: { type: 'string', of: ({ contactIds }) => contactIds },
  admin_assignee_id: { type: 'integer', of: ({ adminAssigneeId }) => adminAssigneeId },
  team_assignee_id: { type: 'integer', of: ({ teamAssigneeId }) => teamAssigneeId },
  open: { type: 'boolean', of: ({ state }) => state !== 'closed' },
  read: { type: 'boolean', of: ({ isRead }) => isRead },
  state: { type: 'string', of: ({ state }) => state },
  tag_ids: { type: 'string', of: ({ tagIds }) => tagIds },
  priority: { type: 'string', of: ({ priority }) => priority },
  waiting_since: { type: 'date', of: ({ waitingSince }) => waitingSince },
  snoozed_until: { type: 'date', of: ({ snoozedUntil }) => snoozedUntil },
  'statistics.count_conversation_parts': { type: 'integer', of: ({ id }) => partCount(account, id) },
})
