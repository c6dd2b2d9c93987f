import { createHash } from 'node:crypto'
import type { Capabilities, SoughtRecord } from '../contract/contract.ts'
import { type RawRecord, valueAt } from './lens.ts'

// Ways to find a record of ours again when the tool's answer was lost. Each puts our key on what is sent, knows how to
// ask for records that carry it, and says which delivery class it makes.

export interface Key {
  deliveryClass: Capabilities['deliveryClass']
  /** Puts the key on a body that is about to be sent. */
  put(body: Record<string, unknown>, key: string): Record<string, unknown>
  /** Number of keys that one search accepts. */
  atOnce: number
  /** Records that may carry one of the keys. A failed search throws: it never passes for "not there". */
  seek(sought: readonly SoughtRecord[]): Promise<RawRecord[]>
  /** `marker` is what was found at the place of the key, where that is no field of its own. */
  isOn(raw: RawRecord, key: string, marker: string | null): boolean
}

type Seek = Key['seek']

/** A text of fixed length for any key, by which a search finds one record and nothing that people search for. */
export const digestOf = (key: string, length = 32): string =>
  createHash('sha256').update(key).digest('hex').slice(0, length)

const inField = (field: string, form: (key: string) => string): Pick<Key, 'put' | 'isOn'> => ({
  put: (body, key) => ({ ...body, [field]: form(key) }),
  isOn: (raw, key) => valueAt(raw, field) === form(key),
})
const whole = (key: string) => key

/** The tool has a field for an external id, and writes over the record that has it: the same record twice is one. */
export const upsertKey = (field: string, seek: Seek, atOnce = 1): Key => ({
  deliveryClass: 'A',
  atOnce,
  seek,
  ...inField(field, whole),
})

/**
 * The tool has a field for an external id that can be asked for. Where it refuses a second record with one id (`unique`),
 * or only lists the ids, a lost answer is settled by asking.
 */
export const externalIdKey = (field: string, seek: Seek, atOnce = 1, form = whole): Key => ({
  deliveryClass: 'C',
  atOnce,
  seek,
  ...inField(field, form),
})

/** A custom field that was made for it. `form` is for tools whose fields or searches do not take every sign. */
export const customFieldKey = (holder: string, field: string, seek: Seek, atOnce = 1, form = whole): Key => ({
  deliveryClass: 'C',
  atOnce,
  seek,
  put: (body, key) => ({ ...body, [holder]: { ...(body[holder] as object | undefined), [field]: form(key) } }),
  isOn: (raw, key) => (valueAt(raw, holder) as Record<string, unknown> | undefined)?.[field] === form(key),
})

/** One of the labels of a record. */
export const labelKey = (field: string, seek: Seek, atOnce = 1, form: (key: string) => string = digestOf): Key => {
  const labelsOf = (from: unknown): unknown[] => (Array.isArray(from) ? from : [])
  return {
    deliveryClass: 'C',
    atOnce,
    seek,
    put: (body, key) => ({ ...body, [field]: [...labelsOf(body[field]), form(key)] }),
    isOn: (raw, key) => labelsOf(valueAt(raw, field)).includes(form(key)),
  }
}

/** A marker inside a text, or in a field that has another purpose. How it is written there is the connector's own. */
export const markerKey = (markOf: (key: string) => string, seek: Seek, atOnce = 1): Key => ({
  deliveryClass: 'C',
  atOnce,
  seek,
  put: (body) => body,
  isOn: (_raw, key, marker) => marker === markOf(key),
})

/** The tool searches for nothing, but lists what belongs to a parent: its records are looked through. */
export const parentKey = (
  list: (parentId: string) => Promise<RawRecord[]>,
  { put, isOn }: Pick<Key, 'put' | 'isOn'>,
): Key => ({
  deliveryClass: 'C',
  atOnce: Number.POSITIVE_INFINITY,
  async seek(sought) {
    const parents = new Set(sought.flatMap(({ parent }) => parent?.destinationId ?? []))
    const found: RawRecord[] = []
    for (const id of parents) found.push(...(await list(id)))
    return found
  },
  put,
  isOn,
})

/** Nothing tells our records. One is never sent twice, and a lost answer is told to the customer. */
export const noKey: Key = {
  deliveryClass: 'D',
  atOnce: Number.POSITIVE_INFINITY,
  put: (body) => body,
  seek: async () => [],
  isOn: () => false,
}
