import { Check } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import type {
  CustomField,
  Page,
  Reader,
  RecordPage,
  RecordWarning,
  Wanted,
} from '../../service/src/connectors/contract/contract.ts'
import { writingsOf } from '../../service/src/engine/find-links.ts'
import type { EntityDefinition } from '../../service/src/families/definition.ts'
import { type Family, familyDefinitions } from '../../service/src/families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef, ToolUser } from '../../service/src/families/record.ts'
import { skippedKinds } from '../../service/src/warnings/codes.ts'
import { hasShape, momentSchema } from './value-shapes.ts'

export interface OpenedReader {
  reader: Reader
  family: Family
  /** The entities that the account has. There must be at least one record of each. */
  entities: readonly string[]
  /** The family's fields that have a value somewhere in the account, by entity. Each must be read. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** True if `fields` must name every field that is read: the loss of any other would go unnoticed. */
  namesAllFields?: boolean
  /** Entities whose deletions the source reports, each with an id that no record has. */
  missing?: Record<string, string>
  /** The entities in `missing` whose missing records may only be hidden, so they do not count as deleted. */
  inDoubt?: readonly string[]
  /**
   * Entities that a later run reads as a whole, each with the reason, such as a change that their own times do not show.
   */
  readsWhole?: Readonly<Record<string, string>>
  /** The reason why the source has no files. If it is not set, some files are streamed. */
  withoutFiles?: string
}

/** A page limit that stops a reader which never ends. */
const maxPages = 10_000

export async function readAll<T>(readPage: (cursor: string | null) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page: Page<T> = await readPage(cursor)
    items.push(...page.items)
    if (page.next === null) return items
    expect(page.next).not.toBe(cursor)
    cursor = page.next
  }
  throw new Error('the pages do not end')
}

/**
 * The duties of every reader. Each call of `open` returns a new reader of the same account. The account must need
 * several pages.
 */
export function describeReader(name: string, open: () => Promise<OpenedReader>): void {
  describe(`${name} as a reader`, () => {
    let opened: OpenedReader
    let definitions: EntityDefinition[]
    let users: ToolUser[]
    const records = new Map<string, FamilyRecord[]>()
    const warnings: RecordWarning[] = []
    const customFields = new Map<string, CustomField[]>()
    const all = () => [...records.values()].flat()
    const definitionOf = (record: FamilyRecord) => definitions.find((one) => one.name === record.entity)

    beforeAll(async () => {
      opened = await open()
      const { reader, family, entities } = opened
      definitions = familyDefinitions[family].entities.filter((entity) => entities.includes(entity.name))
      expect(definitions.map((entity) => entity.name).sort()).toEqual([...entities].sort())
      users = await readAll((cursor) => reader.users(cursor))
      for (const entity of entities) {
        const read = await readAll(async (cursor) => {
          const page = await reader.read(entity, cursor, {})
          warnings.push(...page.warnings)
          return page
        })
        records.set(entity, read)
        customFields.set(entity, await reader.customFields(entity))
      }
    })

    test('every entity has records, each with an id of its own', () => {
      for (const [entity, read] of records) {
        expect(read.length, entity).toBeGreaterThan(0)
        expect(new Set(read.map(({ sourceId }) => sourceId)).size, entity).toBe(read.length)
        expect(new Set(read.map((record) => record.entity)), entity).toEqual(new Set([entity]))
      }
    })

    test('entities of the family that the source does not have can be asked for their fields', async () => {
      for (const { name: entity } of familyDefinitions[opened.family].entities) {
        if (!opened.entities.includes(entity)) expect(await opened.reader.customFields(entity), entity).toEqual([])
      }
    })

    test('no field is unreadable in every record', () => {
      for (const [entity, read] of records) {
        const unreadable = warnings.filter((one) => one.code === 'field_unreadable' && one.entity === entity)
        for (const [message, found] of Map.groupBy(unreadable, (one) => one.message)) {
          if (read.length > 2) expect(found.length, `${entity}: ${message}`).toBeLessThan(read.length)
        }
      }
    })

    test('counts agree with what was read', async () => {
      const counts = await opened.reader.count()
      for (const [entity, read] of records) {
        if (counts[entity] !== null) expect(counts[entity], entity).toBe(read.length)
        expect((await opened.reader.count(entity))[entity], entity).toBe(counts[entity])
      }
    })

    test('kinds that are skipped on purpose are counted and have words', async () => {
      const counted = (await opened.reader.countSkipped?.()) ?? {}
      for (const [kind, count] of Object.entries(counted)) {
        expect(skippedKinds, kind).toHaveProperty(kind)
        expect(Number.isInteger(count) && count >= 0, `${kind}: ${count}`).toBe(true)
      }
    })

    test('the same page twice is equal, and a new reader goes on from any cursor', async () => {
      let needsPages = false
      for (const [entity, read] of records) {
        const walked: FamilyRecord[] = []
        let cursor: string | null = null
        do {
          const at: string | null = cursor
          const fresh = (await open()).reader
          const page = await fresh.read(entity, at, {})
          expect(await opened.reader.read(entity, at, {}), `${entity} at ${at}`).toEqual(page)
          walked.push(...page.items)
          cursor = page.next
          needsPages ||= cursor !== null
        } while (cursor !== null)
        expect(walked, entity).toEqual(read)
      }
      expect(needsPages, 'an account of several pages').toBe(true)
    })

    test('fields are those of the family, of the right shape', () => {
      for (const record of all()) {
        const definition = definitionOf(record)
        for (const [field, value] of Object.entries(record.fields)) {
          const about = `${record.entity} ${record.sourceId}: ${field} = ${JSON.stringify(value)}`
          const known = definition?.fields[field]
          if (!known) throw new Error(`unknown field, ${about}`)
          expect(hasShape(known.type, known.many ?? false, value), about).toBe(true)
        }
        for (const moment of [record.createdAt, record.updatedAt]) {
          if (moment !== undefined) expect(Check(momentSchema, moment), moment).toBe(true)
        }
      }
    })

    test('every field that the account has is read', ({ skip }) => {
      if (!opened.fields) return skip('nobody says which fields the account has')
      for (const [entity, fields] of Object.entries(opened.fields)) {
        const read = records.get(entity) ?? []
        const empty = fields.filter((field) => read.every((record) => isEmpty(record.fields[field])))
        expect(empty, `${entity}: source.fields of the twin names them, and no record that was read has them`).toEqual(
          [],
        )
      }
    })

    test('every field that is read is named by the twin, so that its loss would be noticed', ({ skip }) => {
      const { fields, namesAllFields } = opened
      if (!fields || !namesAllFields) return skip('nobody says which fields the account has')
      const unnamed = all().flatMap(({ entity, fields: read }) =>
        Object.keys(read)
          .filter((field) => !isEmpty(read[field]) && !fields[entity]?.includes(field))
          .map((field) => `${entity}.${field}`),
      )
      expect([...new Set(unnamed)], 'add them to source.fields of the twin').toEqual([])
    })

    test('custom fields are declared, and of the declared shape', () => {
      for (const record of all()) {
        for (const [key, { label, type, many, value, options }] of Object.entries(record.customFields ?? {})) {
          const about = `${record.entity} ${record.sourceId}: ${key} = ${JSON.stringify(value)}`
          const declared = customFields.get(record.entity)?.find((field) => field.key === key)
          expect({ label, type, many: many ?? false, options: options ?? [] }, about).toEqual({
            label: declared?.label,
            type: declared?.type,
            many: declared?.many,
            options: declared?.options,
          })
          expect(hasShape(type, many ?? false, value), about).toBe(true)
        }
      }
    })

    test('required fields are there, or it is reported', () => {
      const reported = new Set(warnings.map(({ entity, sourceId }) => `${entity} ${sourceId}`))
      for (const record of all()) {
        for (const [field, { required }] of Object.entries(definitionOf(record)?.fields ?? {})) {
          const isThere = !isEmpty(record.fields[field])
          if (required && !isThere) expect(reported).toContain(`${record.entity} ${record.sourceId}`)
        }
      }
    })

    test('relations point to records of the source, and users to people of it', () => {
      const known = new Set(all().map(({ entity, sourceId }) => `${entity} ${sourceId}`))
      const people = new Set(users.map(({ id }) => id))
      expect(people.size).toBe(users.length)
      for (const record of all()) {
        for (const [field, value] of Object.entries(record.fields)) {
          const { to = [] } = definitionOf(record)?.fields[field] ?? {}
          for (const one of Array.isArray(value) ? value : [value]) {
            if (typeof one !== 'object' || one === null) continue
            if ('userId' in one) expect(people).toContain(one.userId)
            if (!('sourceId' in one)) continue
            expect(to, field).toContain(one.entity)
            expect(known).toContain(`${one.entity} ${one.sourceId}`)
          }
        }
        const { createdBy } = record
        if (createdBy?.userId !== undefined) expect(people).toContain(createdBy.userId)
        else if (createdBy) expect(createdBy.name).not.toBe('')
      }
    })

    test('the address of each record leads back to it, and a strange one nowhere', () => {
      const { reader } = opened
      const byPlace = new Map<string, FamilyRecord>()
      for (const record of all()) {
        byPlace.set(`${record.entity} ${record.sourceId}`, record)
        if (record.sourceUrl !== undefined) byPlace.set(record.sourceUrl, record)
      }
      for (const record of all()) {
        const { sourceUrl } = record
        if (sourceUrl === undefined) continue
        for (const address of [sourceUrl, sourceUrl.replace(/^https?:/, ''), sourceUrl.replace(/^https?/, 'HTTP')]) {
          const places = (reader.follow?.(address, sourceUrl)?.to ?? []).flatMap((target) =>
            'entity' in target ? [`${target.entity} ${target.sourceId}`] : writingsOf(target.sourceUrl),
          )
          const found = places.flatMap((place) => byPlace.get(place) ?? [])[0]
          expect({ address, entity: found?.entity, sourceId: found?.sourceId }).toEqual({
            address,
            entity: record.entity,
            sourceId: record.sourceId,
          })
        }
      }
      for (const address of ['https://elsewhere.invalid/issues/1', 'mailto:a@example.org', 'https://[']) {
        expect(reader.follow?.(address, 'https://nowhere.invalid/') ?? null, address).toBeNull()
      }
    })

    test('since gives what changed from then on, and nothing older', async () => {
      for (const [entity, read] of records) {
        const times = read.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
        const since = times[Math.floor(times.length / 2)]
        if (since === undefined) continue
        const changed = await readAll((cursor) => opened.reader.read(entity, cursor, { since }))
        const isDue = ({ updatedAt }: FamilyRecord) => updatedAt === undefined || updatedAt >= since
        const isWhole = opened.readsWhole?.[entity] !== undefined
        expect(changed, entity).toEqual(isWhole ? read : read.filter(isDue))
      }
    })

    test('some records can be read by their ids, and by their parents', async ({ skip }) => {
      const { reader } = opened
      if (!reader.readSome) return skip('this source cannot be asked for single records')
      const some = (entity: string, wanted: Wanted) =>
        readAll((cursor) => reader.readSome?.(entity, wanted, cursor) as Promise<RecordPage>)
      const byId = (read: FamilyRecord[]) => [...read].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
      for (const [entity, read] of records) {
        const picked = read.filter((_, index) => index % 3 === 0).slice(0, 40)
        const ids = [...picked.map(({ sourceId }) => sourceId), 'no-such-record']
        expect(byId(await some(entity, { ids })), entity).toEqual(byId(picked))
        const { parent } = definitions.find(({ name }) => name === entity) ?? {}
        if (parent === undefined) continue
        const parentOf = (record: FamilyRecord) => record.fields[parent] as RecordRef | null
        const refs = [...new Map(picked.map((record) => [JSON.stringify(parentOf(record)), parentOf(record)])).values()]
        const parents = refs.filter((ref) => ref !== null).slice(0, 5)
        const keys = new Set(parents.map((ref) => JSON.stringify(ref)))
        const hanging = read.filter((record) => keys.has(JSON.stringify(parentOf(record))))
        expect(byId(await some(entity, { parents })), `${entity} of ${[...keys]}`).toEqual(byId(hanging))
      }
    })

    test('the list of ids shows existing records, and no existing record counts as deleted', async ({ skip }) => {
      const { reader, missing, inDoubt = [] } = opened
      if (!missing) return skip('this source is not asked what was deleted')
      for (const [entity, missingId] of Object.entries(missing)) {
        const ids = (records.get(entity) ?? []).slice(0, 98).map(({ sourceId }) => sourceId)
        const asked = [...ids, missingId, 'no-such-record']
        expect([...((await reader.findIds?.(entity, asked)) ?? [])].sort(), entity).toEqual([...ids].sort())
        expect(await reader.findIds?.(entity, [missingId]), entity).toEqual([])
        expect(await reader.findGone?.(entity, [missingId]), entity).toEqual(
          inDoubt.includes(entity) ? [] : [missingId],
        )
        // An existing record that is requested by its id counts as existing, even if a list misses it. For uploaded
        // files, the list decides.
        if (opened.withoutFiles === undefined)
          expect(await reader.findGone?.(entity, ids.slice(0, 5)), entity).toEqual([])
      }
    })

    test('files stream, with as many bytes as was said', async ({ skip }) => {
      if (opened.withoutFiles !== undefined) return skip(opened.withoutFiles)
      const files = [...(records.get('attachments') ?? []), ...(records.get('media') ?? [])]
      expect(files.length).toBeGreaterThan(0)
      for (const file of files.slice(0, 20)) {
        const { size, body } = await opened.reader.openFile(file)
        let bytes = 0
        for await (const chunk of body) bytes += (chunk as Buffer).length
        if (size !== null) expect(bytes, String(file.fields.file_name)).toBe(size)
        if (typeof file.fields.size === 'number') expect(bytes).toBe(file.fields.size)
      }
    })
  })
}

function isEmpty(value: FieldValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
