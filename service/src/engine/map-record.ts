import type { CustomField, DestinationDescription, DestinationField, OutgoingContent } from '../connectors/contract.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { FamilyRecord, FieldValue, RecordRef, RichText, SingleValue, UserRef } from '../families/record.ts'
import { convertText, rewriteLinks } from '../text/convert-text.ts'

/** What became of a record that another one refers to. */
export type Resolved = 'unknown' | 'lost' | { key: string; destinationId: string }

export interface MapContext {
  entity: EntityDefinition
  destination: DestinationDescription
  /** `unknown`: not met yet; `lost`: it will never be there. */
  resolveRecord(ref: RecordRef): Resolved
  /** The destination's user; null when nobody was matched. */
  resolveUser(ref: UserRef): string | null
  /** Where a link in a text leads to now; `unknown` when its record has not been written yet, null when it is no record. */
  resolveLink(url: string): string | 'unknown' | null
}

export interface MappedContent {
  fields: Record<string, unknown>
  customFields: OutgoingContent['customFields']
  /** Codes of what was lost or changed on the way. */
  warnings: string[]
  /** Something it refers to is not known yet. */
  isIncomplete: boolean
}

/** Null means: what it hangs on is not in the destination, so it has to wait. Pure. */
export function mapRecord(record: FamilyRecord, context: MapContext): MappedContent | null {
  const target = context.destination.entities[context.entity.name]
  const content: MappedContent = { fields: {}, customFields: {}, warnings: [], isIncomplete: false }
  for (const [name, value] of Object.entries(record.fields)) {
    const field = target?.fields[name]
    if (isBlank(value)) continue
    if (!field) {
      content.warnings.push(`field_not_taken:${name}`)
      continue
    }
    const mapped = mapValue(value, field, context, content)
    if (mapped === 'lost' && (name === context.entity.parent || context.entity.fields[name]?.required)) return null
    if (mapped !== 'lost' && !isBlank(mapped as FieldValue)) content.fields[name] = mapped
  }
  for (const [key, { label, type, value }] of Object.entries(record.customFields ?? {})) {
    if (isBlank(value)) continue
    if (!takesCustomField(target?.customFields, key)) content.warnings.push(`custom_field_not_taken:${key}`)
    else content.customFields[key] = { label, type, value: mapCustomValue(value, context) }
  }
  content.warnings = [...new Set(content.warnings)]
  return content
}

function takesCustomField(offered: CustomField[] | 'any' | undefined, key: string): boolean {
  return offered === 'any' || (offered ?? []).some((field) => field.key === key)
}

function mapValue(value: FieldValue, field: DestinationField, context: MapContext, content: MappedContent): unknown {
  const values = Array.isArray(value) ? value : [value]
  const mapped = values.map((single) => mapSingle(single as SingleValue, field, context, content))
  const kept = mapped.filter((entry) => entry !== undefined)
  if (mapped.length > 0 && kept.length === 0 && mapped.every((entry) => entry === undefined)) {
    return isRelation(values[0]) ? 'lost' : null
  }
  if (field.many) return kept
  if (kept.length > 1) content.warnings.push('only_first_kept')
  return kept[0]
}

function mapSingle(value: SingleValue, field: DestinationField, context: MapContext, content: MappedContent): unknown {
  if (isRelation(value)) {
    const resolved = context.resolveRecord(value)
    if (resolved === 'unknown') content.isIncomplete = true
    if (resolved === 'lost') content.warnings.push('relation_lost')
    return typeof resolved === 'object' ? { entity: value.entity, ...resolved } : undefined
  }
  if (isUser(value)) {
    const user = context.resolveUser(value)
    if (user === null) content.warnings.push('user_not_matched')
    return user ?? undefined
  }
  if (isRichText(value)) return mapText(value, field, context, content)
  if (field.type === 'option' && !field.options.includes(String(value))) {
    content.warnings.push('option_not_offered')
    return undefined
  }
  if (typeof value === 'object' && !field.isDetailed) {
    if ('address' in value && field.type === 'email') return value.address
    if ('number' in value && field.type === 'phone') return value.number
  }
  return typeof value === 'string' ? cut(value, field, content) : value
}

function mapText(text: RichText, field: DestinationField, context: MapContext, content: MappedContent): string {
  const format = field.type === 'rich_text' ? context.destination.textFormat : 'plain'
  const { body, losses } = convertText(text, format)
  content.warnings.push(...losses.map((loss) => `text_${loss}`))
  const linked = rewriteLinks(body, format, (url) => {
    const target = context.resolveLink(url)
    if (target !== 'unknown') return target
    content.isIncomplete = true
    return null
  })
  return cut(linked, field, content)
}

function cut(text: string, field: DestinationField, content: MappedContent): string {
  const characters = field.maxLength === null || text.length <= field.maxLength ? null : [...text]
  if (characters === null || field.maxLength === null || characters.length <= field.maxLength) return text
  content.warnings.push('text_cut')
  return characters.slice(0, field.maxLength).join('')
}

function mapCustomValue(value: FieldValue, context: MapContext): unknown {
  if (Array.isArray(value)) return value.map((single) => mapCustomValue(single, context))
  if (isRichText(value)) return convertText(value, context.destination.textFormat).body
  return value
}

function isBlank(value: FieldValue | undefined): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

const isRelation = (value: unknown): value is RecordRef =>
  typeof value === 'object' && value !== null && 'sourceId' in value
const isUser = (value: unknown): value is UserRef => typeof value === 'object' && value !== null && 'userId' in value
const isRichText = (value: unknown): value is RichText => typeof value === 'object' && value !== null && 'body' in value
