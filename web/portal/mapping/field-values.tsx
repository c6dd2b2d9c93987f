import type { DescribedTarget, DescribedValue } from '../../../service/src/mapping/describe-mapping.ts'
import { formatNumber, known } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { changeValue } from './draft.ts'
import type { FieldProps } from './field-row.tsx'

/** Matches each value, if the destination accepts only certain values. */
export function FieldValues({ field, to, ...props }: FieldProps & { to: string }) {
  const words = later.mapping
  const target = props.entity.targets.find(({ name }) => name === to)
  if (!target || target.options.length === 0 || field.values.length === 0) return null
  const unmatched = field.values.filter((value) => isLost(value)).length
  return (
    <details className="mt-2 text-sm" {...(unmatched > 0 && { open: true })}>
      <summary className="w-fit py-1 text-accent">
        {unmatched > 0
          ? words.valuesUnmatched(formatNumber(field.values.length), formatNumber(unmatched))
          : words.values(formatNumber(field.values.length))}
      </summary>
      <table className="mt-2 w-full">
        <thead>
          <tr className="text-left text-quiet">
            <th scope="col" className="py-1 pr-3 font-medium">
              {words.value}
            </th>
            <th scope="col" className="py-1 pr-3 text-right font-medium">
              {words.records}
            </th>
            <th scope="col" className="w-1/2 py-1 font-medium">
              {words.target}
            </th>
          </tr>
        </thead>
        <tbody>
          {field.values.map((value) => (
            <ValueRow key={value.value} field={field} described={value} target={target} {...props} />
          ))}
        </tbody>
      </table>
    </details>
  )
}

const isLost = ({ to, is_chosen }: DescribedValue) => to === null && !is_chosen

function ValueRow({
  field,
  described,
  target,
  entity,
  changes,
  onChange,
}: FieldProps & { described: DescribedValue; target: DescribedTarget }) {
  const words = later.mapping
  const { value, count, to } = described
  const chosen = changes.entities?.[entity.entity]?.fields?.[field.name]?.values ?? {}
  const isChosen = Object.hasOwn(chosen, value)
  const choose = (choice: string) => {
    const place = { entity: entity.entity, field: field.name, value }
    onChange(changeValue(changes, place, choice === 'auto' ? undefined : choice === '=' ? null : choice.slice(1)))
  }
  const optionLabel = (option: string) => known(later.fields, option) ?? option
  return (
    <tr className="align-top">
      <th scope="row" className="py-1.5 pr-3 text-left font-normal">
        <bdi className="wrap-anywhere">{value}</bdi>
      </th>
      <td className="py-1.5 pr-3 text-right text-quiet tabular-nums">{formatNumber(count)}</td>
      <td className="py-1">
        <Select
          label={words.valueOf(value)}
          isLabelHidden
          value={isChosen ? `=${chosen[value] ?? ''}` : 'auto'}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="auto">{autoWords()}</option>
          <option value="=">{words.empty}</option>
          {target.options.map((option) => (
            <option key={option} value={`=${option}`}>
              {optionLabel(option)}
            </option>
          ))}
        </Select>
        {isLost(described) && (
          <p className="mt-1 flex items-center gap-1.5 text-needs">
            <Icon name="warning" className="size-4" />
            {words.noMatch}
          </p>
        )}
      </td>
    </tr>
  )

  /** Describes the result without a choice. With an unsaved choice, only the service can compute it. */
  function autoWords(): string {
    if (isChosen || described.is_chosen) return words.automatic
    return to === null ? words.noMatch : words.automaticTo(optionLabel(to))
  }
}
