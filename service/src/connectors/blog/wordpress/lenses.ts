import Type, { type TSchema } from 'typebox'
import type { RecordRef, RichText } from '../../../families/record.ts'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { SourceWarning } from '../../../warnings/codes.ts'
import type { OutgoingContent } from '../../contract/contract.ts'
import { type Lens, type LensOptions, lens, type OwnLens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import type { LeftOut } from './mark-record.ts'
import type { MediumFields } from './media-file.ts'
import { comparableSlug, readSlug, writeSlug } from './write-slug.ts'

// The kinds of fields that WordPress has.

/** Records that a page refers to, requested once a page. Deleted ones are missing. */
export interface Surroundings {
  users: ReadonlySet<number>
  comments: ReadonlySet<number>
  /** Pictures by their ids. */
  media: ReadonlyMap<number, MediumFields>
  /** For each record, the addresses of media records in its text. */
  shown: ReadonlyMap<number, { url: string; attachment: string }[]>
}
export type Field = Lens<Surroundings>
type RawFields = Readonly<Record<string, unknown>>

export const text = Type.String()
/** 0 where there is nothing. */
export const idOrNone = Type.Integer({ minimum: 0 })
/** UTC without saying so. A time that was never set reads as year 0 or -1, which is none. */
const moment = Type.Refine(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' }),
  (value) => !value.startsWith('0000') && !Number.isNaN(Date.parse(`${value}Z`)),
)
const rawAndRendered = Type.Object({ raw: text, rendered: text })

export const clean = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : ''
export const textOf = (fields: OutgoingContent['fields'], name: string): string => clean(fields[name])
/** Sent as a text, and answered as an object. */
const rawOf = (value: unknown): string => (typeof value === 'string' ? value : (value as { raw: string }).raw)
const lines = (value: string): string => value.replace(/\r\n?/g, '\n').trim()
export const toMoment = (value: string): string => new Date(`${value}Z`).toISOString()
/** Values left to WordPress or said in the text: they cannot be compared. `mapping.ts` reads them from the marker. */
export const isLeftOut = (raw: RawFields | undefined, name: LeftOut): boolean =>
  (raw?.left_out as ReadonlySet<LeftOut> | undefined)?.has(name) === true

/** WordPress' form of a single line of text (`sanitize_text_field`). */
export function plainLine(value: string): string {
  let line = value.replace(/[\r\n\t ]+/g, ' ')
  while (/%[a-f0-9]{2}/i.test(line)) line = line.replace(/%[a-f0-9]{2}/gi, '')
  return line.replace(/ +/g, ' ').trim()
}

/** WordPress counts in whole seconds, and takes the very first one for no time at all. */
export function toSeconds(given: unknown): string | null {
  const ms = typeof given === 'string' ? Math.floor(Date.parse(given) / 1000) * 1000 : Number.NaN
  if (Number.isNaN(ms)) return null
  return new Date(ms === 0 ? 1000 : ms).toISOString().replace('.000Z', 'Z')
}

type Write = NonNullable<OwnLens<TSchema, Surroundings>['write']>
interface WordsOptions extends LensOptions {
  /** Answered as a text, as it is sent; otherwise as an object. */
  isPlain?: boolean
  isLine?: boolean
  write?: Write
  writesEmpty?: boolean
}

/** Words that WordPress keeps as HTML. */
export const words = (
  type: 'text' | 'long_text',
  from: string,
  { isPlain = false, isLine = false, ...own }: WordsOptions = {},
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

export const slug = (write: Write): Field =>
  lens('text', {
    from: 'slug',
    check: text,
    writesEmpty: true,
    read: readSlug,
    write,
    stored: (sent, raw) => (isLeftOut(raw, 'slug') ? null : comparableSlug(String(sent))),
  })
export const ownSlug = slug((value) => writeSlug(clean(value)) || omit)

/** A moment; `write` says what is sent, if it is. */
export const stamp = (from: string, write?: Write): Field =>
  lens('datetime', {
    from,
    check: moment,
    writesEmpty: true,
    read: toMoment,
    ...(write && { write }),
    stored: (sent, raw) => (isLeftOut(raw, 'date') ? null : `${String(sent).replace(/Z$/, '')}Z`),
  })

/**
 * A record that was never changed carries its own date as the time of its last change, even if it was made today and
 * dated years back. So that time says nothing.
 */
export const changedAt: Field = lens('datetime', {
  from: 'modified_gmt',
  check: moment,
  read: (changed, { date_gmt }) => (changed === date_gmt ? undefined : toMoment(changed)),
})

/** Text as people see it; `write` and `compare` differ between posts and comments. */
export const html = (
  own: Pick<OwnLens<typeof rawAndRendered, Surroundings>, 'write' | 'wanted'>,
  compare: (html: string) => string,
): Field =>
  lens('rich_text', {
    from: 'content',
    check: rawAndRendered,
    writesEmpty: true,
    read({ rendered: body }, { id }, { shown }): RichText {
      const inlineFiles = shown.get(id as number) ?? []
      return { format: 'html', body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
    },
    stored: (sent) => compare(rawOf(sent)),
    ...own,
  })

export type Warnings = [code: SourceWarning, message: string][]
export const toRef = (entity: string, id: number): RecordRef => ({ entity, sourceId: String(id) })
export const reference = (from: string, entity: string): Field => is.reference(from, entity, { none: 0 })

/** The author, as long as the account exists. */
export const author: Field = lens('user', {
  from: 'author',
  check: idOrNone,
  read: (id, _raw, { users }) => (users.has(id) ? { userId: String(id) } : undefined),
})
