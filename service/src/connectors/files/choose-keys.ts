import { entityOf, type Family } from '../../families/index.ts'
import type { ColumnRole, ReferenceKind, UploadProblem } from '../contract/upload-contract.ts'
import { singularOf, toName } from './entity-names.ts'
import { type CsvColumn, toCustomField } from './match-columns.ts'
import type { CsvTable } from './table.ts'

const keyFields: Record<Exclude<ReferenceKind, 'id'>, readonly string[]> = {
  email: ['emails', 'email'],
  name: ['number', 'key', 'name', 'title', 'subject'],
}
const kindNames: Record<ReferenceKind, string> = { id: 'id', email: 'e-mail', name: 'name' }

/**
 * Chooses the column that identifies the rows of each table: the column that other tables refer to. A column that
 * refers in another way, or to a missing table, cannot be resolved and becomes a custom field. Earlier choices are
 * discarded on each call.
 */
export function chooseKeys(tables: readonly CsvTable[], family: Family, problems: UploadProblem[]): void {
  const references = tables.flatMap(({ columns }) =>
    columns.flatMap(({ wanted }) => (wanted.kind === 'field' && wanted.target !== undefined ? [wanted] : [])),
  )
  const kindOf = new Map<string, ReferenceKind>()
  for (const entity of new Set(tables.map((table) => table.entity))) {
    const own = tables.filter((table) => table.entity === entity)
    const pointing = references.filter(({ target }) => target === entity).map(({ reference }) => reference)
    const ranked = (['id', 'email', 'name'] as const)
      .filter((kind) => own.every((table) => keyColumn(table, kind) !== -1))
      .sort((a, b) => Number(pointing.includes(b)) - Number(pointing.includes(a)))
    const [kind] = ranked
    // A name is a key only if other tables refer to it: two people may share a name.
    const isKey = entity !== null && kind !== undefined && (kind !== 'name' || pointing.includes('name'))
    if (isKey) kindOf.set(entity, kind)
    for (const table of own) table.key = isKey ? { column: keyColumn(table, kind), kind } : null
  }
  const present = new Set(tables.flatMap(({ entity }) => entity ?? []))
  for (const table of tables) settleRoles(table, { kindOf, present }, family, problems)
}

interface Known {
  /** The kind of key (id, e-mail or name) that identifies the rows of each entity. */
  kindOf: ReadonlyMap<string, ReferenceKind>
  /** Entities that have a table. */
  present: ReadonlySet<string>
}

function keyColumn({ columns }: CsvTable, kind: ReferenceKind): number {
  if (kind === 'id') return columns.findIndex(({ wanted }) => wanted.kind === 'id')
  const candidates = keyFields[kind].map((field) =>
    columns.findIndex(({ wanted }) => wanted.kind === 'field' && wanted.field === field),
  )
  return candidates.find((index) => index !== -1) ?? -1
}

function settleRoles(table: CsvTable, known: Known, family: Family, problems: UploadProblem[]): void {
  const fields = table.entity === null ? {} : entityOf(family, table.entity).fields
  const keys = new Set(table.columns.flatMap(({ wanted }) => (wanted.kind === 'custom' ? [wanted.field.key] : [])))
  table.columns.forEach((column, index) => {
    const { wanted } = column
    if (wanted.kind !== 'field' || wanted.target === undefined) {
      // A copy, because the type of a custom field is detected again on each call.
      column.role = structuredClone(wanted)
      return
    }
    // A field with several possible target entities refers to the first one in the upload.
    const targets = [wanted.target, ...(fields[wanted.field]?.to ?? [])]
    const target = targets.find((entity) => known.kindOf.get(entity) === wanted.reference)
    column.role = target === undefined ? toText(column, index, keys) : { ...wanted, target }
    if (target === undefined) problems.push(notFollowed(table.file, column.header, wanted, known))
  })
}

function toText({ header }: CsvColumn, index: number, keys: Set<string>): ColumnRole {
  const field = toCustomField(`${toName(header) || `column ${index + 1}`}_text`, index, keys)
  return { kind: 'custom', field: { ...field, label: header.trim() || field.label } }
}

function notFollowed(
  file: string,
  header: string,
  { target = '', reference = 'id' }: Extract<ColumnRole, { kind: 'field' }>,
  { kindOf, present }: Known,
): UploadProblem {
  const known = kindOf.get(target)
  const by = kindNames[reference]
  return {
    file,
    code: 'reference_not_followed',
    message: known
      ? `The column "${header}" names ${target} by ${by}, but they are known by ${kindNames[known]}. It is kept as text.`
      : `The column "${header}" names ${target} by ${by}, but no table of ${target} has that. It is kept as text.`,
    fix: known
      ? `Use the ${kindNames[known]} of the ${singularOf(target)} in this column.`
      : present.has(target)
        ? `Choose above which column of the ${target} holds the ${by}, if there is one.`
        : `Add a file of ${target} with a column for the ${by}.`,
  }
}
