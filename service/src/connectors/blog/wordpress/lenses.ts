import Type, { type TSchema } from 'typebox'
import type { RecordRef, RichText } from '../../../families/record.ts'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { OutgoingContent } from '../../contract/contract.ts'
import { clean, isLeftOut, textOf } from '../../kit/left-out.ts'
import { type Lens, lens, type OwnLens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { publication } from '../../kit/publication.ts'
import { decoded } from './media-file.ts'
import { normalizeHtml } from './read-html.ts'

// Lenses for the kinds of fields in WordPress.

export interface Medium {
  alt_text?: string
  caption?: { raw: string }
}

/** Existing records that the records of a page refer to, requested once per page. */
export interface Surroundings {
  users: ReadonlySet<number>
  comments: ReadonlySet<number>
  /** The words about media records, by id. */
  media: ReadonlyMap<number, Medium>
  /** For each record, the addresses of media records in its text. */
  shown: ReadonlyMap<number, { url: string; attachment: string }[]>
}
export type Field = Lens<Surroundings>

export const text = Type.String()
/** WordPress uses 0 for "none". */
export const idOrNone = Type.Integer({ minimum: 0 })
/** A time in UTC without a zone. WordPress sends year 0 or -1 for a time that was never set. */
const moment = Type.Refine(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' }),
  (value) => !value.startsWith('0000') && !Number.isNaN(Date.parse(`${value}Z`)),
)
const rawAndRendered = Type.Object({ raw: text, rendered: text })

/** A text is sent as a string, and returned as an object. */
const rawOf = (value: unknown): string => (typeof value === 'string' ? value : (value as { raw: string }).raw)
const lines = (value: string): string => value.replace(/\r\n?/g, '\n').trim()
export const toMoment = (value: string): string => new Date(`${value}Z`).toISOString()
/** WordPress' form of a single line of text (`sanitize_text_field`). */
export function plainLine(value: string): string {
  let line = value.replace(/[\r\n\t ]+/g, ' ')
  while (/%[a-f0-9]{2}/i.test(line)) line = line.replace(/%[a-f0-9]{2}/gi, '')
  return line.replace(/ +/g, ' ').trim()
}

/**
 * Rounds down to whole seconds, as WordPress does. WordPress takes second 0 of 1970 for no time, so second 1 replaces
 * it.
 */
export function toSeconds(given: unknown): string | null {
  const ms = typeof given === 'string' ? Math.floor(Date.parse(given) / 1000) * 1000 : Number.NaN
  if (Number.isNaN(ms)) return null
  return new Date(ms === 0 ? 1000 : ms).toISOString().replace('.000Z', 'Z')
}

type Own = Partial<OwnLens<TSchema, Surroundings>>

/** Text that WordPress stores as HTML, and returns as a string (`isPlain`) or as an object. */
export const words = (
  type: 'text' | 'long_text',
  from: string,
  { isPlain = false, isLine = false, ...own }: Own & { isPlain?: boolean; isLine?: boolean } = {},
): Field =>
  lens(type, {
    from,
    check: isPlain ? text : Type.Object({ raw: text }),
    empty: '',
    read: (value) => plainWords(rawOf(value)),
    write: (value) => escapeText(isLine ? plainLine(clean(value)) : clean(value).trim()),
    stored: (sent) => (isLine ? plainLine : lines)(plainWords(rawOf(sent))),
    ...own,
  })

/** Length of the database column. WordPress would cut there, even within a character. */
const longest = 200

/** Quotes and other characters that WordPress removes from every slug (`sanitize_title_with_dashes`). */
const droppedSigns =
  /[\u00a1\u00a9\u00ab\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u2018-\u201f\u2022\u2026\u2039\u203a\u2122\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffc]|\u0300|\u0301|\u0304|\u030c|\u0341/gu

/**
 * A slug that WordPress keeps unchanged: lower case, with everything except plain letters and digits percent-encoded.
 */
export function writeSlug(slug: string): string {
  const words = slug
    .normalize('NFC')
    .toWellFormed()
    .toLowerCase()
    .replace(/[\s./\\|\u2010-\u2015]+/gu, '-')
    .replace(/\u00d7/g, 'x')
    .replace(droppedSigns, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    .replace(/[\u0000-\u007f]/g, (sign) => (/[a-z0-9_-]/.test(sign) ? sign : ''))
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
  let written = ''
  for (const sign of words) {
    const encoded = encodeURIComponent(sign).toLowerCase()
    if (written.length + encoded.length > longest) break
    written += encoded
  }
  return written.replace(/-$/, '')
}

/**
 * Removes the number that WordPress appends to a slug that is taken, because nobody can predict it. WordPress shortens
 * a long slug for the number, so the result is cut.
 */
export const comparableSlug = (slug: string): string =>
  writeSlug(decoded(slug))
    .replace(/(-\d+)+$/, '')
    .slice(0, 180)

export const slug = (write: NonNullable<Own['write']> = (value) => writeSlug(clean(value)) || omit): Field =>
  lens('text', {
    from: 'slug',
    check: text,
    writesEmpty: true,
    read: decoded,
    write,
    stored: (sent, raw) => (isLeftOut(raw, 'slug') ? null : comparableSlug(String(sent))),
  })

/** A moment. Without `write` it is only read. */
export const stamp = (from: string, write?: Own['write']): Field =>
  lens('datetime', {
    from,
    check: moment,
    writesEmpty: true,
    read: toMoment,
    ...(write && { write }),
    stored: (sent, raw) => (isLeftOut(raw, 'date') ? null : `${String(sent).replace(/Z$/, '')}Z`),
  })

/**
 * For a record that was never changed, WordPress sends its date as the time of the last change. The record may have
 * been made today and dated years back. So such a time is ignored.
 */
export const changedAt: Field = lens('datetime', {
  from: 'modified_gmt',
  check: moment,
  read: (changed, { date_gmt }) => (changed === date_gmt ? undefined : toMoment(changed)),
})

/** A rich text. */
export const html = (own: Pick<Own, 'write' | 'wanted'>): Field =>
  lens('rich_text', {
    from: 'content',
    check: rawAndRendered,
    writesEmpty: true,
    read({ rendered: body }, { id }, { shown }): RichText {
      const inlineFiles = shown.get(id as number) ?? []
      return { format: 'html', body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
    },
    stored: (sent) => normalizeHtml(rawOf(sent)),
    ...own,
  })

export const toRef = (entity: string, id: number): RecordRef => ({ entity, sourceId: String(id) })
export const reference = (from: string, entity: string): Field => is.reference(from, entity, { none: 0 })

/** The author, if the account still exists. */
export const author: Field = lens('user', {
  from: 'author',
  check: idOrNone,
  read: (id, _raw, { users }) => (users.has(id) ? { userId: String(id) } : undefined),
})

const statuses: Record<string, string> = { publish: 'published', future: 'scheduled' }
const wanted: Record<string, string> = { published: 'publish', scheduled: 'future' }

/** The date of a text: WordPress has one date for creation and publication. */
export const dateOf = ({ fields, createdAt }: OutgoingContent): string | null =>
  toSeconds(fields.published_at ?? createdAt)

/** When a post or page is public. */
export const times = publication<Surroundings>({
  published: 'publish',
  scheduled: 'future',
  leastAheadMs: 1,
  passed: 'missed',
  options: ['draft', 'pending', 'scheduled', 'published', 'private'],
  dateOf,
  timeOf: ({ date_gmt: date }) => Date.parse(`${date}Z`),
  // A published text with a password becomes private, the closest status: only people with the password may read it.
  read(status, { password }) {
    if (status === 'publish' && password !== '') return password === undefined ? undefined : 'private'
    return statuses[status] ?? status
  },
  wantedStatus(content) {
    const status = textOf(content.fields, 'status') || 'draft'
    // A text with a password must be published, because everyone who has the password may read it.
    if (status === 'private' && textOf(content.fields, 'password') !== '') return 'publish'
    if (status === 'scheduled' && dateOf(content) === null) return 'draft'
    return wanted[status] ?? status
  },
})
