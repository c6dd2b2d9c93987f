import type { EntityDefinition } from '../../families/definition.ts'
import type { UnreadableCell, UploadProblem } from '../contract/upload-contract.ts'
import { allowsShortYears } from './cell-values.ts'
import { ColumnTypeWatch } from './column-type.ts'
import type { CsvColumn } from './match-columns.ts'
import { MomentWatch } from './moment-watch.ts'
import { readField } from './read-field.ts'
import { TextWatch } from './rich-text.ts'
import { UnreadableValues } from './unreadable-values.ts'

/** Sees all values of one column. `end` writes the findings to the column and returns the unreadable values. */
export interface ColumnWatch {
  add(cell: string, line: number, currency: string | null): void
  end(): UnreadableValues | null
}

/** Makes the decisions that concern a whole column instead of single cells. Null if there is nothing to decide. */
export function watchColumn(column: CsvColumn, entity: EntityDefinition | null): ColumnWatch | null {
  const { role, chosen } = column
  delete column.text
  delete column.order
  delete column.days
  if (role.kind === 'created_at' || role.kind === 'updated_at') return watchMoments(column)
  if (role.kind === 'custom') {
    const watch = new ColumnTypeWatch()
    return {
      add: (cell, line) => watch.add(cell, line),
      end() {
        const { order, ...type } = watch.result()
        Object.assign(role.field, type)
        if (order) column.order = order
        return null
      },
    }
  }
  const field = role.kind === 'field' ? entity?.fields[role.field] : undefined
  if (role.kind !== 'field' || !field) return null
  switch (field.type) {
    case 'date':
    case 'datetime':
      return watchMoments(column)
    case 'rich_text': {
      const watch = new TextWatch()
      return {
        add: (cell) => watch.add(cell),
        end() {
          column.text = chosen?.text ?? watch.result()
          return null
        },
      }
    }
    case 'integer':
    case 'decimal':
    case 'boolean':
    case 'email':
    case 'money': {
      const unreadable = new UnreadableValues()
      return {
        add(cell, line, currency) {
          if (cell.trim() !== '' && readField(field, role, cell, { currency }).odd > 0) unreadable.add(line)
        },
        end: () => unreadable,
      }
    }
    default:
      return null
  }
}

function watchMoments(column: CsvColumn): ColumnWatch {
  const watch = new MomentWatch({ allowsShortYears: allowsShortYears(column.role) })
  return {
    add: (cell, line) => watch.add(cell, line),
    end() {
      const { order, question, unreadable } = watch.result(column.chosen?.days)
      if (order !== undefined) column.order = order
      if (question) column.days = question
      return unreadable
    },
  }
}

const mostNamed = 5

/** Tells the customer before the import which values will be missing. */
export function unreadableProblem(
  file: string,
  { header, role }: CsvColumn,
  { count, lines: kept }: UnreadableValues,
  first: UnreadableCell[],
): UploadProblem {
  const lines = kept.slice(0, mostNamed)
  const more = count > lines.length ? ` and ${count - lines.length} more` : ''
  const where = count === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}${more}`
  const what = count === 1 ? '1 value' : `${count} values`
  const left = count === 1 ? 'It is left out until you correct it.' : 'Values that you do not correct are left out.'
  const isStamp = role.kind === 'created_at' || role.kind === 'updated_at'
  return {
    file,
    code: 'values_unreadable',
    message: `The column "${header}" has ${what} that cannot be read, in ${where}. ${left}`,
    fix: `Correct this here, or in the file and upload it again${isStamp ? '; else these records may show the day of the import' : ''}.`,
    ...(first.length > 0 && { values: { count, first } }),
  }
}
