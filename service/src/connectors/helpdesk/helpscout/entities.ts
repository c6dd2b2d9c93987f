import Type from 'typebox'
import { htmlByWords } from '../../kit/compared-texts.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { lens, made, omit, takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { fileEntity } from '../file-entity.ts'
import {
  articleWords,
  comparedLabels,
  comparing,
  type Facts,
  joinName,
  longestWholeName,
  lowered,
  objects,
  ownLabels,
  splitName,
  trimmed,
  withoutNumber,
} from './lenses.ts'

// Fields of the two APIs that we use, and the family field that each becomes. look-around.ts adds the fields `entry_…`
// to the records.

const readOnly = { isReadOnly: true }
const createdAt = is.moment('createdAt', readOnly)
const updatedAt = is.moment('updatedAt', readOnly)
const keptAt = is.moment('createdAt', { isWholeSecond: true })
/** `web_url` and `data_url` are the addresses by which a text may show a file. */
const html = (from: string, files: string) => htmlByWords(from, files, ['web_url', 'data_url'])
const define = <A = unknown>(name: string, rules: EntityRules<A>) => defineEntity<A>('helpdesk', name, rules)

export const groups = define('groups', {
  ...{ createdAt, updatedAt },
  fields: { name: is.text('name', readOnly), agents: is.people('agents', readOnly) },
})

export const organizations = define<Facts>('organizations', {
  fields: {
    name: is.text('name'),
    domains: { ...comparing(is.texts('domains', { empty: [] }), lowered), write: lowered },
    description: is.longText('description'),
    notes: is.longText('note'),
  },
  extra: {
    website: { label: 'Website', lens: is.text('website', readOnly) },
    location: { label: 'Location', lens: is.text('location', readOnly) },
    phones: { label: 'Phones', lens: is.phones('phones', readOnly) },
  },
  custom: { from: 'entry_properties', fields: ({ organizationProperties }) => organizationProperties },
})

const postalAddress = is.address(
  'entry_address',
  { line1: 'line1', line2: 'line2', city: 'city', region: 'state', postalCode: 'postalCode', country: 'country' },
  readOnly,
)

export const contacts = define<Facts>('contacts', {
  ...{ createdAt, updatedAt },
  fields: {
    name: lens('text', {
      ...{ from: 'entry_name', check: Type.String(), max: longestWholeName },
      note: 'in two parts of at most 40 characters',
      read: (name) => name,
      write: (name) => name,
      stored: (name) => joinName(splitName(name)),
    }),
    emails: comparing(is.emails('entry_emails', { hasPrimary: true, empty: [] }), lowered),
    phones: comparing(is.phones('entry_phones', { empty: [] }), trimmed),
    organization: is.reference('organizationId', 'organizations'),
    notes: is.longText('background', { max: 200 }),
  },
  extra: {
    job_title: { label: 'Job title', lens: is.text('jobTitle', readOnly) },
    location: { label: 'Location', lens: is.text('location', readOnly) },
    organization_name: { label: 'Organization name', lens: is.text('entry_organization', readOnly) },
    address: { label: 'Address', lens: postalAddress },
    websites: { label: 'Websites', lens: is.texts('entry_websites', readOnly) },
    social_profiles: { label: 'Social profiles', lens: is.texts('entry_profiles', readOnly) },
    chats: { label: 'Chat handles', lens: is.texts('entry_chats', readOnly) },
    gender: { label: 'Gender', lens: is.text('entry_gender', readOnly) },
    age: { label: 'Age', lens: is.text('age', readOnly) },
  },
  custom: { from: 'entry_properties', fields: ({ properties }) => properties },
})

export const tickets = define<Facts>('tickets', {
  createdAt: keptAt,
  sourceUrl: 'entry_url',
  createdBy: is.person('entry_agent', readOnly),
  also: { entry_files: objects, entry_number: Type.Unknown() },
  fields: {
    number: {
      ...is.numberText('number'),
      ...{ write: () => omit, note: 'written into a note for agents' },
      wanted: (number) => number,
      stored: (sent, raw) => (raw ? raw.entry_number : sent) || null,
    },
    // Help Scout itself shows "(no subject)" for a mail without a subject.
    subject: is.text('subject', { empty: '(no subject)' }),
    description: html('entry_html', 'entry_files'),
    // Help Scout sets the status "active" if none is given.
    status: comparing(
      is.option('status', { active: 'open', pending: 'pending', closed: 'closed' }, { empty: omit }),
      (status) => (status === 'active' ? null : status),
    ),
    channel: is.text('type', readOnly),
    requester: is.reference('entry_customer', 'contacts'),
    assignee: is.person('entry_assignee'),
    group: is.reference('entry_team', 'groups', readOnly),
    tags: { ...comparing(is.texts('entry_tags', { empty: [] }), lowered), write: lowered },
    is_private: comparing(is.flag('entry_private'), (isPrivate) => isPrivate === true || null),
    closed_at: comparing(
      is.moment('closedAt', { isWholeSecond: true, empty: omit, note: 'written with new tickets only' }),
      () => null,
    ),
  },
  extra: {
    inbox: { label: 'Inbox', lens: is.text('entry_inbox', readOnly) },
    to: { label: 'To', lens: is.texts('entry_to', readOnly) },
    forwarded_to: { label: 'Forwarded to', lens: is.texts('entry_forwarded', readOnly) },
    cc: { label: 'CC', lens: is.texts('entry_cc', readOnly) },
    // The customer never sees these addresses.
    bcc: { label: 'BCC', lens: is.texts('entry_bcc', readOnly), isRestricted: true },
    rating: { label: 'Rating', lens: is.text('entry_rating', readOnly) },
    rating_comment: { label: 'Rating comment', lens: is.longText('entry_rating_comment', readOnly) },
    snoozed_until: { label: 'Snoozed until', lens: is.moment('snooze.snoozedUntil', readOnly) },
  },
  custom: { from: 'entry_fields', fields: ({ fields }) => fields },
})

export const comments = define('comments', {
  createdAt: keptAt,
  createdBy: is.person('author_agent', readOnly),
  also: { files: objects },
  fields: {
    ticket: is.reference('ticket_id', 'tickets'),
    author_agent: is.person('author_agent'),
    author_contact: is.reference('author_contact', 'contacts'),
    body: html('body', 'files'),
    is_public: comparing(is.flag('entry_public', { absent: false }), (isPublic) => isPublic === true || null),
    channel: is.text('type', readOnly),
  },
  warns: ({ author_agent, author_contact }) =>
    noticesIf([!author_agent && !author_contact, 'author_missing', 'Nobody in the account wrote this comment.']),
})

export const attachments = fileEntity(
  { name: 'filename', type: 'mimeType', isInline: takenElsewhere(is.flag('is_inline')) },
  { sourceUrl: 'entry_url' },
)

export const categories = define('categories', {
  ...{ createdAt, updatedAt },
  sourceUrl: 'publicUrl',
  fields: {
    name: is.text('name'),
    slug: is.text('slug', readOnly),
    description: is.longText('description', readOnly),
    parent_category: is.reference('parent', 'categories'),
    position: is.integer('order', readOnly),
  },
})

const seenBy = ({ entry_visibility: seen }: Readonly<Record<string, unknown>>) =>
  seen === 'public' ? 'public' : 'internal'

export const articles = define('articles', {
  ...{ createdAt, updatedAt },
  sourceUrl: 'publicUrl',
  createdBy: is.person('entry_author', readOnly),
  also: {
    ...{ status: Type.String(), entry_visibility: Type.String(), categories: Type.Array(Type.String()) },
    ...{ hasDraft: Type.Boolean(), files: objects },
  },
  fields: {
    title: comparing(is.text('name'), withoutNumber),
    slug: is.text('slug', readOnly),
    // Help Scout refuses an article without text.
    body: { ...html('text', 'files'), empty: '<p>&nbsp;</p>', stored: articleWords },
    // An article without the status "published" counts as a draft. An article without "public" visibility counts as
    // internal.
    status: {
      ...made('option', ({ status }) => (status === 'published' ? 'published' : 'draft')),
      ...{ to: 'status', options: ['draft', 'published'], empty: 'notpublished' },
      write: (status) => (status === 'published' ? 'published' : 'notpublished'),
      stored: (sent, raw) => (raw ? raw.status : sent) === 'published',
    },
    visibility: {
      ...made('option', seenBy, { note: 'by the collection and the category' }),
      ...{ to: 'visibility', options: ['public', 'internal'], empty: 'internal', write: (readers) => readers },
      stored: (readers, raw) => (raw ? seenBy(raw) : readers),
    },
    category: is.reference('entry_category', 'categories'),
    author: is.person('entry_author', readOnly),
    labels: { ...comparing(is.texts('keywords', { empty: [] }), comparedLabels), read: ownLabels },
    published_at: is.moment('lastPublishedAt', readOnly),
    url: is.url('publicUrl', readOnly),
  },
  warns({ categories, hasDraft }) {
    const count = Array.isArray(categories) ? categories.length : 0
    const message = `It is in ${count} categories. It was copied into the first one.`
    return noticesIf(
      [count > 1, 'relations_left_out', message, { count: count - 1, field: 'category' }],
      [hasDraft === true, 'draft_left_out', 'Its draft was not copied.'],
    )
  },
})

export const entities = [groups, organizations, contacts, tickets, comments, categories, articles, attachments]
