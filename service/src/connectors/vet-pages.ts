import { ConnectorFaultError } from '../errors.ts'
import type { Reader, RecordPage } from './contract/contract.ts'

/**
 * The same reader, whose pages are checked. A record of another entity or with a number as its id would get lost
 * without a word.
 */
export function vetPages(tool: string, reader: Reader): Reader {
  const vet = (call: string, entity: string, cursor: string | null, page: RecordPage): RecordPage => {
    const wrong = wrongIn(page, entity, cursor)
    if (wrong !== null) throw new ConnectorFaultError(tool, `${call}(${entity}) answered with ${wrong}`)
    return page
  }
  const { readSome } = reader
  return {
    ...reader,
    read: async (entity, cursor, options) => vet('read', entity, cursor, await reader.read(entity, cursor, options)),
    ...(readSome && {
      readSome: async (entity, wanted, cursor) =>
        vet('readSome', entity, cursor, await readSome(entity, wanted, cursor)),
    }),
  }
}

const mostRecords = 10_000
/** Twice the longest answer of a tool that we read. More could take the memory of the whole process. */
const mostCharacters = 64_000_000
/** The cost of a value besides its text, so that a structure that contains itself ends, too. */
const charactersOfValue = 32

/** The impossible part of a page; null if there is none. */
function wrongIn(page: unknown, entity: string, cursor: string | null): string | null {
  if (!isObject(page)) return 'no page'
  const { items, warnings, next } = page
  if (!Array.isArray(items)) return 'no list of records'
  if (items.length > mostRecords) return `more than ${mostRecords} records`
  if (!Array.isArray(warnings)) return 'no list of warnings'
  if (next !== null && !isText(next)) return 'a next position that is neither a text nor null'
  if (next !== null && next === cursor) return 'its own position as the next one'
  for (const record of items as unknown[]) {
    if (!isObject(record)) return 'a record that is no object'
    if (record.entity !== entity) return `a record of ${String(record.entity).slice(0, 50)}`
    if (!isText(record.sourceId)) return 'a record whose id is no text'
    const named = `record ${record.sourceId.slice(0, 50)}`
    if (!isObject(record.fields)) return `${named} without fields`
    const odd = ['sourceUrl', 'createdAt', 'updatedAt'].find((name) => !isTextOrAbsent(record[name]))
    if (odd !== undefined) return `${named} whose ${odd} is no text`
  }
  return isTooLong(items) ? `more than ${mostCharacters / 1e6} million characters` : null
}

function isTooLong(page: unknown[]): boolean {
  const values = [...page]
  for (let left = mostCharacters; left >= 0; ) {
    if (values.length === 0) return false
    const value = values.pop()
    left -= charactersOfValue + (typeof value === 'string' ? value.length : 0)
    if (isObject(value)) for (const one of Object.values(value)) values.push(one)
  }
  return true
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
