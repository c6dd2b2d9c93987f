import { customName } from '../db/mapping-changes.ts'
import { joinConverted } from './combine-fields.ts'
import { type Mapping, type SourceField, type Target, targetNamed } from './find-target.ts'
import type { MapContext } from './map-record.ts'
import { type Content, convert } from './map-text.ts'

/**
 * The place for names of people without an account: custom fields if the destination accepts any, otherwise the first
 * text of the record that can be changed later. Null if there is neither.
 */
function placeOf(
  { destination }: Mapping,
  { name: entity, fields }: MapContext['entity'],
): Target | 'own fields' | null {
  const offered = destination.entities[entity]
  if (!offered) return null
  if (offered.customFields === 'any') return 'own fields'
  for (const wanted of ['rich_text', 'long_text'] as const) {
    const name = Object.keys(fields).find((one) => fields[one]?.type === wanted && isTakenAsText(offered.fields[one]))
    const rule = name === undefined ? undefined : offered.fields[name]
    if (name !== undefined && rule) return { name, rule, label: null }
  }
  return null
}

const isTakenAsText = (rule: Target['rule'] | undefined) =>
  rule !== undefined && !rule.many && !rule.isFixed && (rule.type === 'rich_text' || rule.type === 'long_text')

/** Notes the name of a person who will be invited later. Returns false if the record has no place for the name. */
export function noteName(
  name: string,
  source: SourceField,
  { mapping, entity }: MapContext,
  content: Content,
): boolean {
  if (placeOf(mapping, entity) === null) return false
  const noted = content.names.get(source.name) ?? { label: labelOf(source), names: [] }
  content.names.set(source.name, { ...noted, names: [...new Set([...noted.names, oneLine(name)])] })
  return true
}

/** The label of a field. Family fields have only names, such as `author_agent`; custom fields have labels. */
const labelOf = ({ name, label }: SourceField) => {
  const words = label === name ? name.replaceAll('_', ' ') : label
  return oneLine(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Writes the noted names into the record. If the text has no room, they count as lost. */
export function putNames(
  context: MapContext,
  content: Content,
  put: (content: Content, target: Target, value: string) => void,
): void {
  const { mapping, entity } = context
  const place = content.names.size === 0 ? null : placeOf(mapping, entity)
  if (place === null) return
  if (place === 'own fields') {
    for (const [field, { label, names }] of content.names) {
      const source = { label, type: 'text', many: false } as const
      const target = targetNamed(mapping.destination, entity.name, customName(`kept_name:${field}`), source)
      if (target) put(content, target, names.join(', '))
    }
    return
  }
  const lines = [...content.names.values()].map(({ label, names }) => `${label}: ${names.join(', ')}`)
  const format = place.rule.type === 'rich_text' ? mapping.destination.textFormat : 'plain'
  const before = content.fields[place.name]
  const added = convert({ format: 'plain', body: lines.join('\n') }, format, { context, content })
  const text = joinConverted([typeof before === 'string' ? before : '', added], format, null)
  if (place.rule.maxLength === null || [...text].length <= place.rule.maxLength) put(content, place, text)
  else loseNames(content)
}

function loseNames(content: Content): void {
  const lose = (code: Content['warnings'][number]) => (code === 'user_kept_as_name' ? 'user_not_matched' : code)
  content.warnings = content.warnings.map(lose)
  content.causes = content.causes.map((cause) => ({ ...cause, code: lose(cause.code) }))
}
