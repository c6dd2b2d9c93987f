import type { DescribedTarget } from '../../../service/src/mapping/describe-mapping.ts'
import { language } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Select } from '../../ui/field.tsx'
import { fitsIn, holderOf } from './draft.ts'
import type { FieldProps } from './field-row.tsx'

const textTypes = ['long_text', 'rich_text']

/** Only fields that can take this one: the suggested one first, then free ones, then those that another field fills. */
export function TargetSelect({
  field,
  label,
  value,
  onChoose,
  entity,
  changes,
}: FieldProps & { label: string; value: string; onChoose: (choice: string) => void }) {
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
  const choice = (target: DescribedTarget, note: string | null) => (
    <option key={target.name} value={target.name} disabled={Object.hasOwn(combined, target.name)}>
      {name(target)}
      {note === null ? '' : ` (${note})`}
    </option>
  )
  return (
    <Select label={words.targetOf(label)} isLabelHidden value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">
        {field.default_to === null && free.length === 0 && !isNew && field.reason !== 'not_protected'
          ? words.notOffered
          : words.leaveOut}
      </option>
      {isNew && <option value={field.name}>{words.newField(label)}</option>}
      {suggested &&
        choice(
          suggested,
          holderName(suggested) === null ? words.suggested : words.takenBy(holderName(suggested) ?? ''),
        )}
      {free.length > 0 && <optgroup label={words.free}>{free.map((target) => choice(target, null))}</optgroup>}
      {taken.length > 0 && (
        <optgroup label={words.taken}>
          {taken.map((target) => choice(target, words.takenBy(holderName(target) ?? '')))}
        </optgroup>
      )}
      {texts.length > 0 && (
        <optgroup label={words.intoText}>
          {texts.map((target) => (
            <option key={target.name} value={`+${target.name}`}>
              {words.partOf(name(target))}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  )
}
