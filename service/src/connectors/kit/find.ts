import type { FoundRecord, SoughtRecord } from '../contract/contract.ts'
import type { Key } from './keys.ts'
import type { RawRecord } from './lens.ts'
import { sideBySide } from './side-by-side.ts'

type Marker = string | null

export interface FindRules<R extends RawRecord> {
  /** Returns the records that exist under these ids. */
  byIds(ids: readonly string[]): Promise<R[]>
  key: Pick<Key, 'atOnce' | 'seek' | 'isOn'> & Partial<Pick<Key, 'deliveryClass'>>
  /**
   * The record in the form that is compared. Null for a record that counts as absent, such as one that is only partly
   * made.
   */
  toFound(raw: R): FoundContent | null | Promise<FoundContent | null>
}
/** `marker` is the text found where our key is kept, if there is any. */
export type FoundContent = Omit<FoundRecord, 'key' | 'destinationId'> & { marker?: string | null }

/**
 * Finds records by their known id, otherwise by our key. A record found by id is not searched by key again. Two records
 * with the same key mean that the record was written twice.
 */
export async function findRecords<R extends RawRecord>(
  { byIds, key: { atOnce, seek, isOn }, toFound }: FindRules<R>,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const found = new Map<string, FoundRecord>()
  const note = async (
    raw: R,
    sought: readonly SoughtRecord[],
    isIt: (one: SoughtRecord, marker: Marker) => boolean,
  ) => {
    const content = await toFound(raw)
    if (!content) return
    const { marker = null, ...stored } = content
    const destinationId = String(raw.id)
    for (const one of sought) {
      if (isIt(one, marker)) found.set(`${destinationId} ${one.key}`, { ...stored, key: one.key, destinationId })
    }
  }
  const known = sought.filter(({ destinationId }) => destinationId !== null)
  const ids = new Set(known.map(({ destinationId }) => String(destinationId)))
  for (const raw of ids.size === 0 ? [] : await byIds([...ids])) {
    await note(raw, known, ({ destinationId }) => destinationId === String(raw.id))
  }
  const there = new Set([...found.values()].map(({ key }) => key))
  const missing = sought.filter(({ key }) => !there.has(key))
  for (const some of chunksOf(missing, atOnce)) {
    for (const raw of (await seek(some)) as R[]) await note(raw, some, ({ key }, marker) => isOn(raw, key, marker))
  }
  return [...found.values()]
}

/** Makes `byIds` for a tool that returns one record per request. `find` returns null for a missing record. */
export const eachById =
  <R>(find: (id: string) => Promise<R | null>, atOnce = 1) =>
  async (ids: readonly string[]): Promise<R[]> =>
    (await sideBySide(ids, atOnce, find)).flatMap((raw) => raw ?? [])

/** Makes `byIds` for a list that is short enough to be read whole. */
export const among =
  <R extends RawRecord>(all: () => Promise<R[]>) =>
  async (ids: readonly string[]): Promise<R[]> =>
    (await all()).filter(({ id }) => ids.includes(String(id)))

/** Splits items into chunks, for requests that accept several items. */
export function chunksOf<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size))
  return chunks
}
