import { isDeepStrictEqual } from 'node:util'
import { ValidationError } from '../../errors.ts'
import type { EntityDefinition, FieldDefinition } from '../../families/definition.ts'
import { entityOf } from '../../families/index.ts'
import type { ColumnChoice, ColumnRole, TableChoice } from '../contract/upload-contract.ts'
import { chooseKeys } from './choose-keys.ts'
import { entitiesOf } from './entity-names.ts'
import { type CsvColumn, toCustomField, toRole } from './match-columns.ts'
import { columnsOf } from './open-table.ts'
import type { CsvTable, CsvTables } from './table.ts'

/** Applies the customer's choices to the tables. The tables must be examined again before they are read. */
export function rearrangeTables(
  before: CsvTables,
  choices: readonly TableChoice[],
): { findings: CsvTables; namesRecordsAnew: boolean } {
  const findings = structuredClone(before)
  const refusal = (file: string, message: string) => new ValidationError({ tables: [`${file}: ${message}`] })
  for (const choice of choices) {
    const table = findings.tables.find(({ file }) => file === choice.file)
    if (!table) throw refusal(choice.file, 'there is no such table in this upload')
    const say = (message: string) => refusal(table.file, message)
    if (choice.entity !== undefined && choice.entity !== table.entity) chooseEntity(findings, table, choice.entity, say)
    for (const column of choice.columns ?? []) chooseColumn(findings, table, column, say)
    refuseTwice(table, say)
  }
  chooseKeys(findings.tables, findings.family, [])
  return { findings, namesRecordsAnew: namesOf(before) !== namesOf(findings) }
}

type Say = (message: string) => ValidationError

function chooseEntity({ family }: CsvTables, table: CsvTable, entity: string | null, say: Say): void {
  const known = entitiesOf(family).map(({ name }) => name)
  if (entity !== null && !known.includes(entity)) throw say(`its rows can be ${known.join(', ')}, not "${entity}"`)
  table.entity = entity
  table.columns = columnsOf(
    family,
    entity,
    table.columns.map(({ header }) => header),
    new Set(table.columns.flatMap(({ holdsEmails }, index) => (holdsEmails ? [index] : []))),
  )
}

function chooseColumn({ family }: CsvTables, table: CsvTable, choice: ColumnChoice, say: Say): void {
  const column = table.columns[choice.column]
  if (!column) throw say(`there is no column ${choice.column}; the last is ${table.columns.length - 1}`)
  const about = (message: string) => say(`the column "${column.header}" ${message}`)
  if (table.entity === null) throw about('cannot be chosen before it is known what the rows are')
  const definition = entityOf(family, table.entity)
  if (choice.as !== undefined) {
    const wanted = toWanted(table, definition, { ...choice, as: choice.as }, about)
    // The column has a new purpose, so earlier choices about its values no longer apply.
    if (!isDeepStrictEqual(wanted, column.wanted)) delete column.chosen
    column.wanted = wanted
  }
  chooseValues(column, definition, choice, about)
}

/** Applies the customer's choice of a format for a column's values. */
function chooseValues(column: CsvColumn, { fields }: EntityDefinition, { text, days }: ColumnChoice, say: Say): void {
  const { wanted, chosen } = column
  const type = wanted.kind === 'field' ? fields[wanted.field]?.type : undefined
  if (text !== undefined && type !== 'rich_text') throw say('is no column for formatted text, so there is no "text"')
  const isMoment =
    wanted.kind === 'created_at' || wanted.kind === 'updated_at' || type === 'date' || type === 'datetime'
  if (days !== undefined && !isMoment) throw say('holds no days, so there is no "days"')
  const offered = column.days?.readings.map(({ order }) => order) ?? []
  if (days !== undefined && offered.length > 0 && !offered.includes(days)) {
    throw say(`can have days as ${offered.join(' or ')}, not ${days}`)
  }
  if (text === undefined && days === undefined) return
  column.chosen = { ...chosen, ...(text === undefined ? {} : { text }), ...(days === undefined ? {} : { days }) }
}

type RoleChoice = ColumnChoice & { as: ColumnRole['kind'] }

function toWanted(table: CsvTable, entity: EntityDefinition, choice: RoleChoice, say: Say): ColumnRole {
  const { as, column: index } = choice
  if (as === 'custom') {
    const keys = table.columns.flatMap(({ wanted }, at) =>
      wanted.kind === 'custom' && at !== index ? [wanted.field.key] : [],
    )
    return { kind: 'custom', field: toCustomField(table.columns[index]?.header ?? '', index, new Set(keys)) }
  }
  if (as !== 'field') return { kind: as }
  const { field: name = '' } = choice
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
  if (!field) throw say(`can be ${Object.keys(entity.fields).join(', ')}, not "${name}"`)
  return toFieldRole(name, field, choice, { say, holdsEmails: table.columns[index]?.holdsEmails === true })
}

function toFieldRole(
  name: string,
  field: FieldDefinition,
  { by, to }: ColumnChoice,
  { say, holdsEmails }: { say: Say; holdsEmails: boolean },
): ColumnRole {
  if (to !== undefined && !field.to?.includes(to)) throw say(`cannot lead to "${to}"`)
  if (by !== undefined && field.type !== 'relation' && field.type !== 'user') {
    throw say(`leads to nothing as "${name}", so there is no "by"`)
  }
  const reference = by === undefined && to === undefined ? null : { kind: by ?? ('id' as const), target: to }
  return toRole(name, field, reference, holdsEmails)
}

function refuseTwice({ columns }: CsvTable, say: Say): void {
  const uses = columns.flatMap(({ wanted }) => {
    if (wanted.kind === 'custom' || wanted.kind === 'ignored') return []
    return wanted.kind === 'field' ? [wanted.field] : [wanted.kind]
  })
  const twice = uses.find((use, index) => uses.indexOf(use) !== index)
  if (twice !== undefined) throw say(`two columns cannot both be "${twice}"; make one of them custom or ignored`)
}

/** The facts that determine the ids of all records. */
const namesOf = ({ tables }: CsvTables): string =>
  JSON.stringify(tables.map(({ file, entity, key }) => [file, entity, key?.column ?? null]))
