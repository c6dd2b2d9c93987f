import type { DestinationField, OutgoingContent } from '../connectors/contract/contract.ts'
import { customKey } from '../db/mapping-changes.ts'
import { rankOf } from '../families/audience.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { FamilyRecord, FieldValue, RecordRef, RichText, SingleValue, UserRef } from '../families/record.ts'
import type { TextFormat } from '../text/parse-markup.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { chooseOption, protectAudience, withoutMissed } from './choose-audience.ts'
import { closestFor } from './closest-option.ts'
import { putCombined } from './combine-fields.ts'
import {
  combinedInto,
  isExposed,
  type Mapping,
  type SourceField,
  type Target,
  targetNamed,
  targetOf,
} from './find-target.ts'
import { fitValue } from './fit-value.ts'
import { noteName, putNames } from './keep-names.ts'
import { type Content, cut, mapText, tellLoss, withoutMany } from './map-text.ts'
import type { MappedText } from './map-texts.ts'
import { isBlank, isRelation, isRichText, isUser, listValues } from './record-values.ts'
import { changeBySteps, hasSteps } from './step-values.ts'

/** The outcome of a record to which another record refers. */
export type Resolved = 'unknown' | 'waiting' | 'lost' | { key: string; destinationId: string }

export interface MapContext {
  entity: EntityDefinition
  mapping: Mapping
  /** `unknown`: not read yet. `waiting`: refused or held, and may arrive with a retry. `lost`: will never arrive. */
  resolveRecord(ref: RecordRef): Resolved
  /** The matched user of the destination; null if there is none. */
  resolveUser(ref: UserRef): string | null
  /** The name to keep for a person who will be invited later; null for everyone else. */
  keptName?(ref: UserRef): string | null
  /** Null if the text is not converted yet. Then this pass only finds the texts that are needed. */
  mapText(text: RichText, to: TextFormat): MappedText | null
  /** Default: the current time. */
  now?: number
}

export interface MappedContent extends Pick<OutgoingContent, 'fields' | 'customFields'> {
  /** Codes of losses and changes. */
  warnings: WarningCode[]
  /** The value and field of the source that caused a warning, if there is one. */
  causes: Cause[]
  /** True if the record refers to a record that is not known yet. */
  isIncomplete: boolean
  /** Why the record is not sent. */
  refusal?: Refusal
}

export interface Cause {
  code: WarningCode
  /** The name in a mapping: `custom:<key>` for a custom field. */
  field: string
  value: SingleValue
}

/** `parent_missing`: the parent is not copied. `not_protected`: more people could see the record in the destination. */
export type Refusal = 'parent_missing' | 'not_protected'

/** Maps a record. Null if the parent is not in the destination yet, so the record has to wait. Pure. */
export function mapRecord(given: FamilyRecord, context: MapContext): MappedContent | null {
  const { entity, mapping } = context
  const { record, warnings: missed } = withoutMissed(given, context)
  const content: Content = {
    fields: {},
    customFields: {},
    warnings: missed,
    causes: [],
    isIncomplete: false,
    lost: new Map(),
    names: new Map(),
  }
  if (isOrphan(record, entity)) {
    return {
      fields: {},
      customFields: {},
      warnings: ['parent_missing'],
      causes: [],
      isIncomplete: false,
      refusal: 'parent_missing',
    }
  }
  const values = listValues(record, entity)
  for (const { source, value } of values) {
    const target = targetOf(mapping, entity.name, source)
    if (!target) {
      if (!isSettled(mapping, entity.name, source.name) && !isForAll(entity, source.name, value))
        content.warnings.push(notTaken(mapping, entity.name, source))
      continue
    }
    const mapped = mapValue(value, { source, target, context, content })
    const isNeeded = source.name === entity.parent || entity.fields[source.name]?.required
    if (mapped === lost && isNeeded) return null
    if (mapped !== lost && !isBlank(mapped)) put(content, target, mapped)
  }
  putCombined(values, context, content, put)
  putConstants(content, context)
  putNames(context, content, put)
  dropUnfit(content, context)
  protectAudience(record, content, context)
  const { fields, customFields, causes, isIncomplete, refusal, lost: losses } = content
  const all = losses.size === 0 ? content.warnings : [...content.warnings, ...[...losses].flatMap(tellLoss)]
  const warnings = all.length === 0 ? all : withoutMany([...new Set(all)])
  return { fields, customFields, causes, isIncomplete, warnings, ...(refusal && { refusal }) }
}

/** True if the source gives no parent for a record that needs one. Such a record can never arrive. */
const isOrphan = ({ fields }: FamilyRecord, { parent, fields: defined }: EntityDefinition) =>
  parent !== undefined && defined[parent]?.required === true && isBlank(fields[parent])

/** True if the field only says that everyone may see the record. Dropping it is no loss. */
function isForAll({ fields }: EntityDefinition, name: string, value: FieldValue): boolean {
  const rule = fields[name]?.audience
  return rule !== undefined && rankOf(rule, value) === 0
}

/** True if the customer left the field out, or if it is part of a combined text. */
const isSettled = ({ changes }: Mapping, entity: string, field: string) => {
  const fields = changes.entities?.[entity]?.fields ?? {}
  const isLeftOut = Object.hasOwn(fields, field) && fields[field]?.to === null
  return isLeftOut || combinedInto(changes, entity, field).length > 0
}

const notTaken = ({ destination }: Mapping, entity: string, source: SourceField): WarningCode => {
  const key = customKey(source.name)
  if (key === null) return `field_not_taken:${source.name}`
  return isExposed(destination, entity, source) ? `custom_field_not_protected:${key}` : `custom_field_not_taken:${key}`
}

function put(content: MappedContent, { name, label, rule }: Target, value: unknown): void {
  const key = customKey(name)
  if (key === null) content.fields[name] = value
  else content.customFields[key] = { label: label ?? key, type: rule.type, value }
}

/** Leaves out fields that the destination has only in records with a certain value elsewhere. */
function dropUnfit({ fields, warnings, causes }: MappedContent, { entity, mapping }: MapContext): void {
  for (const [field, onlyWith] of boundFields(mapping.destination.entities[entity.name]?.fields ?? {})) {
    const value = fields[field]
    if (value === undefined || fields[onlyWith.field] === onlyWith.value) continue
    delete fields[field]
    warnings.push('value_does_not_fit')
    causes.push({ code: 'value_does_not_fit', field, value: value as SingleValue })
  }
}

type Bound = [field: string, onlyWith: NonNullable<DestinationField['onlyWith']>]
const bound = new WeakMap<object, Bound[]>()

/** The fields that only some records of the destination have. Kept, because every record asks for them. */
function boundFields(offered: Readonly<Record<string, DestinationField>>): Bound[] {
  const known = bound.get(offered)
  if (known) return known
  const found = Object.entries(offered).flatMap(([field, { onlyWith }]): Bound[] =>
    onlyWith ? [[field, onlyWith]] : [],
  )
  bound.set(offered, found)
  return found
}

/** Fills targets with the customer's defaults, if no field of the source has filled them. */
function putConstants(content: MappedContent, { entity, mapping }: MapContext): void {
  const constants = mapping.changes.entities?.[entity.name]?.constants ?? {}
  for (const [name, value] of Object.entries(constants)) {
    const target = targetNamed(mapping.destination, entity.name, name, { label: name, type: 'text', many: false })
    const key = customKey(name)
    const isFilled = key === null ? content.fields[name] !== undefined : content.customFields[key] !== undefined
    if (target && !isFilled) put(content, target, target.rule.many ? [value] : value)
  }
}

/** Means that all targets of a relation are lost. */
const lost = Symbol('lost')

export interface Place {
  source: SourceField
  target: Target
  context: MapContext
  content: Content
}

function mapValue(value: FieldValue, place: Place): unknown {
  const { target, content } = place
  // Most values are single and have no steps, and every value passes here.
  if (!Array.isArray(value) && !hasSteps(place)) {
    const mapped = mapNoted(value as SingleValue, place)
    if (mapped === undefined) return isRelation(value) ? lost : null
    return target.rule.many ? [mapped] : mapped
  }
  const all = changeBySteps((Array.isArray(value) ? value : [value]) as SingleValue[], place)
  const values =
    target.rule.many || all.length < 2
      ? all
      : all.toSorted((one, other) => Number(isPrimary(other)) - Number(isPrimary(one)))
  const kept = values.map((single) => mapNoted(single, place)).filter((entry) => entry !== undefined)
  if (kept.length === 0) return isRelation(values[0]) ? lost : null
  // Two values of the source may have become the same option.
  if (target.rule.many) return target.rule.type === 'option' ? [...new Set(kept)] : kept
  if (kept.length > 1) {
    content.warnings.push('only_first_kept')
    content.causes.push({ code: 'only_first_kept', field: place.source.name, value: values[1] as SingleValue })
  }
  return kept[0]
}

const isPrimary = (value: SingleValue) => typeof value === 'object' && 'isPrimary' in value && value.isPrimary === true

function mapNoted(value: SingleValue, place: Place): unknown {
  const { content, source } = place
  const before = content.warnings.length
  const mapped = mapSingle(value, place)
  for (let at = before; at < content.warnings.length; at++) {
    content.causes.push({ code: content.warnings[at] as WarningCode, field: source.name, value })
  }
  return mapped
}

function mapSingle(value: SingleValue, place: Place): unknown {
  const { source, target, context, content } = place
  const { rule } = target
  if (isRelation(value)) {
    const resolved = rule.type === 'relation' ? context.resolveRecord(value) : 'lost'
    if (resolved === 'unknown' || resolved === 'waiting') content.isIncomplete = true
    if (resolved === 'lost' || resolved === 'waiting') content.warnings.push('relation_lost')
    return typeof resolved === 'object' ? { entity: value.entity, ...resolved } : undefined
  }
  if (isUser(value)) return mapUser(value, place)
  if (isRichText(value)) return mapText(value, rule, context, content)
  if (rule.type === 'rich_text' && typeof value === 'string') {
    return mapText({ format: 'plain', body: value }, rule, context, content)
  }
  const chosen = context.mapping.changes.entities?.[context.entity.name]?.fields?.[source.name]?.values
  const replaced = chosen && Object.hasOwn(chosen, String(value)) ? chosen[String(value)] : value
  if (replaced === null || replaced === undefined) return undefined
  if (rule.type === 'option' && rule.options.length > 0) {
    const option = findOption(String(fitValue(replaced, rule) ?? ''), place, replaced !== value)
    if (option === null) content.warnings.push('option_not_offered')
    return option ?? undefined
  }
  const fitted = fitValue(replaced, rule)
  if (fitted === undefined) content.warnings.push('value_does_not_fit')
  return typeof fitted === 'string' ? cut(fitted, rule, content) : fitted
}

/** Chooses the option for a value. For a field that decides who sees a record, similar words alone are not enough. */
function findOption(value: string, { source, target, context, content }: Place, isChosen: boolean): string | null {
  const audience = source.name === target.name ? context.entity.fields[source.name]?.audience : undefined
  if (!audience || isChosen) return closestFor(source.name, value, target.rule.options)
  const { option, isNarrowed } = chooseOption(audience, value, target.rule.options)
  if (isNarrowed) content.warnings.push('audience_narrowed')
  return option
}

function mapUser(value: UserRef, { source, target, context, content }: Place): unknown {
  const user = target.rule.type === 'user' ? context.resolveUser(value) : null
  if (user !== null) return user
  const name = context.keptName?.(value) ?? null
  const isKept = name !== null && noteName(name, source, context, content)
  const standIn = (target.rule.type === 'user' && context.mapping.changes.default_user) || undefined
  if (isKept) content.warnings.push('user_kept_as_name')
  if (standIn !== undefined) content.warnings.push('user_replaced')
  else if (!isKept) content.warnings.push('user_not_matched')
  return standIn
}
