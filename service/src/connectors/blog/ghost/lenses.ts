import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { RecordRef } from '../../../families/record.ts'
import type { EntityRules } from '../../kit/entity.ts'
import { isLeftOut } from '../../kit/left-out.ts'
import { type Lens, type LensOptions, lens, type OwnLens, omit } from '../../kit/lens.ts'
import * as value from './values.ts'

// Lenses for the kinds of fields in Ghost.

/** Posts and comments that a page's comments refer to, requested once per page. */
export interface Surroundings {
  pages: ReadonlySet<string>
  comments: ReadonlySet<string>
}
export type Field = Lens<Surroundings>
export type RawFields = Readonly<Record<string, unknown>>

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

export const stamps: Pick<EntityRules<Surroundings>, 'createdAt' | 'updatedAt'> = {
  createdAt: lens('datetime', { from: 'created_at', check: moment, read: toMoment }),
  updatedAt: lens('datetime', {
    from: 'updated_at',
    check: moment,
    read: (_changed, raw) => changedAt(raw),
  }),
}

type Write = NonNullable<OwnLens<TSchema, Surroundings>['write']>
export const orNull = (given: string): string | null => given || null

/** Text of one or several lines, which Ghost trims. */
export const words = (
  type: 'text' | 'long_text',
  from: string,
  max: number,
  own: LensOptions & { write?: Write } = {},
): Field =>
  lens(type, {
    from,
    check: textOrNone,
    max,
    write: (given) => orNull(type === 'text' ? value.toLine(given) : value.toLines(given)),
    stored: (sent) => String(sent).trim(),
    ...own,
  })

/** Ghost keeps a plain slug. It rewrites any other slug in an unpredictable way, so only a plain slug is compared. */
export const slug: Field = lens('text', {
  from: 'slug',
  check: text,
  max: value.longestSlug,
  writesEmpty: true,
  write: (given) => value.writeSlug(given) || omit,
  wanted: (given) => (value.isPlainSlug(given) ? value.writeSlug(given) : null),
  stored: (sent, raw) => (isLeftOut(raw, 'slug') ? null : value.comparableSlug(String(sent))),
})
