import type { OutgoingContent, StoredContent } from '../contract/contract.ts'
import type { Entity } from './entity.ts'
import type { Lens } from './lens.ts'
import { partsOf } from './write-record.ts'

// For tools whose records are written as a whole: every request names every family field and every extra field.

/** Values to send, or the tool's values, by their names in requests. */
export type Form = Record<string, unknown>

interface Place<A> {
  name: string
  isExtra: boolean
  lens: Lens<A>
  /** The field's name in requests. */
  to: string
}

function placesOf<A>({ fields, extra = {} }: Pick<Entity<A>, 'fields' | 'extra'>): Place<A>[] {
  const all = [
    ...Object.entries(fields).map(([name, lens]) => ({ name, isExtra: false, lens })),
    ...Object.entries(extra).map(([name, { lens }]) => ({ name, isExtra: true, lens })),
  ]
  return all
    .filter(({ lens }) => lens.write !== null)
    .map((one) => ({ ...one, to: one.lens.to ?? one.lens.from ?? '' }))
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/**
 * Builds the form to send. A field without a value is sent as empty. If two lenses write to the same field, the second
 * one wins only if it has a value.
 */
export function toForm<A>(entity: Entity<A>, content: OutgoingContent): Form {
  const { fields, customFields } = content
  const writing = { content, now: Date.now(), site: '' }
  const form: Form = {}
  for (const { name, isExtra, lens, to } of placesOf(entity)) {
    const value = isExtra ? customFields[name]?.value : fields[name]
    if (isEmpty(value) && to in form) continue
    const write = lens.write as (value: unknown, about: typeof writing) => unknown
    const sent = isEmpty(value) ? lens.empty : write(value, writing)
    if (sent !== undefined) Object.assign(form, { [to]: sent }, partsOf(lens, value))
  }
  return form
}

/** Converts a form that is sent, or the tool's form, into the form that is compared. */
export function storedForm<A>(entity: Entity<A>, form: Form): Pick<StoredContent, 'fields' | 'customFields'> {
  const stored: Pick<StoredContent, 'fields' | 'customFields'> = { fields: {}, customFields: {} }
  for (const { name, isExtra, lens, to } of placesOf(entity)) {
    stored[isExtra ? 'customFields' : 'fields'][name] = lens.stored(form[to], rawOf(lens, form))
  }
  return stored
}

/** The values to send so that the tool's record becomes equal to ours. */
export function changesOf<A>(entity: Entity<A>, wanted: Form, now: Form): Form {
  const storedOf = ({ lens, to }: Place<A>, form: Form) => JSON.stringify(lens.stored(form[to], rawOf(lens, form)))
  const places = placesOf(entity).filter((place) => storedOf(place, wanted) !== storedOf(place, now))
  const names = places.flatMap(({ lens, to }) => [to, ...Object.keys(lens.also ?? {}).filter((name) => name in wanted)])
  return Object.fromEntries(names.map((name) => [name, wanted[name]]))
}

/** A lens with further fields (`also`) compares its value with the whole form. */
const rawOf = <A>({ also }: Lens<A>, form: Form) => (also ? form : undefined)
