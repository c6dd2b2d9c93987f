import type { Family } from '../../../families/index.ts'
import type { RecordRef } from '../../../families/record.ts'
import type { Page, Skipped } from '../../contract/contract.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import type { RedmineApi } from './api.ts'
import type { MapContext } from './build-record.ts'
import type { Directory } from './directory.ts'
import type { Kind } from './schema.ts'
import type { FileItem } from './to-records.ts'

/** One opened instance, passed to the reading functions. */
export interface Reading {
  api: RedmineApi
  directory: Directory
  family: Family
  pageSize: number
}

/** How one entity is read. `T` is an item of its lists. */
export interface Shelf<T = unknown> {
  /** The kind whose custom fields the entity has, if it cannot be requested by id. */
  custom?: Kind
  /** Missing if Redmine does not tell the count. */
  count?(reading: Reading): Promise<number | null>
  /** With `since`, leaves out unchanged records if Redmine can filter the list. */
  list(reading: Reading, cursor: string | null, since?: string): Promise<Page<T> & { skipped?: Skipped }>
  after?(cursor: string | null, size: number): string | null
  /** Set if ids are numbers and a record can be requested by id. */
  kind?: Kind
  /** The path of a record whose id is no number; null for an invalid id. */
  path?(id: string): string | null
  /** Missing if a record can only be found by reading the whole list. */
  byId?(reading: Reading, id: string): Promise<T[]>
  /** Reads children of one record. In a long list, `lastId` is the last child and the next call's `place`. */
  under?(reading: Reading, parent: RecordRef, place: number): Promise<{ items: T[]; lastId?: number | null }>
  /** Returns those of the ids that the lists contain. */
  listed?(reading: Reading, ids: readonly string[]): Promise<string[]>
  /** Null for an item that is no record. Long texts are converted in a thread. */
  map(context: MapContext, item: T): MappedRecord | null | Promise<MappedRecord>
}

/** How the files of one kind of record are read. */
export interface FileShelf extends Pick<Shelf<FileItem>, 'list'> {
  of(reading: Reading, parent: RecordRef): Promise<FileItem[]>
}

export const isNumber = (id: string) => /^\d{1,9}$/.test(id)

/** Reads several lists one after the other. Cursor: `name|place`. */
export async function inSteps<S, P extends { next: string | null }>(
  lists: Readonly<Record<string, S>>,
  cursor: string | null,
  read: (list: S, place: string | null) => Promise<P>,
): Promise<P> {
  const names = Object.keys(lists)
  const bar = cursor?.indexOf('|') ?? -1
  const name = names.find((one) => one === cursor?.slice(0, bar)) ?? String(names[0])
  const page = await read(lists[name] as S, cursor?.slice(bar + 1) || null)
  const following = names[names.indexOf(name) + 1]
  const end = following === undefined ? null : `${following}|`
  return { ...page, next: page.next === null ? end : `${name}|${page.next}` }
}
