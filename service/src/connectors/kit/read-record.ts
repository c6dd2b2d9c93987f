import type { EntityDefinition, FieldType } from '../../families/definition.ts'
import type { CustomFieldValue, FamilyRecord, FieldValue, FormerUser, Money, UserRef } from '../../families/record.ts'
import type { CustomField, RecordPage, RecordWarning, Skipped } from '../contract/contract.ts'
import { joinSkipped } from './count-skipped.ts'
import { type MadeField, readMade, toCustomField, withValue } from './custom-fields.ts'
import { type Entity, type ExtraField, type SourceNotice, shapesOf } from './entity.ts'
import { hasShape } from './has-shape.ts'
import { type Lens, type RawRecord, valueAt } from './lens.ts'
import { isBroken, oddIn } from './odd-places.ts'
import { isDay, isMoment, toMoment } from './times.ts'

/** A record in the family's form, with warnings about values that could not be read. */
export interface MappedRecord {
  record: FamilyRecord
  warnings: RecordWarning[]
  /** Parts of the record that are left out on purpose. */
  skipped?: Skipped
}

/** Reads each field separately. An odd field is left out with a warning, and the rest of the record stays. Pure. */
export function readRecord<A>(entity: Entity<A>, raw: RawRecord, around: A): MappedRecord {
  const { name, fields, createdAt, updatedAt, createdBy, extra = {}, definition } = entity
  const odd = new Set(oddIn(raw))
  const usable = onlyDeclared(entity, takeUsable(entity, raw, odd))
  const look = (lens: Lens<A> | undefined, field: string) => {
    const value = lens && readField(lens, usable, around)
    if (value === undefined || value === null || !lens) return value
    const fitting = toFitting(lens.type, value)
    if (fitting === undefined) odd.add(field)
    return fitting
  }

  const created = look(createdAt, 'created_at')
  const updated = look(updatedAt, 'updated_at')
  const textAt = (path: string | undefined) => (path === undefined ? undefined : usable[path])
  const former = textAt(entity.formerAuthor)
  const author = look(createdBy, 'author') ?? (former ? { name: former } : undefined)
  const sourceUrl = textAt(entity.sourceUrl)
  const counts = countsOf(entity, usable)
  const custom: [string, CustomFieldValue][] = []
  const taken = labelsIn(entity.custom?.fields(around))
  for (const [key, one] of Object.entries(extra)) {
    const { lens } = one
    const value = isEmpty(lens.from === null ? undefined : usable[lens.from]) ? undefined : look(lens, key)
    if (value !== undefined) custom.push([key, withValue(extraField(key, one, taken), value)])
  }
  if (entity.custom) custom.push(...readCustom(entity.custom, usable, around, odd))
  const record: FamilyRecord = { entity: name, sourceId: String(raw.id), fields: readFields(fields, look) }
  if (typeof created === 'string') record.createdAt = created
  if (typeof updated === 'string') record.updatedAt = updated
  if (typeof sourceUrl === 'string') record.sourceUrl = sourceUrl
  if (author) record.createdBy = author as UserRef | FormerUser
  if (counts) record.childCounts = counts
  if (entity.extra || entity.custom) record.customFields = Object.fromEntries(custom)
  const warn = (...[code, message, more]: SourceNotice): RecordWarning => ({
    entity: name,
    sourceId: record.sourceId,
    code,
    message,
    ...more,
  })
  const warnings = [...odd].map((field) =>
    warn('field_unreadable', `The field "${field}" holds something other than expected and was left out.`),
  )
  warnings.push(...(entity.warns?.(usable, around) ?? []).map((notice) => warn(...notice)))
  for (const field of requiredFields(definition)) {
    if (field in fields && (record.fields[field] ?? '') === '') {
      warnings.push(warn('required_empty', `The field "${field}" is empty.`))
    }
  }
  return { record, warnings }
}

/** A plain loop: every field of every record passes here. */
function readFields<A>(
  lenses: Entity<A>['fields'],
  look: (lens: Lens<A> | undefined, field: string) => FieldValue | undefined,
): FamilyRecord['fields'] {
  const read: FamilyRecord['fields'] = {}
  for (const field of Object.keys(lenses)) {
    const value = look(lenses[field], field)
    if (value !== undefined) read[field] = value
  }
  return read
}

export function toPage(mapped: readonly MappedRecord[], next: string | null): RecordPage {
  const skipped = mapped.reduce<Skipped | undefined>(
    (sum, one) => (one.skipped ? joinSkipped(sum, one.skipped) : sum),
    undefined,
  )
  const warnings = mapped.flatMap((one) => one.warnings)
  return { items: mapped.map(({ record }) => record), warnings, next, ...(skipped && { skipped }) }
}

/** The custom fields of an entity, for `Reader.customFields`. */
export function customFieldsOf<A>({ extra = {}, custom }: Entity<A>, around: A): CustomField[] {
  const made = custom?.fields(around)
  const taken = labelsIn(made)
  const own = Object.entries(extra).map(([key, one]) => extraField(key, one, taken))
  return [...[...(made?.values() ?? [])].map(toCustomField), ...own]
}

const inSmall = (label: string) => label.trim().toLowerCase()
const labels = new WeakMap<ReadonlyMap<string, MadeField>, ReadonlySet<string>>()
function labelsIn(made: ReadonlyMap<string, MadeField> | undefined): ReadonlySet<string> {
  const known = made && labels.get(made)
  if (known) return known
  const found = new Set([...(made?.values() ?? [])].map(({ label }) => inSmall(label)))
  if (made) labels.set(made, found)
  return found
}

/** Many destinations find fields by their labels, so a field of people keeps its label, and ours tells its key. */
const extraField = <A>(
  key: string,
  { label, lens, isRestricted }: ExtraField<A>,
  taken: ReadonlySet<string>,
): CustomField => ({
  ...{ key, label: taken.has(inSmall(label)) ? `${label} (${key})` : label },
  ...{ type: lens.type, many: lens.many, options: [...lens.options] },
  ...(isRestricted && { isRestricted }),
})

/**
 * Throws when a lens reads an undeclared field. Such a field would always be undefined, and for example an internal
 * comment would become public. It is an error of the connector.
 */
function onlyDeclared<A>(entity: Entity<A>, usable: Record<string, unknown>): Record<string, unknown> {
  const declared = declaredOf(entity)
  return new Proxy(usable, {
    get(target, name) {
      if (typeof name === 'string' && !declared.has(name)) {
        const place = `${entity.family} ${entity.name}`
        throw new Error(`${place}: a lens looks at the field "${name}", which no lens reads: list it in "also"`)
      }
      return Reflect.get(target, name)
    },
  })
}

const required = new WeakMap<EntityDefinition, string[]>()

function requiredFields(definition: EntityDefinition): string[] {
  const known = required.get(definition)
  if (known) return known
  const names = Object.keys(definition.fields).filter((name) => definition.fields[name]?.required)
  required.set(definition, names)
  return names
}

const declaredFields = new WeakMap<object, ReadonlySet<string>>()

function declaredOf<A>(entity: Entity<A>): ReadonlySet<string> {
  const known = declaredFields.get(entity)
  if (known) return known
  const declared = new Set(['id', ...shapesOf(entity).map(([path]) => path)])
  declaredFields.set(entity, declared)
  return declared
}

/** The fields that pass the checks of all their lenses, by path. The others are added to `odd`. */
function takeUsable<A>(entity: Entity<A>, raw: RawRecord, odd: Set<string>): Record<string, unknown> {
  const taken: Record<string, unknown> = { id: raw.id }
  for (const [path, check] of shapesOf(entity)) {
    const value = valueAt(raw, path)
    const isFitting = value === null || value === undefined || hasShape(check, value)
    // Some tools send an empty text for a date or a number that has no value.
    if (value === '' && !isFitting) continue
    if (value === undefined) {
      if (isBroken(raw, path)) odd.add(path)
      continue
    }
    if (!isFitting) {
      odd.add(path)
      delete taken[path]
    } else if (!odd.has(path)) taken[path] = value
  }
  return taken
}

function readField<A>(lens: Lens<A>, usable: Record<string, unknown>, around: A): FieldValue | undefined {
  if (lens.from === null) return lens.read(undefined, usable, around)
  const value = usable[lens.from]
  if (value === undefined || value === null) return lens.absent ?? (value as null | undefined)
  return lens.read(value, usable, around)
}

/**
 * The value of a field in the form of its type; undefined for a value that a lens made of something unexpected, such as
 * a day that does not exist. A destination would fail on it.
 */
function toFitting(type: FieldType, value: FieldValue): FieldValue | undefined {
  if (type === 'datetime') return typeof value === 'string' && isMoment(value) ? toMoment(value) : undefined
  if (type === 'date') return typeof value === 'string' && isDay(value) ? value : undefined
  if (type === 'money') return /^-?\d+(\.\d+)?$/.test(String((value as Money).amount)) ? value : undefined
  const isNumber = type === 'integer' || type === 'decimal'
  return isNumber && !Number.isFinite(value) ? undefined : value
}

function countsOf<A>({ childCounts }: Entity<A>, usable: Record<string, unknown>): Record<string, number> | null {
  if (!childCounts) return null
  const counts = Object.entries(childCounts).flatMap(([entity, path]): [string, number][] => {
    const count = usable[path]
    return typeof count === 'number' ? [[entity, count]] : []
  })
  return counts.length > 0 ? Object.fromEntries(counts) : null
}

function readCustom<A>(
  { from, entries = Object.entries as never, fields }: NonNullable<Entity<A>['custom']>,
  usable: Record<string, unknown>,
  around: A,
  odd: Set<string>,
): [string, CustomFieldValue][] {
  const known = fields(around)
  const read: [string, CustomFieldValue][] = []
  const value = usable[from]
  if (value === undefined || value === null) return read
  for (const [key, one] of entries(value)) {
    const field = known.get(key)
    const made = field && readMade(field, one)
    if (field && made) read.push([field.key, made])
    else odd.add(`${from}.${key}`)
  }
  return read
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
