import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { RecordRef } from '../../../families/record.ts'
import type { OutgoingContent } from '../../contract/contract.ts'
import { asciiAddress } from '../../kit/ascii-address.ts'
import type { EntityRules } from '../../kit/entity.ts'
import { clean, isLeftOut, textOf } from '../../kit/left-out.ts'
import { type Lens, lens, type OwnLens, omit } from '../../kit/lens.ts'
import { publication } from '../../kit/publication.ts'
import { idOf, idsOf as idsOfAll, textsOf } from '../../kit/sent-values.ts'

// Values and lenses for the kinds of fields in Ghost.

/** Posts and comments that a page's comments refer to, requested once per page. */
export interface Surroundings {
  pages: ReadonlySet<string>
  comments: ReadonlySet<string>
}
export type Field = Lens<Surroundings>
export type RawFields = Readonly<Record<string, unknown>>
type Fields = OutgoingContent['fields']

export const id = Type.String({ pattern: '^[0-9a-f]{24}$|^1$' })
export const isId = (given: unknown): given is string => Check(id, given)
export const text = Type.String()
export const orNone = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const textOrNone = orNone(text)
export const moment = Type.Refine(
  Type.String({ minLength: 10, maxLength: 40 }),
  (given) => !Number.isNaN(Date.parse(given)),
)
export const identified = Type.Object({ id })

export const toRef = (entity: string, sourceId: string): RecordRef => ({ entity, sourceId })
export const toMoment = (given: unknown): string => new Date(String(given)).toISOString()
export const idsOf = (given: unknown): string[] => (given as { id: string }[]).map((one) => one.id)
/** The time in an id: the first 8 digits are the second in which the record was made. */
const timeOfId = (given: unknown): number => Number.parseInt(String(given).slice(0, 8), 16) * 1000
/** A record made today and dated back has an old time of change. Its id holds the true time. */
export const changedAt = ({ id, updated_at }: RawFields): string =>
  new Date(Math.max(Date.parse(String(updated_at)), timeOfId(id))).toJSON()
export const firstIdAt = (given: string): string =>
  `${Math.max(0, Math.floor(Date.parse(given) / 1000))
    .toString(16)
    .padStart(8, '0')}${'0'.repeat(16)}`

/** Makes one line, as Ghost stores titles and names. */
export const toLine = (value: unknown): string => clean(value).replace(/\s+/g, ' ').trim()
export const toLines = (value: unknown): string => clean(value).replace(/\r\n?/g, '\n').trim()
export const relationId = (value: unknown): string => idOf(value) ?? ''
export const orNull = (given: string): string | null => given || null
/** The texts of a list, each once. */
const textsIn = (values: unknown): string[] => [...new Set(textsOf(values))]
/** Categories come first: readers see only the first tag, and a category says more than a tag. */
export const tagIds = ({ categories, tags }: Fields): string[] => textsIn(idsOfAll([categories, tags].flat()))
export const authorIds = ({ authors }: Fields): string[] => textsIn(authors)

/** Rounds down to whole seconds, as Ghost does. */
export function toSeconds(given: unknown): string | null {
  const ms = typeof given === 'string' ? Math.floor(Date.parse(given) / 1000) * 1000 : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** Ghost compares addresses literally, so we always write them in one form. */
export const toEmail = (given: unknown): string => asciiAddress(clean(given).trim()).toLowerCase()

/** Only somebody who clearly subscribed gets mail. */
export const isSubscribed = (status: unknown): boolean =>
  /^(subscribed|active|confirmed|free|paid|comped|yes|true|1)$/i.test(clean(status).trim())

/** Commas separate labels in a list, so a label must not contain any. */
const toLabel = (given: string): string =>
  given
    .toWellFormed()
    .replace(/[,\s]+/g, ' ')
    .trim()
export const labelsOf = (given: unknown): string[] => textsIn(textsIn(given).map(toLabel))

export const commentStatus = (status: unknown): 'published' | 'hidden' =>
  clean(status) === 'approved' ? 'published' : 'hidden'

/** Visibilities that are not public. No destination may show such a post to everyone by mistake. */
export const restricted = new Map(Object.entries({ members: 'members', paid: 'paid', tiers: 'paid' }))
/** A post with an unknown visibility gets as few readers as the family allows. */
export const readVisibility = (given: unknown): string =>
  given === 'public' ? given : (restricted.get(String(given)) ?? 'paid')
/** An unknown visibility never becomes public. */
export const writeVisibility = (given: unknown): string => readVisibility(clean(given) || 'public')

/**
 * The wanted status in Ghost's terms. A private post whose readers Ghost can restrict is published for them; any other
 * private post stays hidden.
 */
function wantedStatus({ fields }: OutgoingContent): string {
  const status = textOf(fields, 'status')
  if (status === 'private') return writeVisibility(fields.visibility) === 'public' ? 'private' : 'published'
  return status === 'published' || status === 'scheduled' ? status : 'draft'
}

/** Posts that stay drafts have no time. */
export const dateOf = (content: OutgoingContent): string | null =>
  toSeconds(
    content.fields.published_at ??
      (['published', 'scheduled'].includes(wantedStatus(content)) ? content.createdAt : null),
  )

/** When a post or page is public. */
export const times = publication<Surroundings>({
  published: 'published',
  scheduled: 'scheduled',
  asDraft: 'private',
  // Ghost refuses to schedule a post less than two minutes ahead. This limit leaves some reserve.
  leastAheadMs: 5 * 60_000,
  passed: 'passed',
  options: ['draft', 'scheduled', 'published', 'private'],
  wantedStatus,
  dateOf,
  timeOf: ({ published_at }) => Date.parse(String(published_at)),
  read(status, { visibility }) {
    const isOut = status === 'published' || status === 'scheduled'
    return status === 'sent' || (isOut && readVisibility(visibility) !== 'public') ? 'private' : status
  },
})

export const stamps: Pick<EntityRules<Surroundings>, 'createdAt' | 'updatedAt'> = {
  createdAt: lens('datetime', { from: 'created_at', check: moment, read: toMoment }),
  updatedAt: lens('datetime', { from: 'updated_at', check: moment, read: (_changed, raw) => changedAt(raw) }),
}

/** Text of one or several lines, which Ghost trims. */
export const words = (
  type: 'text' | 'long_text',
  from: string,
  max: number,
  own: Partial<OwnLens<TSchema, Surroundings>> = {},
): Field =>
  lens(type, {
    from,
    check: textOrNone,
    max,
    write: (given) => orNull(type === 'text' ? toLine(given) : toLines(given)),
    stored: (sent) => String(sent).trim(),
    ...own,
  })

const longestSlug = 185
/** The slug to send. Ghost may adapt it, or make one from the title if it is empty. */
const writeSlug = (given: unknown): string => clean(given).trim().slice(0, longestSlug)
export const isPlainSlug = (given: unknown): boolean => /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(writeSlug(given))
/** Removes the number that Ghost appends to a slug that is taken, because nobody can predict it. */
export const comparableSlug = (given: string): string => given.replace(/(-\d+)+$/, '').slice(0, 170)

/** Ghost keeps a plain slug. It rewrites any other slug in an unpredictable way, so only a plain slug is compared. */
export const slug: Field = lens('text', {
  from: 'slug',
  check: text,
  max: longestSlug,
  writesEmpty: true,
  write: (given) => writeSlug(given) || omit,
  wanted: (given) => (isPlainSlug(given) ? writeSlug(given) : null),
  stored: (sent, raw) => (isLeftOut(raw, 'slug') ? null : comparableSlug(String(sent))),
})
