import { createHash } from 'node:crypto'
import type { Capabilities, SoughtRecord } from '../contract/contract.ts'
import { type RawRecord, valueAt } from './lens.ts'

// Ways to find our record again when the tool's answer was lost. Each way puts our key on the body, searches for
// records with the key, and determines the delivery class.

export interface Key {
  deliveryClass: Capabilities['deliveryClass']
  /** Puts the key on a body that is about to be sent. */
  put(body: Record<string, unknown>, key: string): Record<string, unknown>
  /** Number of keys that one search accepts. */
  atOnce: number
  /** Returns records that may carry one of the keys. A failed search throws; it never counts as "not found". */
  seek(sought: readonly SoughtRecord[]): Promise<RawRecord[]>
  /** `marker` is the text found where the key is kept, if the key has no field of its own. */
  isOn(raw: RawRecord, key: string, marker: string | null): boolean
}

type Seek = Key['seek']

/**
 * A digest of fixed length for any key. A search for it finds only our record, never one that people would search for.
 */
export const digestOf = (key: string, length = 32): string =>
  createHash('sha256').update(key).digest('hex').slice(0, length)

const inField = (field: string, form: (key: string) => string): Pick<Key, 'put' | 'isOn'> => ({
  put: (body, key) => ({ ...body, [field]: form(key) }),
  isOn: (raw, key) => valueAt(raw, field) === form(key),
})
const whole = (key: string) => key

/**
 * The tool has a field for an external id and overwrites the record with the same id. Sending a record twice creates
 * only one.
 */
export const upsertKey = (field: string, seek: Seek, atOnce = 1, form = whole): Key => ({
  deliveryClass: 'A',
  atOnce,
  seek,
  ...inField(field, form),
})

/**
 * The tool has a searchable field for an external id. After a lost answer we search for the id. This also covers tools
 * that refuse a second record with the same id (`unique`) or only list the ids.
 */
export const externalIdKey = (field: string, seek: Seek, atOnce = 1, form = whole): Key => ({
  deliveryClass: 'C',
  atOnce,
  seek,
  ...inField(field, form),
})

/**
 * A custom field that we created for the key. `form` is for tools whose fields or searches do not accept every
 * character.
 */
export const customFieldKey = (holder: string, field: string, seek: Seek, atOnce = 1, form = whole): Key => ({
  deliveryClass: 'C',
  atOnce,
  seek,
  put: (body, key) => ({ ...body, [holder]: { ...(body[holder] as object | undefined), [field]: form(key) } }),
  isOn: (raw, key) => (valueAt(raw, holder) as Record<string, unknown> | undefined)?.[field] === form(key),
})

/** Keeps the key as one of the record's labels. */
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

/**
 * Keeps the key as a marker inside a text, or in a field with another purpose. The connector itself writes the marker.
 */
export const markerKey = (markOf: (key: string) => string, seek: Seek, atOnce = 1): Key => ({
  deliveryClass: 'C',
  atOnce,
  seek,
  put: (body) => body,
  isOn: (_raw, key, marker) => marker === markOf(key),
})

/** The tool has no search but lists the records of a parent. We look through that list. */
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

/** The tool has no place for a key. A record is never sent twice, and a lost answer is reported to the customer. */
export const noKey: Key = {
  deliveryClass: 'D',
  atOnce: Number.POSITIVE_INFINITY,
  put: (body) => body,
  seek: async () => [],
  isOn: () => false,
}
