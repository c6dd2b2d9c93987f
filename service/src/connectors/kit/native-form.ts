import type { OutgoingContent } from '../contract/contract.ts'

// For a destination that compares records in its own form instead of the family's: several fields of the family, or
// records of two families, become one value there.

type Fields = OutgoingContent['fields']

/**
 * One value of the form: as our record wants it, as the tool's record holds it, and its name in requests. `W` and `H`
 * are the facts about the account that each of the two needs.
 */
type Place<R, W, H> = readonly [
  wanted: (fields: Fields, known: W) => unknown,
  held: (raw: R, known: H) => unknown,
  attribute?: string,
]

/** Both sides of a comparison, in the tool's own form `N`. Pure. */
export interface NativeForm<R, W, H, N> {
  wanted(fields: Fields, known: W): N
  held(raw: R, known: H): N
  /** The values to send, by their names in requests. Empty ones are sent as `''`, or the tool would use its default. */
  attributes(native: N): Record<string, unknown>
}

/** Declares a form by its values. Hashes of forms are kept in the ledger, so the names of values must stay. */
export const nativeForm =
  <R, W, H = W>() =>
  <T extends Record<string, Place<R, W, H>>>(
    places: T,
  ): NativeForm<R, W, H, { [N in keyof T]: ReturnType<T[N][0]> }> => {
    const each = (read: (place: Place<R, W, H>) => unknown) =>
      Object.fromEntries(Object.entries(places).map(([name, place]) => [name, read(place)])) as {
        [N in keyof T]: ReturnType<T[N][0]>
      }
    const names = new Map(Object.entries(places).map(([name, [, , attribute]]) => [name, attribute]))
    return {
      wanted: (fields, known) => each(([wanted]) => wanted(fields, known)),
      held: (raw, known) => each(([, held]) => held(raw, known)),
      attributes(native) {
        const sent = Object.entries(native as object).map(([name, value]) => [names.get(name), value ?? ''])
        return Object.fromEntries(sent.filter(([attribute]) => attribute !== undefined))
      },
    }
  }
