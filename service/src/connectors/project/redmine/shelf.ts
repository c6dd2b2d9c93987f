import type { Family } from '../../../families/index.ts'
import type { RecordRef } from '../../../families/record.ts'
import type { Skipped } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import type { MapContext, MappedRecord } from './build-record.ts'
import type { Customized } from './custom-fields.ts'
import type { Directory } from './directory.ts'
import type { Placed } from './schema.ts'

/** One opened instance, passed to the reading functions. */
export interface Reading {
  api: RedmineApi
  directory: Directory
  family: Family
  pageSize: number
  contextFor(items: readonly unknown[]): Promise<MapContext>
}

export interface MappedPage {
  mapped: MappedRecord[]
  next: string | null
  skipped?: Skipped
}

/** How one entity is read. */
export interface Shelf {
  /** The kind of custom fields that the entity has. */
  custom?: Customized
  /** Missing if Redmine does not tell the count. */
  count?(reading: Reading): Promise<number | null>
  /** With `since`, leaves out unchanged records if Redmine can filter the list. */
  read(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage>
  /** The cursor after a page, without reading it. */
  after?(cursor: string | null, size: number): string | null
  /** Set if ids are numbers and a record can be requested by id. */
  kind?: Placed
  /** The path of a record whose id is no number; null for an invalid id. */
  path?(id: string): string | null
  /** Missing if a record can only be found by reading the whole list. */
  byId?(reading: Reading, id: string): Promise<MappedRecord[]>
  /**
   * Reads the children of one record. In a long list, `lastId` is the last child of this part and the `place` for the
   * next call.
   */
  under?(
    reading: Reading,
    parent: RecordRef,
    place: number,
  ): Promise<{ mapped: MappedRecord[]; lastId?: number | null }>
  /** Returns those of the ids that the lists contain. */
  listed?(reading: Reading, ids: readonly string[]): Promise<string[]>
}

export const isNumber = (id: string) => /^\d{1,9}$/.test(id)

/** Maps items one after the other, because long texts are converted in a thread. */
export async function mapEach<T>(
  items: readonly T[],
  map: (item: T) => MappedRecord | Promise<MappedRecord>,
): Promise<MappedRecord[]> {
  const mapped: MappedRecord[] = []
  for (const item of items) mapped.push(await map(item))
  return mapped
}

/** Reads several lists one after the other. Cursor: `name|place`. */
export async function inSteps<P extends { next: string | null }>(
  names: readonly string[],
  cursor: string | null,
  read: (name: string, place: string | null) => Promise<P>,
): Promise<P> {
  const bar = cursor?.indexOf('|') ?? -1
  const name = names.find((one) => one === cursor?.slice(0, bar)) ?? String(names[0])
  const page = await read(name, cursor?.slice(bar + 1) || null)
  const following = names[names.indexOf(name) + 1]
  return {
    ...page,
    next: page.next !== null ? `${name}|${page.next}` : following === undefined ? null : `${following}|`,
  }
}
