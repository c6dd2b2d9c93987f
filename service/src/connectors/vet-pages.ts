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

/** The impossible part of a page; null if there is none. */
function wrongIn(page: unknown, entity: string, cursor: string | null): string | null {
  if (!isObject(page)) return 'no page'
  const { items, warnings, next } = page
  if (!Array.isArray(items)) return 'no list of records'
  if (!Array.isArray(warnings)) return 'no list of warnings'
  if (next !== null && !isText(next)) return 'a next position that is neither a text nor null'
  if (next !== null && next === cursor) return 'its own position as the next one'
  for (const record of items as unknown[]) {
    if (!isObject(record)) return 'a record that is no object'
    if (record.entity !== entity) return `a record of ${String(record.entity).slice(0, 50)}`
    if (!isText(record.sourceId)) return 'a record whose id is no text'
    if (!isObject(record.fields)) return `record ${record.sourceId.slice(0, 50)} without fields`
  }
  return null
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
