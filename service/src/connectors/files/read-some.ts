import { entityOf, type Family } from '../../families/index.ts'
import type { FamilyRecord, RecordRef } from '../../families/record.ts'
import type { RecordPage, RecordWarning, Wanted } from '../contract/contract.ts'
import type { StoredUpload } from '../contract/upload-contract.ts'
import type { CsvFile } from './list-files.ts'
import { hashId, isInGroup, offsetOfGroup, type RowGroup, readRowIndex } from './row-index.ts'
import { type CsvTable, readTable } from './table.ts'
import { toRecord } from './to-family.ts'

export interface SomeParts {
  upload: StoredUpload
  family: Family
  entity: string
  tables: readonly CsvTable[]
  openFile(table: CsvTable): Promise<CsvFile>
  pageSize: number
}

/** Looks up the wanted records in the index of each table, and reads only the groups of rows that may contain them. */
export async function readSome(parts: SomeParts, wanted: Wanted, cursor: string | null): Promise<RecordPage> {
  const { upload, tables, pageSize } = parts
  const isWanted = wantedBy(parts, wanted)
  const items: FamilyRecord[] = []
  const warnings: RecordWarning[] = []
  const [owner, table = 0, group = 0] = (cursor ?? '').split(':').map((part, at) => (at === 0 ? part : Number(part)))
  const from = owner === upload.id ? { table: Number(table), group: Number(group) } : { table: 0, group: 0 }
  for (let index = from.table; index < tables.length; index += 1) {
    const first = index === from.table ? from.group : 0
    for await (const found of groupsOf(parts, tables[index], first, wanted)) {
      if (items.length >= pageSize) return { items, warnings, next: `${upload.id}:${index}:${found.group.number}` }
      for await (const mapped of rowsOf(parts, found.table, found.group)) {
        if (!isWanted(mapped.record)) continue
        items.push(mapped.record)
        warnings.push(...mapped.warnings)
      }
    }
  }
  return { items, warnings, next: null }
}

async function* groupsOf(
  { upload }: SomeParts,
  table: CsvTable | undefined,
  first: number,
  wanted: Wanted,
): AsyncGenerator<{ table: CsvTable; group: RowGroup }> {
  if (!table?.index) return
  const ids = 'ids' in wanted ? wanted.ids : wanted.parents.map(({ sourceId }) => sourceId)
  const bytes = upload.open(table.index, { start: offsetOfGroup(first), end: table.index.size })
  const sought = { hashes: new Set(ids.map(hashId)), by: 'ids' in wanted ? 'id' : 'parent' } as const
  for await (const group of readRowIndex(bytes, first, sought)) if (group.mayHold) yield { table, group }
}

async function* rowsOf({ family, entity, openFile }: SomeParts, table: CsvTable, { start }: RowGroup) {
  const definition = entityOf(family, entity)
  const repeated = new Set(table.repeatedRows)
  for await (const { line, at, ...row } of readTable(await openFile(table), table, start)) {
    if (!isInGroup(start, at.row)) return
    if (!('cells' in row)) continue
    yield toRecord(table, definition, { cells: row.cells, line, row: at.row, isRepeated: repeated.has(at.row) })
  }
}

function wantedBy({ family, entity }: SomeParts, wanted: Wanted): (record: FamilyRecord) => boolean {
  if ('ids' in wanted) {
    const ids = new Set(wanted.ids)
    return ({ sourceId }) => ids.has(sourceId)
  }
  const { parent } = entityOf(family, entity)
  const nameOf = ({ entity: of, sourceId }: RecordRef) => `${of} ${sourceId}`
  const parents = new Set(wanted.parents.map(nameOf))
  return ({ fields }) => {
    const ref = (parent === undefined ? null : (fields[parent] ?? null)) as RecordRef | null
    return ref !== null && parents.has(nameOf(ref))
  }
}
