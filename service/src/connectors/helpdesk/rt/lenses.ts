import Type from 'typebox'
import type { FieldType } from '../../../families/definition.ts'
import type { RecordRef } from '../../../families/record.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { type Lens, type LensOptions, lens, type OwnLens } from '../../kit/lens.ts'
import { cleanText, idsOf, oneLine, textsOf } from '../../kit/sent-values.ts'
import { type Kind, type RawReference, readMoment, schemas } from './schema.ts'
import { sortIds, toRtMoment, toSecond } from './stored-values.ts'

// Lenses for Request Tracker's fields. Schemas check the values; lenses convert them in both directions.

/** Facts about the account that record mapping needs. */
export interface MapFacts {
  /** Ids of privileged users, who are the agents. */
  agents: ReadonlySet<string>
  /** Ids of technical users, who are not people. */
  system: ReadonlySet<string>
}

type Own<A> = Omit<OwnLens<ReturnType<typeof Type.Any>, A>, 'from' | 'check'>

export const field = <A = MapFacts>(type: FieldType, from: string | null, own: Own<A>): Lens<A> =>
  lens(type, { check: Type.Any(), from, ...own })

/** One line of text, cut to the length of its database column. */
export const line = (from: string, max: number): Lens<MapFacts> =>
  field('text', from, { max, read: filled, write: (value) => oneLine(value, max), empty: '' })

export const longText = (from: string): Lens<MapFacts> =>
  field('long_text', from, { read: filled, write: cleanText, empty: '' })

const filled = (value: string): string | undefined => value || undefined

export const moment = (from: string, more: LensOptions = {}): Lens<MapFacts> =>
  field('datetime', from, {
    read: readMoment,
    write: (value) => toRtMoment(toSecond(value)),
    empty: toRtMoment(null),
    stored: readMoment,
    ...more,
  })

/** The family counts seconds, Request Tracker minutes. */
export const minutes = (from: string): Lens<MapFacts> =>
  field('integer', from, {
    read: (value) => (Number(value) > 0 ? Number(value) * 60 : undefined),
    write: (value) => (typeof value === 'number' && value > 0 ? Math.round(value / 60) : 0),
    empty: 0,
    stored: (value) => (Number(value) === 0 ? null : Number(value) * 60),
  })

/** The agents among these users. */
const agentsOf = (value: unknown, { agents }: MapFacts) =>
  userIds(value).flatMap((userId) => (agents.has(userId) ? [{ userId }] : []))

/** The referenced user, if that user is an agent. */
export const agent = (from: string, own: Partial<Own<MapFacts>> = {}): Lens<MapFacts> =>
  field('user', from, { read: (value, _raw, facts) => agentsOf(value, facts)[0], ...own })

/** The agents among the watchers. */
export const agents = (from: string): Lens<MapFacts> =>
  watchers(from, 'user', (value, _raw, facts) => agentsOf(value, facts))

/** The ids of the users among watchers, for watchers that were read and watchers to write. */
export const userIds = (watchers: unknown): string[] =>
  sortIds(
    ([watchers ?? []].flat() as (RawReference | string)[]).flatMap((one) => {
      if (typeof one === 'string') return [one]
      return one.type === 'user' ? [String(one.id)] : []
    }),
  )

export const watchers = (from: string, type: 'user' | 'relation', read: Lens<MapFacts>['read']): Lens<MapFacts> =>
  field(type, from, {
    ...{ many: true, absent: [], empty: [], read },
    write: (value) => sortIds(type === 'user' ? textsOf(value) : idsOf(value)),
    stored: userIds,
  })

export const ref = (entity: string, sourceId: string): RecordRef => ({ entity, sourceId })

const stamps = {
  createdAt: moment('Created', { isReadOnly: true }),
  updatedAt: moment('LastUpdated', { isReadOnly: true }),
}

/** Defines an entity whose records are checked by the schema of `kind`. */
export const define = <A extends MapFacts>(name: string, kind: Kind, rules: EntityRules<A>) =>
  defineEntity<A>('helpdesk', name, { ...stamps, ...rules, also: schemas[kind] })
