import type { RecordPage } from '../connectors/contract/contract.ts'
import { familyDefinitions } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { nameRecord, type RecordName } from './name-record.ts'
import { type OpenRunParts, openImport } from './open-run.ts'

/** A customer waits for the answer, so a look-up reads a limited number of pages, for a limited time. */
const mostPages = 20
const searchMs = 15_000
const mostFound = 20
/** Shorter words are part of too many titles. */
const shortestPart = 3

export interface NamedRecord extends RecordName {
  entity: string
  sourceId: string
}

export interface NamedRecords {
  found: NamedRecord[]
  /** Records that were looked at. */
  looked: number
  /** False when the source has more than could be looked at. */
  isWhole: boolean
}

/**
 * Records that people know by this number or title. Titles are not kept, so the source is asked, its main records first,
 * and only for as long as somebody waits.
 */
export function createFindNamed(parts: Omit<OpenRunParts, 'signal'>) {
  return async (importId: string, sought: string): Promise<NamedRecords> => {
    const { changes } = await findNewest(parts.db, importId)
    const end = performance.now() + searchMs
    const opened = await openImport({ ...parts, signal: AbortSignal.timeout(2 * searchMs) }, importId, changes)
    try {
      const { family, mapping, reader } = opened
      const isSought = matcherOf(sought)
      const all = familyDefinitions[family].entities.filter(({ name }) => mapping.destination.entities[name])
      const entities = [...all.filter(({ isTop }) => isTop), ...all.filter(({ isTop }) => !isTop)]
      const found: NamedRecord[] = []
      let [looked, pages] = [0, 0]
      for (const { name: entity } of entities) {
        let cursor: string | null = null
        do {
          if (pages >= mostPages || performance.now() > end || found.length >= mostFound) {
            return { found, looked, isWhole: false }
          }
          const page: RecordPage = await reader.read(entity, cursor, {})
          pages += 1
          looked += page.items.length
          for (const record of page.items.filter(isSought)) {
            found.push({ entity, sourceId: record.sourceId, ...nameRecord(record.fields) })
          }
          cursor = page.next
        } while (cursor !== null)
      }
      return { found: found.slice(0, mostFound), looked, isWhole: true }
    } finally {
      await opened.close()
    }
  }
}

function matcherOf(given: string): (record: FamilyRecord) => boolean {
  const sought = given.trim().replace(/^#/, '').toLowerCase()
  return ({ fields }) => {
    const { title, number } = nameRecord(fields)
    const [shown, numbered] = [title.toLowerCase(), number?.replace(/^#/, '').toLowerCase()]
    return numbered === sought || shown === sought || (sought.length >= shortestPart && shown.includes(sought))
  }
}
