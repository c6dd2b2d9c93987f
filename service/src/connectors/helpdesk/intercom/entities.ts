import Type from 'typebox'
import { plainWords } from '../../../text/plain-words.ts'
import type { SentRelation } from '../../contract/contract.ts'
import type { MadeField } from '../../kit/custom-fields.ts'
import { defineEntity, type EntityRules, type SourceNotice } from '../../kit/entity.ts'
import { asList, type Lens, lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { htmlWithPictures } from '../../kit/shown-pictures.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { fileEntity } from '../file-entity.ts'
import { stableText } from './files.ts'
import { toPlain } from './texts.ts'

// Intercom's API fields that we use, and the family field that each becomes. look-around.ts converts conversations and
// tickets to one format, and adds related data under names of our own.

export interface State {
  id: string
  category: string
  name: string
}

/** Settings of one workspace. */
export interface Facts {
  workspace: string
  /** Names of teammates, by id. */
  admins: ReadonlyMap<string, string>
  /** Tag names, by id. */
  tags: ReadonlyMap<string, string>
  states: readonly State[]
  made: Readonly<Record<'organizations' | 'contacts' | 'tickets', ReadonlyMap<string, MadeField>>>
}

/** Seconds since 1970, in the years 1 to 9999. */
export const isInTime = (seconds: number): boolean => seconds >= -62_135_596_800 && seconds <= 253_402_300_799
export const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const toSeconds = (moment: string): number => Math.floor(Date.parse(moment) / 1000)
const seconds = (from: string): Lens =>
  lens('datetime', { from, check: Type.Integer({ minimum: 0, maximum: 253_402_300_799 }), read: toIso })

const readOnly = { isReadOnly: true }
const stamps = { createdAt: seconds('created_at'), updatedAt: seconds('updated_at') }
const define = <A = unknown>(name: string, rules: EntityRules<A>) => defineEntity<A>('helpdesk', name, rules)
const objects = Type.Array(Type.Object({ id: Type.String() }))

/** A lens with its own comparison. Every kind of empty value becomes null. */
const comparing = <A>(field: Lens<A>, compare: (value: unknown) => unknown): Lens<A> => ({
  ...field,
  stored: (sent) =>
    sent === undefined || sent === null || sent === omit || sent === '' || sent === 0 ? null : compare(sent),
})

/** Only this many characters of a text are compared. */
const comparedCharacters = 200_000
/** The form in which texts are compared: without spaces, and without our origin line. */
export const plainKey = (text: unknown): string | null =>
  typeof text === 'string'
    ? text
        .replace(/^\s*—(?: [^\n]* —)?\s*/u, '')
        .replace(/\s+/gu, '')
        .slice(0, comparedCharacters) || null
    : null
/** Compares HTML by its words, because Intercom changes the markup. */
export const wordsOf = (html: unknown): string | null =>
  plainKey(typeof html === 'string' ? plainWords(html.slice(0, 3 * comparedCharacters)) : null)
/** Intercom returns a description as it was sent, or wrapped in paragraphs. */
export const isMarkup = (text: unknown): boolean => /^\s*<(?:p|div|h\d)\b/i.test(String(text))
const descriptionKey = (text: unknown) => (isMarkup(text) ? wordsOf(text) : plainKey(text))
/** The origin line that names a text's author. Without words, a dash that replaces an empty text. */
export const lineOf = (words = ''): string => (words === '' ? '—' : `— ${words} —`)

const html = (from: string): Lens => ({
  ...htmlWithPictures(from, { files: 'files', addresses: ['shown'] }),
  write: (body) => body,
  empty: '',
  stored: wordsOf,
})
const anchor = /<a\b[^<>]{0,2000}?\shref\s*=\s*["']([^"'<>]{1,4000})["']/gi
/** Addresses of links. Intercom changes their other attributes, and moves files to its own hosts. */
function linksIn(html: string): string[] {
  const found = [...html.matchAll(anchor)].flatMap(([, address = '']) => {
    const url = URL.parse(address.replaceAll('&amp;', '&').trim())
    if (!url || !/^https?:$/.test(url.protocol) || /(?:^|\.)intercomcdn\.\w+$/.test(url.hostname)) return []
    return `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}${url.hash}`
  })
  return [...new Set(found)].sort()
}
/** Compares an article by its words and by its links. */
const wordsAndLinks = (html: unknown): string | null => {
  const links = typeof html === 'string' ? linksIn(stableText(html.slice(0, 3 * comparedCharacters), [])) : []
  return [wordsOf(html) ?? [], links].flat().join(' ') || null
}
const lowered = (value: unknown) => String([value].flat()[0] ?? '').toLowerCase() || null

export const groups = define('groups', {
  fields: { name: is.text('name'), agents: is.people('admin_ids', readOnly) },
})

const hostOf = (website: string) => website.replace(/^[a-z]+:\/\//i, '').replace(/[/?#].*$/, '')

export const organizations = define<Facts>('organizations', {
  ...stamps,
  fields: {
    name: is.text('name', { max: 255 }),
    domains: lens('text', {
      from: 'website',
      check: Type.String(),
      many: true,
      takesOne: true,
      read: (website) => (website.trim() === '' ? [] : [hostOf(website.trim())]),
      write: (value) => [value].flat()[0],
      stored: (sent) => hostOf(String(sent)).toLowerCase(),
      empty: '',
      note: 'the website; one is written',
    }),
    notes: is.longText('note_text', readOnly),
  },
  extra: {
    website: { label: 'Website', lens: is.text('whole_website', readOnly) },
    company_id: { label: 'Company ID', lens: is.text('company_id', readOnly) },
    plan: { label: 'Plan', lens: is.text('plan.name', readOnly) },
    industry: { label: 'Industry', lens: is.text('industry', readOnly) },
    size: { label: 'Size', lens: is.integer('size', readOnly) },
    monthly_spend: { label: 'Monthly spend', lens: is.decimal('monthly_spend', readOnly) },
    tags: { label: 'Tags', lens: is.texts('tag_names', readOnly) },
  },
  custom: { from: 'custom_values', fields: ({ made }) => made.organizations },
})

/** Companies or collections beyond the one that the family has room for. */
const leftOut = (count: unknown, field: string): SourceNotice[] => {
  const words = `Intercom links it to ${Number(count) + 1} records here. One link was copied.`
  return noticesIf([Number(count) > 0, 'relations_left_out', words, { count: Number(count), field }])
}

export const contacts = define<Facts>('contacts', {
  ...stamps,
  also: { other_companies: Type.Integer() },
  fields: {
    name: is.text('name', { max: 255 }),
    // The API takes no null in place of an address.
    emails: comparing(asList({ ...is.email('email'), write: firstOf('address'), empty: '' }), lowered),
    phones: comparing(asList({ ...is.phone('phone'), write: firstOf('number') }), (value) =>
      String([value].flat()[0]).replace(/[^\d+]/g, ''),
    ),
    organization: {
      ...is.reference('company', 'organizations', { note: 'the first of several' }),
      write: (value) => (value as SentRelation).destinationId,
    },
    language: is.text('language_override', readOnly),
    notes: is.longText('note_text', readOnly),
  },
  extra: {
    role: { label: 'Role', lens: is.text('role', readOnly) },
    external_id: { label: 'External ID', lens: is.text('external_id', readOnly) },
    tags: { label: 'Tags', lens: is.texts('tag_names', readOnly) },
    unsubscribed: { label: 'Unsubscribed from emails', lens: is.flag('unsubscribed_from_emails', readOnly) },
    signed_up_at: { label: 'Signed up at', lens: seconds('signed_up_at') },
    owner: { label: 'Owner', lens: is.text('owner_name', readOnly) },
    location: { label: 'Location', lens: is.text('place', readOnly) },
    social_profiles: { label: 'Social profiles', lens: is.texts('profiles', readOnly) },
  },
  custom: { from: 'custom_values', fields: ({ made }) => made.contacts },
  warns: ({ other_companies: others }) => leftOut(others, 'organization'),
})

function firstOf(name: string) {
  return (value: unknown) => {
    const [first] = [value].flat()
    return typeof first === 'object' && first !== null ? (first as Record<string, unknown>)[name] : first
  }
}

/** The title of a ticket that has none, such as a mail without a subject. */
export const noSubject = '(no subject)'

const fixedOptions = {
  type: ['question', 'incident', 'problem', 'task'],
  priority: ['low', 'normal', 'high', 'urgent'],
}

/** Statuses of an account: the family's names, and custom states by their own names. */
export const statusLens = (states: readonly State[]): Lens<Facts> => ({
  ...is.option('status', [...new Set(states.map(({ name }) => name))], { empty: omit }),
  // Intercom sets the state "submitted" if none is given, which is `new` in the family.
  stored: (sent) => (sent === undefined || sent === null || sent === omit || sent === 'new' ? null : String(sent)),
  note: 'custom states included',
})

export const tickets = define<Facts>('tickets', {
  ...stamps,
  sourceUrl: 'url',
  createdBy: is.person('author_agent', readOnly),
  formerAuthor: 'author_former',
  also: { files: objects, is_requester_gone: Type.Boolean(), is_assignee_gone: Type.Boolean() },
  fields: {
    number: is.numberText('number'),
    // Every ticket of Intercom has a title.
    subject: is.text('subject', { max: 255, empty: noSubject }),
    // Intercom's ticket titles and descriptions are plain text.
    description: { ...html('html'), write: toPlain, stored: descriptionKey },
    type: is.option('type', fixedOptions.type, { empty: omit, note: 'written as an attribute of the ticket' }),
    status: statusLens([]),
    priority: is.option('priority', fixedOptions.priority, {
      empty: omit,
      note: 'written as an attribute of the ticket',
    }),
    channel: is.text('channel', readOnly),
    requester: { ...is.reference('requester', 'contacts'), write: (value) => (value as SentRelation).destinationId },
    assignee: comparing(is.person('assignee', { empty: omit }), String),
    group: comparing(is.reference('team', 'groups', { empty: omit }), String),
    // Intercom does not return a ticket's company and tags. An attribute of the ticket is compared instead.
    organization: comparing(is.reference('organization', 'organizations', { empty: omit }), () => null),
    collaborators: is.references('others', 'contacts', readOnly),
    tags: comparing(is.texts('tag_names', { empty: omit }), () => null),
    is_private: comparing(
      is.flag('is_private', { note: 'private tickets are written as tickets of the back office' }),
      (isPrivate) => isPrivate === true || null,
    ),
    solved_at: { ...seconds('solved_at') },
    linked_tickets: is.references('linked', 'tickets', readOnly),
  },
  extra: {
    ticket_type: { label: 'Ticket type', lens: is.text('ticket_type_name', readOnly) },
    page: { label: 'Page', lens: is.text('page', readOnly) },
    snoozed_until: { label: 'Snoozed until', lens: seconds('snoozed_until') },
    rating: { label: 'Rating', lens: is.integer('rating', readOnly) },
    rating_remark: { label: 'Remark of the rating', lens: is.longText('rating_remark', readOnly) },
  },
  custom: { from: 'custom_values', fields: ({ made }) => made.tickets },
  warns: ({ is_requester_gone: isGone, is_assignee_gone: isUnassigned }) =>
    noticesIf(
      [isGone === true, 'author_missing', 'The person who asked was deleted.'],
      // Somebody who left, or Fin.
      [isUnassigned === true, 'link_left_out', 'Its assignee is no teammate and was left out.', { field: 'assignee' }],
    ),
})

export const comments = define('comments', {
  ...stamps,
  createdBy: is.person('author_agent', readOnly),
  formerAuthor: 'author_former',
  also: { files: objects, part_type: Type.String() },
  fields: {
    ticket: { ...is.reference('ticket_id', 'tickets'), write: (value) => (value as SentRelation).destinationId },
    author_agent: is.person('author_agent'),
    author_contact: is.reference('author_contact', 'contacts'),
    body: html('html'),
    // A part without `is_public` counts as internal.
    is_public: comparing(is.flag('is_public', { absent: false }), (isOpen) => isOpen === true || null),
  },
  warns: ({ author_agent, author_contact, part_type: type, is_public: isPublic }) => {
    const words = 'It came with a change of the conversation. Only teammates see it now.'
    return noticesIf(
      [!author_agent && !author_contact, 'author_missing', 'Nobody in the workspace wrote this comment.'],
      [isPublic !== true && type !== 'note', 'audience_narrowed', words],
    )
  },
})

export const attachments = fileEntity(
  {
    ...{ name: 'file_name', type: 'content_type', isInline: is.flag('is_inline', readOnly) },
    privacyNote: 'files are always written for teammates alone',
  },
  { createdAt: seconds('created_at') },
)

export const categories = define('categories', {
  ...stamps,
  sourceUrl: 'url',
  fields: {
    name: is.text('name', { max: 255 }),
    description: is.longText('description', { empty: '' }),
    parent_category: {
      ...is.reference('parent_id', 'categories'),
      write: (value) => (value as SentRelation).destinationId,
    },
    position: is.integer('order', readOnly),
  },
})

export const articles = define('articles', {
  ...stamps,
  sourceUrl: 'url',
  createdBy: is.person('author', readOnly),
  also: {
    files: objects,
    other_collections: Type.Integer(),
    has_draft: Type.Boolean(),
    has_lost_readers: Type.Boolean(),
  },
  fields: {
    title: is.text('title', { max: 255 }),
    body: { ...html('body'), stored: wordsAndLinks },
    // An article without the state "published" counts as a draft.
    status: comparing(is.option('state', ['published', 'draft'], { absent: 'draft', empty: 'draft' }), (state) =>
      state === 'published' ? state : null,
    ),
    visibility: comparing(is.option('visibility', ['public', 'internal'], { empty: 'public' }), (one) =>
      one === 'internal' ? one : null,
    ),
    category: comparing(is.reference('parent_id', 'categories'), String),
    author: comparing(is.person('author', { empty: omit }), String),
    locale: is.text('locale', readOnly),
    labels: is.texts('tag_names', readOnly),
    url: is.url('url', readOnly),
  },
  extra: { description: { label: 'Description', lens: is.longText('description', readOnly) } },
  warns: ({ author, other_collections: others, has_draft: hasDraft, has_lost_readers: isNarrowed }) => [
    ...noticesIf([
      isNarrowed === true,
      'audience_narrowed',
      'Some customers could read it. Its copy is for the staff.',
    ]),
    ...noticesIf([!author, 'author_missing', 'Its author no longer has an account.']),
    ...leftOut(others, 'category'),
    ...noticesIf([hasDraft === true, 'draft_left_out', 'Its draft was not copied.']),
  ],
})

export const entities = [groups, organizations, contacts, tickets, comments, categories, articles, attachments]
