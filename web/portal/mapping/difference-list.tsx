import type { Difference } from '../../../service/src/mapping/compare-changes.ts'
import { entityLabel } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'

/** Differences between two versions of a mapping. */
export function DifferenceList({ differences }: { differences: Difference[] }) {
  return (
    <ul className="mt-1 list-disc pl-5 text-sm text-quiet">
      {differences.map(({ path, before, after }) => (
        <li key={path.join('/')} className="wrap-anywhere">
          {nameOf(path)}: {wordsOf(before, path)} → {wordsOf(after, path)}
        </li>
      ))}
      {differences.length === 0 && <li>{later.mapping.kept.same}</li>}
    </ul>
  )
}

/** Turns the path `entities, tickets, fields, channel, to` into `Tickets, Channel`. */
function nameOf(path: readonly string[]): string {
  const [, entity, part, name, detail] = path
  const words = later.mapping.kept
  if (entity === undefined) return words.parts.default_user ?? ''
  if (part === 'corrections') return `${entityLabel(entity)} #${name}, ${fieldLabel(detail ?? '')}`
  const parts = [
    entityLabel(entity),
    name === undefined ? '' : fieldLabel(name),
    words.parts[detail ?? part ?? ''] ?? '',
  ]
  return parts.filter((one) => one !== '').join(', ')
}

function wordsOf(value: unknown, path: readonly string[]): string {
  const words = later.mapping.kept
  // A value that the customer typed for a record is shown literally.
  if (path[2] === 'corrections') return value === undefined ? '–' : `“${String(value)}”`
  if (value === undefined) return words.suggested
  if (value === null) return words.leftOut
  if (typeof value === 'string') return fieldLabel(value)
  return JSON.stringify(value)
}
