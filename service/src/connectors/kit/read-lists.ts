import Type from 'typebox'
import type { FamilyRecord, RecordRef } from '../../families/record.ts'
import type { CustomField, Reader, RecordPage } from '../contract/contract.ts'
import type { Entity } from './entity.ts'
import { findListed } from './find-ids.ts'
import { hasShape } from './has-shape.ts'
import type { RawRecord } from './lens.ts'
import { inTurn } from './nested-pages.ts'
import type { Walk } from './pages.ts'
import { customFieldsOf, type MappedRecord, readRecord, toPage } from './read-record.ts'

/** The part of a list to read: all records, changes since a moment, or these ids. */
export interface Which {
  since?: string | undefined
  ids?: readonly string[]
}
export type List = (which: Which) => Walk<RawRecord>

/** An entity of a tool: where its records are listed and how they are read. */
export interface Listed {
  entity: Pick<Entity, 'name' | 'definition'>
  /** The entity's own list. */
  list: List
  /** The parents' list, for records that come inside their parents. Null if the entity's own list is read. */
  holders: { list: List; entity: string; idIn: string } | null
  /** Called once per page, with the records of the page. */
  toRecords(page: readonly RawRecord[]): Promise<(raw: RawRecord) => MappedRecord[] | Promise<MappedRecord[]>>
  customFields(): Promise<CustomField[]>
  /**
   * The list below one record of another entity, by that entity. A function for a tool that lists the children of
   * several parents at once; records of other parents are left out.
   */
  under:
    | Readonly<Record<string, (parentId: string) => Walk<RawRecord>>>
    | ((parentIds: string[], parents: readonly RecordRef[]) => Walk<RawRecord>)
}

/**
 * An entity with its own list. `around` reads the extra data that the records of a page need. `read` is for tools with
 * long texts, which are read outside the event loop.
 */
export function listed<A>(
  entity: Entity<A>,
  list: List,
  around: (page: readonly RawRecord[]) => Promise<A>,
  under: Listed['under'] = {},
  read: (raw: RawRecord, around: A) => MappedRecord | Promise<MappedRecord> = (raw, known) =>
    readRecord(entity, raw, known),
): Listed {
  return {
    entity,
    list,
    holders: null,
    under,
    async toRecords(page) {
      const known = await around(page)
      return async (raw) => [await read(raw, known)]
    },
    customFields: async () => (entity.extra || entity.custom ? customFieldsOf(entity, await around([])) : []),
  }
}

/** For records that need no extra data. */
export const alone = async (): Promise<undefined> => undefined

/**
 * An entity whose records are inside records of another entity, such as files inside comments. `field` names the list
 * in the parent, `idIn` the parent's id in the entity's own list. The parent's record gives the context.
 */
export function inside(
  entity: Entity<FamilyRecord>,
  list: List,
  holder: Listed,
  { field, idIn }: { field: string; idIn: string },
): Listed {
  const parts = Type.Array(Type.Object({ id: Type.Union([Type.String(), Type.Number()]) }))
  return {
    entity,
    list,
    holders: { list: holder.list, entity: holder.entity.name, idIn },
    under: {},
    async toRecords(page) {
      const toHolder = await holder.toRecords(page)
      return async (raw) => {
        const given = raw[field]
        if (!hasShape(parts, given) || given.length === 0) return []
        return (await toHolder(raw)).flatMap(({ record }) =>
          (given as RawRecord[]).map((part) => readRecord(entity, part, record)),
        )
      }
    },
    customFields: async () => [],
  }
}

/** Most parents contain no records. At most this many empty pages are skipped before an empty page is returned. */
const emptyPages = 10

/**
 * Reads the entities that the tool lists, and no others. The connector implements the rest of the reader. `isId`
 * recognizes the tool's ids; other texts are not requested.
 */
export function readLists(
  label: string,
  lists: readonly Listed[],
  pageSize: number,
  isId: (id: string) => boolean = () => true,
): Required<Pick<Reader, 'customFields' | 'read' | 'readSome' | 'findIds'>> {
  const listOf = (entity: string) => lists.find((one) => one.entity.name === entity)
  const page = async ({ toRecords }: Listed, walk: Walk<RawRecord>, cursor: string | null): Promise<RecordPage> => {
    const { items, next } = await walk(cursor, pageSize)
    const toRecord = await toRecords(items)
    const mapped: MappedRecord[] = []
    for (const raw of items) mapped.push(...(await toRecord(raw)))
    return toPage(onlyFirst(mapped), next)
  }
  const byIds = async (one: Listed, list: List, ids: readonly string[], cursor: string | null) => {
    const asked = ids.filter(isId)
    return asked.length === 0 ? toPage([], null) : page(one, list({ ids: asked }), cursor)
  }
  return {
    customFields: async (entity) => (await listOf(entity)?.customFields()) ?? [],
    async read(entity, cursor, { since }) {
      const one = listOf(entity)
      if (!one) return toPage([], null)
      const walk = (one.holders?.list ?? one.list)({ since })
      let read = await page(one, walk, cursor)
      for (
        let pages = 0;
        one.holders && read.items.length === 0 && read.next !== null && pages < emptyPages;
        pages += 1
      ) {
        read = await page(one, walk, read.next)
      }
      return read
    },
    async readSome(entity, wanted, cursor) {
      const one = listOf(entity)
      if (!one) return toPage([], null)
      const { holders, under } = one
      if ('ids' in wanted && !holders) return byIds(one, one.list, wanted.ids, cursor)
      if ('ids' in wanted && holders) {
        const asked = wanted.ids.filter(isId)
        if (asked.length === 0) return toPage([], null)
        const { items, next } = await one.list({ ids: asked })(cursor, pageSize)
        const ids = new Set(items.map((raw) => String(raw[holders.idIn])))
        const isWanted = ({ sourceId }: { sourceId: string }) => wanted.ids.includes(sourceId)
        const read = await byIds(one, holders.list, [...ids], null)
        return { items: read.items.filter(isWanted), warnings: read.warnings.filter(isWanted), next }
      }
      const parents: readonly RecordRef[] = 'parents' in wanted ? wanted.parents : []
      if (holders) {
        const ids = parents.filter((parent) => parent.entity === holders.entity).map(({ sourceId }) => sourceId)
        return byIds(one, holders.list, ids, cursor)
      }
      if (typeof under === 'function') {
        const asked = parents.filter(({ sourceId }) => isId(sourceId))
        const ids = asked.map(({ sourceId }) => sourceId)
        return ids.length === 0 ? toPage([], null) : onlyUnder(asked, one, await page(one, under(ids, asked), cursor))
      }
      if (one.entity.definition.parent !== undefined && Object.keys(under).length === 0) {
        throw new Error(`${label}: nothing says how ${entity} are listed under one parent`)
      }
      const known = parents.filter((parent) => under[parent.entity])
      const walk = (parent: RecordRef) => under[parent.entity]?.(parent.sourceId) ?? nothing
      return page(one, (at, size) => inTurn(known, at, size, walk), cursor)
    },
    async findIds(entity, ids) {
      const one = listOf(entity)
      return one ? findListed(ids.filter(isId), (asked, cursor) => one.list({ ids: asked })(cursor, pageSize)) : []
    },
  }
}

/** Without repetitions: a tool may name one record twice, such as a file in two lists of a message. */
function onlyFirst(mapped: readonly MappedRecord[]): MappedRecord[] {
  const seen = new Set<string>()
  return mapped.filter(({ record: { sourceId } }) => !seen.has(sourceId) && seen.add(sourceId))
}

/** Leaves out records that belong to none of these parents. */
function onlyUnder(parents: readonly RecordRef[], { entity }: Listed, { items, warnings, ...rest }: RecordPage) {
  const keys = new Set(parents.map(({ entity: name, sourceId }) => `${name}/${sourceId}`))
  const own = items.filter(({ fields }) => {
    const parent = fields[entity.definition.parent ?? ''] as RecordRef | null | undefined
    return !parent || keys.has(`${parent.entity}/${parent.sourceId}`)
  })
  const left = new Set(items.filter((item) => !own.includes(item)).map(({ sourceId }) => sourceId))
  return { ...rest, items: own, warnings: warnings.filter(({ sourceId }) => !left.has(sourceId)) }
}

const nothing: Walk<RawRecord> = async () => ({ items: [], next: null })
