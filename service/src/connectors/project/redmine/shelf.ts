import type { Family } from '../../../families/index.ts'
import type { RecordRef } from '../../../families/record.ts'
import type { Skipped } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import type { MapContext, MappedRecord } from './build-record.ts'
import type { Customized } from './custom-fields.ts'
import type { Directory } from './directory.ts'
import type { Placed } from './schema.ts'

/** One opened instance, as the reading functions pass it around. */
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

/** Reading of one entity. */
export interface Shelf {
  /** The kind of record with its custom fields. */
  custom?: Customized
  /** Unset where Redmine does not tell how many there are. */
  count?(reading: Reading): Promise<number | null>
  /** With `since`, lists that can be asked so leave out what has not changed. */
  read(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage>
  /** The position after a page, without reading it. */
  after?(cursor: string | null, size: number): string | null
  /** Its ids are numbers, and it can be looked at by itself. */
  kind?: Placed
  /** The route of one record whose ids have another form; null for a text that is no such id. */
  path?(id: string): string | null
  /** Unset where everything has to be gone through. */
  byId?(reading: Reading, id: string): Promise<MappedRecord[]>
  /** The children of one record. Of a long list `lastId` is the last of this part, and the `place` of the next one. */
  under?(
    reading: Reading,
    parent: RecordRef,
    place: number,
  ): Promise<{ mapped: MappedRecord[]; lastId?: number | null }>
  /** Of these ids, those that lists show. */
  listed?(reading: Reading, ids: readonly string[]): Promise<string[]>
}

export const isNumber = (id: string) => /^\d{1,9}$/.test(id)

/** One after the other: long texts are mapped beside the event loop. */
export async function mapEach<T>(
  items: readonly T[],
  map: (item: T) => MappedRecord | Promise<MappedRecord>,
): Promise<MappedRecord[]> {
  const mapped: MappedRecord[] = []
  for (const item of items) mapped.push(await map(item))
  return mapped
}

/** Several lists, one after the other. Cursor: `name|place`. */
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
