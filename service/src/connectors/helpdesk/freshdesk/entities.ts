import Type from 'typebox'
import type { FieldValue } from '../../../families/record.ts'
import { comparing } from '../../kit/compared-texts.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { lens, made, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { toMoment } from '../../kit/times.ts'
import { fileEntity } from '../file-entity.ts'
import {
  type Facts,
  html,
  languageLens,
  linkedHtml,
  longestTag,
  lowered,
  mostTags,
  ownLabels,
  priorityLens,
  readersOf,
  statusLens,
  tagsOf,
  typeLens,
} from './lenses.ts'

// Freshdesk's API fields that we use, and the family field that each becomes. look-around.ts adds lists such as
// `files`, `emails` and `author_agent` to the records.

const readOnly = { isReadOnly: true }
const stamps = { createdAt: is.moment('created_at', readOnly), updatedAt: is.moment('updated_at', readOnly) }
const define = (name: string, rules: EntityRules<Facts>) => defineEntity<Facts>('helpdesk', name, rules)
const objects = Type.Array(Type.Object({ id: Type.Union([Type.Integer(), Type.String()]) }))
const customOf = (entity: string) => ({
  from: 'custom_fields',
  fields: ({ made }: Facts) => made[entity] ?? new Map(),
})
const ticketsIn = (list: unknown): FieldValue =>
  (list as number[]).map((id) => ({ entity: 'tickets', sourceId: String(id) }))
const cloudFiles = { label: 'Files in a cloud', lens: is.texts('cloud_files', readOnly) }
const related = Type.Array(Type.Integer({ minimum: 1 }))

export const groups = define('groups', {
  ...stamps,
  fields: {
    name: is.text('name', { max: 255 }),
    description: is.longText('description', { empty: '' }),
    agents: is.people('agent_ids', { empty: [] }),
  },
})

export const organizations = define('organizations', {
  ...stamps,
  fields: {
    name: is.text('name', { max: 255 }),
    domains: comparing(is.texts('domains', { empty: [] }), lowered),
    description: is.longText('description'),
    notes: is.longText('note'),
  },
  extra: {
    health_score: { label: 'Health score', lens: is.text('health_score', readOnly) },
    account_tier: { label: 'Account tier', lens: is.text('account_tier', readOnly) },
    industry: { label: 'Industry', lens: is.text('industry', readOnly) },
    renewal_date: { label: 'Renewal date', lens: is.dayOf('renewal_date', readOnly) },
  },
  custom: customOf('organizations'),
})

export const contacts = define('contacts', {
  ...stamps,
  also: { other_companies: Type.Array(Type.Unknown()) },
  fields: {
    name: is.text('name', { max: 255 }),
    // The first address is the primary one. A change removes no address, because people may have added it.
    emails: comparing(is.emails('emails'), lowered),
    // `mobile` is not written: Freshdesk refuses a contact whose mobile number another contact has.
    phones: {
      ...comparing(is.phones('phones', { to: 'phone', takesOne: true, note: 'one of them is written' }), (value) =>
        [value].flat().map((one) => String(one).trim()),
      ),
      write: (value) => [value].flat()[0],
    },
    organization: is.reference('company_id', 'organizations'),
    language: languageLens(null),
    timezone: is.text('time_zone', readOnly),
    notes: is.longText('description'),
    is_suspended: is.flag('is_blocked', readOnly),
  },
  extra: {
    job_title: { label: 'Job title', lens: is.text('job_title', readOnly) },
    address: { label: 'Address', lens: is.longText('address', readOnly) },
    twitter_id: { label: 'Twitter', lens: is.text('twitter_id', readOnly) },
    facebook_id: { label: 'Facebook', lens: is.text('facebook_id', readOnly) },
    unique_external_id: { label: 'External ID', lens: is.text('unique_external_id', readOnly) },
    tags: { label: 'Tags', lens: is.texts('tags', readOnly) },
  },
  custom: customOf('contacts'),
  warns({ other_companies: others }) {
    const count = Array.isArray(others) ? others.length : 0
    const words = 'This person belongs to further companies.'
    return noticesIf([count > 0, 'relations_left_out', words, { count, field: 'organization' }])
  },
})

/** The subject of a ticket that has none, such as a chat. */
export const noSubject = '(no subject)'

export const tickets = define('tickets', {
  ...stamps,
  sourceUrl: 'html_url',
  also: {
    ...{ files: objects, association_type: Type.Integer(), associated_tickets_list: related, source: Type.Integer() },
    ...{ has_lost_agent: Type.Boolean(), has_lost_follower: Type.Boolean() },
  },
  fields: {
    number: is.numberText('id'),
    // Freshdesk refuses a ticket without a subject.
    subject: is.text('subject', { max: 255, empty: noSubject }),
    description: linkedHtml('description'),
    type: typeLens([]),
    status: statusLens(new Map()),
    priority: priorityLens,
    channel: made('text', ({ source }, { sources }) =>
      typeof source === 'number' ? (sources.get(String(source)) ?? String(source)) : undefined,
    ),
    requester: is.reference('requester_id', 'contacts'),
    assignee: is.person('responder_id'),
    group: is.reference('group_id', 'groups'),
    organization: is.reference('company_id', 'organizations', {
      ...readOnly,
      note: 'Freshdesk uses that of the requester',
    }),
    collaborators: is.references('cc_ids', 'contacts', { ...readOnly, note: 'of people who have an account' }),
    followers: is.people('watcher_ids', readOnly),
    tags: {
      ...comparing(is.texts('tags', { empty: [], max: longestTag, note: 'at most 30' }), lowered),
      write: (list) => tagsOf(list).slice(0, mostTags),
    },
    due_at: is.moment('due_by', { ...readOnly, note: 'Freshdesk computes it by its own rules' }),
    solved_at: is.moment('stats.resolved_at', readOnly),
    closed_at: is.moment('stats.closed_at', readOnly),
    parent_ticket: {
      ...is.reference('parent_id', 'tickets', { empty: omit }),
      read: (id) => ({ entity: 'tickets', sourceId: String(id) }),
    },
    linked_tickets: made(
      'relation',
      ({ association_type: kind, associated_tickets_list: list }) =>
        kind === 3 && Array.isArray(list) ? ticketsIn(list) : undefined,
      { many: true, relates: 'tickets', note: 'the tickets of a tracker' },
    ),
  },
  extra: {
    cc_emails: { label: 'CC', lens: is.texts('cc_emails', readOnly) },
    reply_cc_emails: { label: 'CC of replies', lens: is.texts('reply_cc_emails', readOnly) },
    to_emails: { label: 'To', lens: is.texts('to_emails', readOnly) },
    fwd_emails: { label: 'Forwarded to', lens: is.texts('fwd_emails', readOnly) },
    ticket_bcc_emails: { label: 'BCC', lens: is.texts('ticket_bcc_emails', readOnly), isRestricted: true },
    mailbox: { label: 'Mailbox', lens: is.text('mailbox', readOnly) },
    internal_agent: { label: 'Internal agent', lens: is.text('internal_agent', readOnly) },
    internal_group: { label: 'Internal group', lens: is.text('internal_group', readOnly) },
    cloud_files: cloudFiles,
    product: {
      label: 'Product',
      lens: lens('text', {
        from: 'product_id',
        check: Type.Integer(),
        read: (id, _raw, { products }: Facts) => products.get(id) ?? String(id),
      }),
    },
  },
  custom: customOf('tickets'),
  warns: ({ requester_id: id, has_lost_agent, has_lost_follower }) =>
    noticesIf(
      [id === null, 'author_missing', 'The person who asked was deleted.'],
      [has_lost_agent, 'field_unreadable', 'Its agent has no account any more.', { field: 'assignee' }],
      [has_lost_follower, 'follower_left_out', 'A follower is no agent any more.'],
    ),
})

/** Freshdesk's codes for the channel of a conversation. */
const sources: Readonly<Record<number, string>> = {
  ...{ 0: 'reply', 2: 'note', 5: 'twitter', 6: 'survey', 7: 'facebook' },
  ...{ 8: 'forwarded_email', 9: 'phone', 11: 'e_commerce' },
}

export const comments = define('comments', {
  createdAt: is.moment('created_at', readOnly),
  createdBy: is.person('author_agent', readOnly),
  also: { files: objects, source: Type.Integer() },
  fields: {
    ticket: is.reference('ticket_id', 'tickets'),
    author_agent: is.person('author_agent'),
    author_contact: is.reference('author_contact', 'contacts'),
    body: html('body'),
    // A comment without `private: false` counts as internal.
    is_public: comparing(
      is.flag('private', { isInverse: true, absent: false }),
      (isPrivate) => isPrivate === false || null,
    ),
    channel: made('text', ({ source }) =>
      typeof source === 'number' ? (sources[source] ?? String(source)) : undefined,
    ),
  },
  extra: {
    to_emails: { label: 'To', lens: is.texts('to_emails', readOnly) },
    cc_emails: { label: 'CC', lens: is.texts('cc_emails', readOnly) },
    bcc_emails: { label: 'BCC', lens: is.texts('bcc_emails', readOnly), isRestricted: true },
    support_email: { label: 'Mailbox', lens: is.text('support_email', readOnly) },
    cloud_files: cloudFiles,
  },
  warns: ({ author_agent, author_contact }) =>
    noticesIf([!author_agent && !author_contact, 'author_missing', 'Nobody in the account wrote this comment.']),
})

export const attachments = fileEntity<Facts>({
  ...{ name: 'name', type: 'content_type', isInline: is.flag('is_inline', readOnly) },
  privacyNote: 'a private file of a public text is written for agents alone',
})

export const categories = define('categories', {
  ...stamps,
  sourceUrl: 'html_url',
  fields: {
    name: is.text('name'),
    description: is.longText('description', { empty: '' }),
    parent_category: is.reference('parent', 'categories'),
  },
})

type Raw = Readonly<Record<string, unknown>>
// An article that only some people may read counts as internal.
const seenBy = ({ visibility }: Raw) => (readersOf(visibility) === 'public' ? 'public' : 'internal')

export const articles = define('articles', {
  ...stamps,
  sourceUrl: 'html_url',
  createdBy: is.person('author_agent', readOnly),
  also: { files: objects, status: Type.Integer(), visibility: Type.Integer() },
  fields: {
    title: is.text('title'),
    // Freshdesk refuses an article without text.
    body: { ...linkedHtml('description'), empty: '<p>&nbsp;</p>' },
    // An article without the status "published" counts as a draft.
    status: {
      ...made('option', ({ status }) => (status === 2 ? 'published' : 'draft')),
      ...{ to: 'status', options: ['draft', 'published'], empty: 1 },
      write: (status) => (status === 'published' ? 2 : 1),
      stored: (sent, raw) => (raw ? raw.status : sent) === 2,
    },
    visibility: {
      ...made('option', seenBy, { note: 'by the folder' }),
      ...{ to: 'visibility', options: ['public', 'internal'], empty: 'internal', write: (readers) => readers },
      stored: (readers, raw) => (raw ? seenBy(raw) : readers),
    },
    category: is.reference('folder_id', 'categories'),
    author: is.person('author_agent', { to: 'agent_id', empty: omit }),
    locale: is.text('locale', readOnly),
    labels: {
      ...comparing(is.texts('tags', { empty: [], max: longestTag }), (list) => lowered(ownLabels(list))),
      ...{ read: ownLabels, write: tagsOf },
    },
    published_at: made('datetime', (raw) =>
      raw.status === 2 && typeof raw.created_at === 'string' ? toMoment(raw.created_at) : undefined,
    ),
    url: is.url('html_url', readOnly),
  },
  extra: { cloud_files: cloudFiles },
  warns: ({ author_agent, visibility }) =>
    noticesIf(
      [!author_agent, 'author_missing', 'Nobody in the account wrote this article.'],
      [readersOf(visibility) === null, 'audience_narrowed', 'Some customers could read it. Its copy is for the staff.'],
    ),
})

export const entities = [groups, organizations, contacts, tickets, comments, categories, articles, attachments]
