import type {
  Combination,
  EntityChanges,
  FieldChange,
  MappingChanges,
  Step,
} from '../../../service/src/db/mapping-changes.ts'
import type { DescribedEntity, DescribedField, DescribedTarget } from '../../../service/src/mapping/describe-mapping.ts'

type Undefinable<T> = { [K in keyof T]?: T[K] | undefined }

/** Removes undefined values and empty objects: a missing value means "as suggested". */
function tidy<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(
    ([, one]) => one !== undefined && !(typeof one === 'object' && one !== null && isEmpty(one)),
  )
  return Object.fromEntries(entries) as T
}

const isEmpty = (value: object) => Object.keys(value).length === 0

export function changeEntity(
  changes: MappingChanges,
  entity: string,
  change: Undefinable<EntityChanges>,
): MappingChanges {
  const before = changes.entities?.[entity] ?? {}
  const entities = tidy({ ...changes.entities, [entity]: tidy({ ...before, ...change }) })
  return tidy({ ...changes, entities }) as MappingChanges
}

export function changeField(
  changes: MappingChanges,
  entity: string,
  field: string,
  change: Undefinable<FieldChange>,
): MappingChanges {
  const fields = changes.entities?.[entity]?.fields ?? {}
  const changed = tidy({ ...fields, [field]: tidy({ ...fields[field], ...change }) }) as Record<string, FieldChange>
  return changeEntity(changes, entity, { fields: changed })
}

/** Undefined means "as suggested", null means "leave it empty". */
export function changeValue(
  changes: MappingChanges,
  place: { entity: string; field: string; value: string },
  to: string | null | undefined,
): MappingChanges {
  const { entity, field, value } = place
  const before = changes.entities?.[entity]?.fields?.[field]?.values ?? {}
  const { [value]: _, ...others } = before
  const values = to === undefined ? others : { ...others, [value]: to }
  return changeField(changes, entity, field, { values })
}

export function changeConstant(
  changes: MappingChanges,
  entity: string,
  target: string,
  value: string | number | boolean | undefined,
): MappingChanges {
  const { [target]: _, ...others } = changes.entities?.[entity]?.constants ?? {}
  return changeEntity(changes, entity, { constants: value === undefined ? others : { ...others, [target]: value } })
}

/** Undefined removes the combination. */
export function changeCombination(
  changes: MappingChanges,
  entity: string,
  target: string,
  combination: Combination | undefined,
): MappingChanges {
  const { [target]: _, ...others } = changes.entities?.[entity]?.combined ?? {}
  const combined = combination && combination.fields.length > 0 ? { ...others, [target]: combination } : others
  return changeEntity(changes, entity, { combined })
}

/** Adds the field, with its name as a label, to a text that another field fills. */
export function addToText(
  changes: MappingChanges,
  entity: DescribedEntity,
  { name, label }: { name: string; label: string },
  target: string,
): MappingChanges {
  const before = changes.entities?.[entity.entity]?.combined?.[target]
  const owner = entity.fields.find((field) => targetOf(changes, entity, field) === target)
  const { fields, by, labels = {} } = before ?? { fields: owner ? [owner.name] : [], by: '\n' }
  const combination = { fields: [...fields, name], by, labels: { ...labels, [name]: label } }
  // The field that filled the text so far becomes its first part.
  const isChosen = owner && changes.entities?.[entity.entity]?.fields?.[owner.name]?.to === target
  const freed = isChosen ? changeField(changes, entity.entity, owner.name, { to: undefined }) : changes
  const left = changeField(freed, entity.entity, name, { to: undefined, values: undefined })
  return changeCombination(left, entity.entity, target, combination)
}

/** Removes the field from this text, or from all texts. */
export function removeFromTexts(changes: MappingChanges, entity: string, field: string, only?: string): MappingChanges {
  let next = changes
  for (const [target, { fields, by, labels = {} }] of Object.entries(changes.entities?.[entity]?.combined ?? {})) {
    if (!fields.includes(field) || (only !== undefined && only !== target)) continue
    const { [field]: _, ...others } = labels
    const rest = fields.filter((one) => one !== field)
    // A single field without a label needs no combination if the text has the same name.
    const isPlain = rest.length === 0 || (rest.length === 1 && rest[0] === target && isEmpty(others))
    const combination = isPlain ? undefined : { fields: rest, by, ...(isEmpty(others) ? {} : { labels: others }) }
    next = changeCombination(next, entity, target, combination)
  }
  return next
}

export function changeSteps(changes: MappingChanges, entity: string, field: string, steps: Step[]): MappingChanges {
  return changeField(changes, entity, field, { steps })
}

/** A field's target after these changes, by the same rules as in the service. */
export function targetOf(changes: MappingChanges, entity: DescribedEntity, field: DescribedField): string | null {
  const { fields = {}, combined = {} } = changes.entities?.[entity.entity] ?? {}
  const chosen = fields[field.name]?.to
  if (chosen !== undefined) return chosen
  if (field.default_to === null || Object.hasOwn(combined, field.default_to)) return null
  return Object.values(fields).some(({ to }) => to === field.default_to) ? null : field.default_to
}

/** The text that contains the field, or null. */
export function textOf(changes: MappingChanges, entity: string, field: string): string | null {
  const combined = changes.entities?.[entity]?.combined ?? {}
  return Object.keys(combined).find((target) => combined[target]?.fields.includes(field)) ?? null
}

/** Another field that fills the target, if there is one. */
export function holderOf(
  changes: MappingChanges,
  entity: DescribedEntity,
  target: string,
  except: string,
): DescribedField | null {
  return entity.fields.find((field) => field.name !== except && targetOf(changes, entity, field) === target) ?? null
}

/** Removes incomplete steps: they have no effect and cannot be saved. */
export function withoutUnfinished(changes: MappingChanges): MappingChanges {
  let next = changes
  for (const [entity, { fields = {} }] of Object.entries(changes.entities ?? {})) {
    for (const [field, { steps = [] }] of Object.entries(fields)) {
      const finished = steps.filter(
        (step) => !(step.do === 'replace' && step.find === '') && !(step.do === 'split' && step.by === ''),
      )
      if (finished.length < steps.length) next = changeSteps(next, entity, field, finished)
    }
  }
  return next
}

export const fitsIn = (field: DescribedField, target: DescribedTarget) =>
  target.type === 'relation' ? field.fits_links.includes(target.name) : field.fits.includes(target.type)

/** Accepts every undecided loss: fields are left out and values stay empty. */
export function acceptAll(changes: MappingChanges, entity: DescribedEntity): MappingChanges {
  let next = changes
  for (const field of entity.fields) {
    if (field.status !== 'undecided') continue
    if (field.to === null) next = changeField(next, entity.entity, field.name, { to: null })
    for (const { value, to, is_chosen } of field.to === null ? [] : field.values) {
      if (to === null && !is_chosen) {
        next = changeValue(next, { entity: entity.entity, field: field.name, value }, null)
      }
    }
  }
  return next
}

export const isSame = (one: MappingChanges, other: MappingChanges) => JSON.stringify(one) === JSON.stringify(other)
