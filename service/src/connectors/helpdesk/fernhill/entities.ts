import Type from 'typebox'
import type { FieldType } from '../../../families/definition.ts'
import type { FamilyRecord, RichText, UserRef } from '../../../families/record.ts'
import { type MadeField, madeFields } from '../../kit/custom-fields.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { made, type RawRecord } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { htmlWithPictures } from '../../kit/shown-pictures.ts'

// Fernhill's API fields that we read (see demo/fernhill/README.md), and the family field that each becomes.

const stamps = { createdAt: is.moment('created_at'), updatedAt: is.moment('updated_at') }
const define = <A = unknown>(name: string, rules: EntityRules<A>) =>
  defineEntity<A>('helpdesk', name, { ...stamps, ...rules })

export const groups = define<ReadonlyMap<unknown, readonly UserRef[]>>('groups', {
  fields: {
    name: is.text('name'),
    description: is.longText('description'),
    agents: made('user', ({ id }, members) => [...(members.get(id) ?? [])], { many: true }),
  },
})

export const organizations = define('organizations', {
  fields: { name: is.text('name'), domains: is.texts('domains'), notes: is.longText('notes') },
  extra: {
    phone: { label: 'Phone', lens: is.phone('phone') },
    address: { label: 'Address', lens: is.address('address', null) },
  },
})

export const contacts = define('contacts', {
  fields: {
    name: is.text('name'),
    emails: is.emails('emails'),
    phones: is.phones('phones'),
    organization: is.reference('organization_id', 'organizations'),
    language: is.text('language'),
    notes: is.longText('notes'),
  },
})

export const tickets = define<ReadonlyMap<string, MadeField>>('tickets', {
  sourceUrl: 'url',
  childCounts: { comments: 'comment_count' },
  fields: {
    number: is.numberText('number'),
    subject: is.text('subject'),
    description: is.richText('description', 'html'),
    type: is.option('type'),
    status: is.option('status'),
    priority: is.option('priority'),
    channel: is.text('channel'),
    requester: is.reference('requester_id', 'contacts'),
    assignee: is.person('assignee_id'),
    group: is.reference('group_id', 'groups'),
    organization: is.reference('organization_id', 'organizations'),
    tags: is.texts('tags'),
    due_at: is.moment('due_at'),
  },
  extra: { cc: { label: 'Cc', lens: is.emails('cc', { hasPrimary: false }) } },
  custom: { from: 'custom_fields', fields: (made) => made },
})

const author = is.person('author_id', { when: ({ author_type }) => author_type === 'agent' })

export const comments = define('comments', {
  createdBy: author,
  also: { author_type: is.oneOf('agent', 'contact'), attachments: Type.Array(Type.Object({ id: Type.Integer() })) },
  fields: {
    ticket: is.reference('ticket_id', 'tickets'),
    author_agent: author,
    author_contact: is.reference('author_id', 'contacts', { when: ({ author_type }) => author_type === 'contact' }),
    body: htmlWithPictures('body', { files: 'attachments', addresses: ['url', 'content_url'] }),
    // A comment without `public` counts as internal.
    is_public: is.flag('public', { absent: false }),
  },
})

/** The API gives a file no author and no visibility: both come from the file's comment. */
export const attachments = define<FamilyRecord>('attachments', {
  sourceUrl: 'url',
  fields: {
    parent: made('relation', (_raw, { entity, sourceId }) => ({ entity, sourceId })),
    file_name: is.text('file_name'),
    content_type: is.text('content_type'),
    size: is.integer('size', { min: 0 }),
    is_inline: is.flag('inline'),
    is_private: made('boolean', (_raw, { fields }) => fields.is_public !== true),
    uploaded_by: made('user', (_raw, { createdBy }) => (createdBy?.userId === undefined ? undefined : createdBy)),
  },
})

export const categories = define('categories', {
  fields: { name: is.text('name'), description: is.longText('description'), position: is.integer('position') },
})

export const articles = define('articles', {
  sourceUrl: 'url',
  createdBy: is.person('author_id'),
  also: { format: is.oneOf('markdown', 'html') },
  fields: {
    title: is.text('title'),
    body: is.richText('body', ({ format }) => (format as RichText['format'] | undefined) ?? 'plain'),
    status: is.option('status'),
    category: is.reference('category_id', 'categories'),
    author: is.person('author_id'),
    locale: is.text('locale'),
    labels: is.texts('labels'),
    position: is.integer('position'),
    url: is.url('url'),
  },
})

export const entities = [groups, organizations, contacts, tickets, comments, categories, articles, attachments]

/** Custom fields of tickets, by key. Fernhill's standard field `cc` comes before them. */
export const toTicketFields = (definitions: readonly RawRecord[]) =>
  madeFields(definitions, { key: 'key', label: 'label', type: 'type', choices: 'options' }, types, tickets.extra)

const types: Record<string, { type: FieldType; many?: boolean }> = {
  number: { type: 'decimal' },
  date: { type: 'date' },
  checkbox: { type: 'boolean' },
  select: { type: 'option' },
  multi_select: { type: 'option', many: true },
}

export const tellsDeleted = entities.map(({ name }) => name)
