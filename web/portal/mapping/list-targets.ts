import type { DescribedTarget } from '../../../service/src/mapping/describe-mapping.ts'
import { language } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { fitsIn, holderOf } from './draft.ts'
import type { FieldProps } from './field-row.tsx'

export interface TargetChoice {
  value: string
  words: string
  isDisabled: boolean
}

export interface TargetGroup {
  label: string | null
  choices: TargetChoice[]
}

const textTypes = ['long_text', 'rich_text']

/**
 * Lists the targets that can hold this field: the suggested one first, then free ones, then those that another field
 * fills.
 */
export function listTargets(
  { field, entity, changes }: FieldProps,
  { label, value }: { label: string; value: string },
): TargetGroup[] {
  const words = later.mapping
  const combined = changes.entities?.[entity.entity]?.combined ?? {}
  const name = (target: DescribedTarget) => fieldLabel(target.name, target.label)
  const fitting = entity.targets
    .filter((target) => fitsIn(field, target))
    .sort((one, other) => name(one).localeCompare(name(other), language))
  const isNew = entity.takes_any_custom_field && field.name.startsWith('custom:')
  const others = fitting.filter((target) => target.name !== field.default_to)
  const holderName = (target: DescribedTarget) => {
    if (Object.hasOwn(combined, target.name)) return words.severalFields
    const holder = holderOf(changes, entity, target.name, field.name)
    return holder && fieldLabel(holder.name, holder.label)
  }
  const free = others.filter((target) => holderName(target) === null)
  const taken = others.filter((target) => holderName(target) !== null)
  const texts = field.takes_steps
    ? entity.targets.filter(
        (target) =>
          textTypes.includes(target.type) && (target.name !== field.default_to || value === `+${target.name}`),
      )
    : []
  const suggested = entity.targets.find((target) => target.name === field.default_to)
  const plain = (value: string, words: string): TargetChoice => ({ value, words, isDisabled: false })
  const choice = (target: DescribedTarget, note: string | null): TargetChoice => ({
    value: target.name,
    words: note === null ? name(target) : `${name(target)} (${note})`,
    isDisabled: Object.hasOwn(combined, target.name),
  })
  const takenBy = (target: DescribedTarget) => words.takenBy(holderName(target) ?? '')
  const hasNoPlace = field.default_to === null && free.length === 0 && !isNew && field.reason !== 'not_protected'
  const first = [
    plain('', hasNoPlace ? words.notOffered : words.leaveOut),
    ...(isNew ? [plain(field.name, words.newField(label))] : []),
    ...(suggested ? [choice(suggested, holderName(suggested) === null ? words.suggested : takenBy(suggested))] : []),
  ]
  const groups: TargetGroup[] = [
    { label: null, choices: first },
    { label: words.free, choices: free.map((target) => choice(target, null)) },
    { label: words.taken, choices: taken.map((target) => choice(target, takenBy(target))) },
    { label: words.intoText, choices: texts.map((target) => plain(`+${target.name}`, words.partOf(name(target)))) },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}
