import Type from 'typebox'
import type { SentRelation } from '../../contract/contract.ts'
import { comparing, htmlByWords } from '../../kit/compared-texts.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { made, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { toMoment } from '../../kit/times.ts'
import { fileEntity } from '../file-entity.ts'
import {
  type Facts,
  groupLens,
  languageLens,
  lowered,
  noCustom,
  ownLabels,
  put,
  requesterLens,
  statusLens,
  tagsOf,
  whoIds,
  zoneLens,
} from './lenses.ts'

// Zendesk's API fields that we use, and the family field that each becomes. look-around.ts adds the fields `entry_…` to
// the records: the first comment of a ticket is its description.

const readOnly = { isReadOnly: true }
const stamps = { createdAt: is.moment('created_at', readOnly), updatedAt: is.moment('updated_at', readOnly) }
/** `content_url` and `mapped_content_url` are the addresses by which a text may show a file. */
const html = (from: string, files: string) => htmlByWords(from, files, ['content_url', 'mapped_content_url'])
/** Zendesk keeps 64 KB of a comment and drops the rest without a word. */
const longestComment = 65_535
const commentHtml = (from: string, files: string) => ({ ...html(from, files), maxLength: longestComment })
const define = <A = unknown>(name: string, rules: EntityRules<A>) => defineEntity<A>('helpdesk', name, rules)

const objects = Type.Array(Type.Object({ id: Type.Union([Type.Integer(), Type.String()]) }))
const valuesById = {
  check: objects,
  entries: (list: unknown) =>
    (list as { id: number; value?: unknown }[]).map(({ id, value }): [string, unknown] => [String(id), value ?? null]),
}

/** The account's own id of a record. Our key of an earlier import does not count. */
const externalId = {
  label: 'External id',
  lens: {
    ...is.text('external_id', readOnly),
    read: (id: unknown) => (/^wherry_[0-9a-f]{32}$/.test(String(id)) ? undefined : String(id)),
  },
}

export const groups = define('groups', {
  ...stamps,
  fields: {
    name: is.text('name'),
    description: is.longText('description', { empty: '' }),
    agents: is.people('agents'),
  },
})

export const organizations = define<Facts>('organizations', {
  ...stamps,
  fields: {
    name: is.text('name'),
    domains: comparing(is.texts('domain_names', { empty: [] }), lowered),
    description: is.longText('details'),
    notes: is.longText('notes'),
  },
  extra: { external_id: externalId, tags: { label: 'Tags', lens: is.texts('tags', readOnly) } },
  custom: { from: 'organization_fields', fields: ({ made }) => made.organizations ?? new Map() },
})

export const contacts = define<Facts>('contacts', {
  ...stamps,
  fields: {
    name: is.text('name'),
    emails: comparing(is.emails('emails'), lowered),
    phones: {
      ...comparing(is.phones('phones', { to: 'phone', takesOne: true, note: 'one of them is written' }), (value) =>
        [value].flat().map((one) => String(one).trim()),
      ),
      write: (value) => [value].flat()[0],
    },
    organization: is.reference('organization_id', 'organizations'),
    language: languageLens(null),
    timezone: zoneLens(null),
    notes: is.longText('notes', { empty: '' }),
    // Zendesk returns `false` even if no value was sent.
    is_suspended: comparing(is.flag('suspended', { empty: omit }), (value) => value === true || null),
  },
  extra: {
    external_id: externalId,
    alias: { label: 'Alias', lens: is.text('alias', readOnly) },
    details: { label: 'Details', lens: is.longText('details', readOnly) },
    other_identities: { label: 'Other identities', lens: is.texts('other_identities', readOnly) },
    further_organizations: { label: 'Further organizations', lens: is.texts('further_organizations', readOnly) },
    tags: { label: 'Tags', lens: is.texts('tags', readOnly) },
  },
  custom: { from: 'user_fields', fields: ({ made }) => made.contacts ?? new Map() },
  warns({ further_organizations: others }) {
    const count = Array.isArray(others) ? others.length : 0
    const words = `Zendesk links it to ${count + 1} organizations. One link was copied, and the names of the others.`
    return noticesIf([count > 0, 'relations_left_out', words, { count, field: 'organization' }])
  },
})

export const tickets = define<Facts>('tickets', {
  ...stamps,
  sourceUrl: 'html_url',
  createdBy: is.person('entry_agent', readOnly),
  formerAuthor: 'entry_former',
  also: { custom_status_id: Type.Integer(), problem_id: Type.Integer(), entry_files: objects },
  fields: {
    number: is.numberText('id'),
    subject: is.text('subject', { max: 255 }),
    description: commentHtml('entry_html', 'entry_files'),
    type: is.option('type', ['question', 'incident', 'problem', 'task']),
    status: statusLens(noCustom),
    priority: is.option('priority', ['low', 'normal', 'high', 'urgent']),
    channel: is.text('via.channel', readOnly),
    requester: requesterLens(null),
    assignee: is.person('assignee_id'),
    group: groupLens(new Map()),
    // Zendesk sets the organization from the requester, so it cannot be compared.
    organization: comparing(is.reference('organization_id', 'organizations', { empty: omit }), () => null),
    collaborators: {
      ...comparing(is.references('entry_ccs', 'contacts', { to: 'email_ccs', empty: omit }), whoIds),
      write: (list) => (list as SentRelation[]).map(({ destinationId }) => put(destinationId)),
    },
    followers: {
      ...comparing(is.people('follower_ids', { to: 'followers', empty: omit }), whoIds),
      write: (list) => (list as unknown[]).map(put),
    },
    tags: { ...comparing(is.texts('tags', { empty: [] }), tagsOf), write: tagsOf },
    is_private: comparing(
      is.flag('entry_public', { isInverse: true, empty: omit }),
      (isOpen) => isOpen === false || null,
    ),
    due_at: {
      ...is.moment('due_at', { isWholeSecond: true, empty: omit, note: 'written for tasks only: others have none' }),
      write: (value, { content }) => (content.fields.type === 'task' ? `${String(value).slice(0, 19)}Z` : omit),
    },
    solved_at: comparing(
      is.moment('solved_at', { isWholeSecond: true, empty: omit, note: 'written with new tickets only' }),
      () => null,
    ),
    parent_ticket: made(
      'relation',
      ({ problem_id: id }) => (typeof id === 'number' ? { entity: 'tickets', sourceId: String(id) } : undefined),
      { relates: 'tickets', note: 'the problem of an incident' },
    ),
    linked_tickets: is.references('followup_ids', 'tickets', { ...readOnly, note: 'follow-ups of a closed ticket' }),
  },
  extra: {
    external_id: externalId,
    recipient: { label: 'Recipient', lens: is.text('recipient', readOnly) },
    form: { label: 'Form', lens: is.text('form_name', readOnly) },
    brand: { label: 'Brand', lens: is.text('brand_name', readOnly) },
    satisfaction: { label: 'Satisfaction', lens: is.text('rating', readOnly) },
  },
  custom: { from: 'custom_fields', ...valuesById, fields: ({ made }) => made.tickets ?? new Map() },
  warns({ entry_former: former, custom_status_id: id }, { statusIds }) {
    const words = 'Zendesk does not list its status. Only the category was read.'
    return noticesIf(
      [former, 'author_missing', 'Nobody in the account wrote the first message.'],
      [typeof id === 'number' && !statusIds.has(id), 'field_unreadable', words, { field: 'status' }],
    )
  },
})

export const comments = define('comments', {
  createdAt: is.moment('created_at', readOnly),
  createdBy: is.person('author_agent', readOnly),
  formerAuthor: 'author_former',
  also: { files: objects },
  fields: {
    ticket: is.reference('ticket_id', 'tickets'),
    author_agent: is.person('author_agent'),
    author_contact: is.reference('author_contact', 'contacts'),
    body: commentHtml('html_body', 'files'),
    // A comment without `public: true` counts as internal.
    is_public: comparing(is.flag('public', { absent: false }), (isOpen) => isOpen === true || null),
    channel: is.text('via.channel', readOnly),
  },
  warns: ({ author_agent, author_contact }) =>
    noticesIf([!author_agent && !author_contact, 'author_missing', 'Nobody in the account wrote this comment.']),
})

export const attachments = fileEntity(
  {
    ...{ name: 'file_name', type: 'content_type', isInline: is.flag('inline', readOnly) },
    privacyNote: 'inside the ticket, a file is as private as its message; later, files are written for agents alone',
  },
  { sourceUrl: 'content_url' },
)

/** Zendesk gives position 0 to records without a position. What people moved before those is below zero. */
const position = comparing(is.integer('position', { empty: omit }), (place) => place || null)

export const categories = define('categories', {
  ...stamps,
  sourceUrl: 'html_url',
  fields: {
    name: is.text('name'),
    description: is.longText('description', { empty: '' }),
    parent_category: is.reference('parent', 'categories'),
    position,
  },
})

type Raw = Readonly<Record<string, unknown>>
// An article that only some people may read counts as internal.
export function readersOf({ user_segment_id: one, user_segment_ids: several }: Raw): 'public' | 'internal' {
  const isOpen = Array.isArray(several) ? several.length === 0 : several === undefined || several === null
  return isOpen && (one === null || (one === undefined && Array.isArray(several))) ? 'public' : 'internal'
}

export const articles = define('articles', {
  ...stamps,
  sourceUrl: 'html_url',
  createdBy: is.person('author_id', readOnly),
  also: {
    draft: Type.Boolean(),
    user_segment_id: Type.Unknown(),
    user_segment_ids: Type.Unknown(),
    files: objects,
    comment_count: Type.Integer(),
    has_lost_readers: Type.Boolean(),
  },
  fields: {
    title: is.text('title'),
    body: html('body', 'files'),
    // An article without `draft: false` counts as a draft.
    status: {
      ...made('option', ({ draft }) => (draft === false ? 'published' : 'draft')),
      ...{ to: 'draft', options: ['draft', 'published'], empty: true, write: (status) => status !== 'published' },
      stored: (isDraft, raw) => (raw ? raw.draft !== false : isDraft),
    },
    visibility: {
      ...made('option', readersOf),
      ...{ to: 'visibility', options: ['public', 'internal'], empty: 'internal', write: (readers) => readers },
      stored: (readers, raw) => (raw ? readersOf(raw) : readers),
    },
    category: is.reference('section_id', 'categories'),
    author: is.person('author_id', { empty: omit }),
    locale: is.text('locale', { empty: omit }),
    labels: {
      ...comparing(is.texts('label_names', { empty: [] }), ownLabels),
      read: (list) => ownLabels(list) as string[],
    },
    position,
    published_at: made('datetime', ({ draft, created_at: at }) =>
      draft === false && typeof at === 'string' ? toMoment(at) : undefined,
    ),
    url: is.url('html_url', readOnly),
  },
  extra: { content_tags: { label: 'Content tags', lens: is.texts('content_tags', readOnly) } },
  warns({ comment_count: count, has_lost_readers: isNarrowed }) {
    const words = `Comments of readers on it: ${count}. They were not copied.`
    return noticesIf(
      [Number(count) > 0, 'comments_left_out', words, { count: Number(count) }],
      [isNarrowed === true, 'audience_narrowed', 'Some customers could read it. Its copy is for the staff.'],
    )
  },
})

export const entities = [groups, organizations, contacts, tickets, comments, categories, articles, attachments]
