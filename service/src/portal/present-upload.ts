import type {
  ColumnRole,
  UploadColumn,
  UploadProblem,
  UploadSummary,
  UploadTable,
} from '../connectors/contract/upload-contract.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { EntityDefinition } from '../families/definition.ts'
import { entityOf, type Family } from '../families/index.ts'
import { chunkBytes, partBytes, type UploadRow } from '../uploads/upload-rows.ts'
import type { PortalColumn, PortalEntity, PortalTable, PortalUpload } from './upload-contract.ts'

export function presentUpload(
  upload: UploadRow,
  summary: UploadSummary | null,
  family: Family,
  changes: MappingChanges,
): PortalUpload {
  return {
    id: upload.id,
    file_name: upload.fileName,
    size: upload.size,
    received: upload.received,
    files: upload.files.map(({ number, name, size, received }) => ({ number, file_name: name, size, received })),
    part_bytes: partBytes,
    part_unit: chunkBytes,
    state: upload.state,
    is_connected: upload.isConnected,
    tables: (summary?.tables ?? []).map(presentTable),
    problems: problemsOf(upload, summary).map((problem) => presentProblem(problem, changes)),
    entities: (summary?.entities ?? []).map((name) => presentEntity(entityOf(family, name))),
  }
}

/** Problems of the files in words: one line for each file. */
export function problemsOf({ fileName, trouble }: UploadRow, summary: UploadSummary | null): UploadProblem[] {
  const problems = summary?.problems ?? []
  if (trouble === null) return problems
  return [{ file: fileName, code: 'unreadable', message: trouble, fix: 'Please upload it again.' }, ...problems]
}

/** Values that cannot be read, each with the customer's correction. */
function presentProblem({ file, code, message, fix, values }: UploadProblem, changes: MappingChanges) {
  if (!values) return { file, code, message, fix }
  const first = values.first.map(({ line, value, entity, sourceId, field, header }) => {
    const typed = changes.entities?.[entity]?.corrections ?? {}
    const ofRecord = Object.hasOwn(typed, sourceId) ? (typed[sourceId] ?? {}) : {}
    const correction = Object.hasOwn(ofRecord, field) ? String(ofRecord[field]) : null
    return { line, value, entity, source_id: sourceId, field, header, correction }
  })
  const open = values.count - first.filter(({ correction }) => correction !== null).length
  return { file, code, message, fix, values: { count: values.count, open, first } }
}

function presentTable({ file, entity, rows, encoding, delimiter, hasHeader, key, columns }: UploadTable): PortalTable {
  return {
    file,
    entity,
    rows,
    encoding,
    delimiter,
    has_header: hasHeader,
    key: key && { column: key.column, by: key.kind },
    columns: columns.map(presentColumn),
  }
}

const presentColumn = ({ header, role, text, days }: UploadColumn): PortalColumn => ({
  header,
  ...presentRole(role),
  ...(text ? { text } : {}),
  ...(days ? { days } : {}),
})

function presentRole(role: ColumnRole): Omit<PortalColumn, 'header'> {
  if (role.kind === 'custom') {
    const { label, type, options } = role.field
    return { as: 'custom', label, type, ...(options.length > 0 ? { options } : {}) }
  }
  if (role.kind !== 'field') return { as: role.kind }
  const { field, reference, target } = role
  return { as: 'field', field, ...(reference ? { by: reference } : {}), ...(target ? { to: target } : {}) }
}

const presentEntity = ({ name, fields }: EntityDefinition): PortalEntity => ({
  name,
  fields: Object.entries(fields).map(([field, { type, many = false, required = false, to = [] }]) => ({
    name: field,
    type,
    many,
    required,
    to: [...to],
  })),
})
