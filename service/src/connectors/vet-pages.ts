import { ConnectorFaultError } from '../errors.ts'
import type { EntityDefinition } from '../families/definition.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { sourceWarnings } from '../warnings/codes.ts'
import type { Reader, RecordPage, RecordWarning } from './contract/contract.ts'
import { isObject } from './is-object.ts'
import { leavingOut } from './kit/records-in.ts'
import { isTooLong, tooLong } from './too-long.ts'
import { wrongInValues } from './vet-values.ts'

/**
 * The same reader, whose pages are checked. A record of another entity, with a number as its id or with a value of
 * another form would get lost without a word. A record that the tool sends without an id is left out and told. Nobody
 * can refer to such a person or field, so those are left out only.
 */
export function vetPages(tool: string, reader: Reader, family: Family | undefined): Reader {
  const vet = (call: string, entity: string, cursor: string | null, page: RecordPage): RecordPage => {
    const definition = family && familyDefinitions[family].entities.find(({ name }) => name === entity)
    const wrong = wrongIn(page, entity, cursor, definition)
    if (wrong !== null) throw new ConnectorFaultError(tool, `${call}(${entity}) answered with ${wrong}`)
    return page
  }
  const telling = async (call: string, entity: string, cursor: string | null, act: () => Promise<RecordPage>) => {
    const { result, unnamed } = await leavingOut(act)
    const page = vet(call, entity, cursor, result)
    const message = 'The source sent a record without an id.'
    const told = unnamed.map((id): RecordWarning => {
      return { entity, sourceId: `without an id (${id})`, code: 'unnamed_in_source', message }
    })
    return told.length === 0 ? page : { ...page, warnings: [...page.warnings, ...told] }
  }
  const { readSome } = reader
  return {
    ...reader,
    read: (entity, cursor, options) => telling('read', entity, cursor, () => reader.read(entity, cursor, options)),
    ...(readSome && {
      readSome: (entity, wanted, cursor) => telling('readSome', entity, cursor, () => readSome(entity, wanted, cursor)),
    }),
    customFields: async (entity) => (await leavingOut(() => reader.customFields(entity))).result,
    users: async (cursor) => (await leavingOut(() => reader.users(cursor))).result,
  }
}

const mostRecords = 10_000
/** Longer ids do not fit into an index of the database. */
const longestId = 500

/** The impossible part of a page; null if there is none. */
function wrongIn(
  page: unknown,
  entity: string,
  cursor: string | null,
  definition: EntityDefinition | undefined,
): string | null {
  if (!isObject(page)) return 'no page'
  const { items, warnings, next } = page
  if (!Array.isArray(items)) return 'no list of records'
  if (items.length > mostRecords) return `more than ${mostRecords} records`
  if (!Array.isArray(warnings)) return 'no list of warnings'
  const isKnown = (code: unknown) =>
    code === 'truncated_by_source' || code === 'unnamed_in_source' || Object.hasOwn(sourceWarnings, String(code))
  const odd = (warnings as unknown[]).find((one) => !isObject(one) || !isText(one.sourceId) || !isKnown(one.code))
  if (odd !== undefined) return `a warning that there is not: ${JSON.stringify(odd)?.slice(0, 100)}`
  if (next !== null && !isText(next)) return 'a next position that is neither a text nor null'
  if (next !== null && next === cursor) return 'its own position as the next one'
  const ids = new Set<string>()
  for (const record of items as unknown[]) {
    if (!isObject(record)) return 'a record that is no object'
    if (record.entity !== entity) return `a record of ${String(record.entity).slice(0, 50)}`
    if (!isText(record.sourceId)) return 'a record whose id is no text'
    if (!isStorable(record.sourceId)) return `an id that has more than ${longestId} characters or an unusual one`
    if (ids.has(record.sourceId)) return `record ${record.sourceId.slice(0, 50)} twice`
    ids.add(record.sourceId)
    const named = `record ${record.sourceId.slice(0, 50)}`
    if (!isObject(record.fields)) return `${named} without fields`
    const odd = ['sourceUrl', 'createdAt', 'updatedAt'].find((name) => !isTextOrAbsent(record[name]))
    if (odd !== undefined) return `${named} whose ${odd} is no text`
  }
  if (isTooLong(items)) return tooLong
  for (const record of items as Record<string, unknown>[]) {
    const wrong = definition ? wrongInValues(record, definition) : null
    if (wrong !== null) return `record ${String(record.sourceId).slice(0, 50)} with ${wrong.slice(0, 200)}`
  }
  return null
}

const isStorable = (id: string) => id.length <= longestId && !id.includes('\0') && id.isWellFormed()
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string'
