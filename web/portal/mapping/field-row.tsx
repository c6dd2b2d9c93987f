import type { DescribedField } from '../../../service/src/mapping/describe-mapping.ts'
import { formatNumber, formatShare, known } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { changeField, changeValue, targetOf } from './draft.ts'
import type { EditorProps } from './entity-editor.tsx'

/** A field of the source, how often it is filled, and what becomes of it. */
export function FieldRow({ field, lookedAt, ...props }: EditorProps & { field: DescribedField; lookedAt: number }) {
  const { entity, changes, onChange } = props
  const words = later.mapping
  const label = fieldLabel(field.name, field.label)
  const to = targetOf(changes, entity, field)
  const choose = (value: string) => {
    const next = value === '' ? null : value
    // What is suggested anyway is no change.
    onChange(
      changeField(changes, entity.entity, field.name, {
        to: next === field.default_to ? undefined : next,
        values: undefined,
      }),
    )
  }
  const isNew = entity.takes_any_custom_field && field.name.startsWith('custom:')
  return (
    <tr className="block p-4 md:table-row md:p-0">
      <th scope="row" className="block text-left font-medium md:table-cell md:w-1/3 md:px-3 md:py-4.5 md:align-top">
        <bdi className="wrap-anywhere">{label}</bdi>
      </th>
      <td className="block text-sm text-quiet tabular-nums md:table-cell md:px-3 md:py-5 md:align-top">
        <span className="md:hidden">{words.filled}: </span>
        {formatShare(field.filled, lookedAt)}
      </td>
      <td className="mt-2 block md:mt-0 md:table-cell md:w-1/2 md:p-2 md:align-top">
        <div className="flex items-center gap-2">
          <Icon name={to === null ? 'stop' : 'arrow'} className={to === null ? 'text-needs' : 'text-quiet'} />
          <Select
            label={words.targetOf(label)}
            isLabelHidden
            className="flex-1"
            value={to ?? ''}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">
              {field.default_to === null && to === null && field.reason !== 'not_protected'
                ? words.notOffered
                : words.leaveOut}
            </option>
            {isNew && <option value={field.name}>{words.newField(label)}</option>}
            {entity.targets.map((target) => (
              <option key={target.name} value={target.name}>
                {fieldLabel(target.name, target.label)}
                {target.name === field.default_to ? ` (${words.suggested})` : ''}
              </option>
            ))}
          </Select>
        </div>
        {to !== null && field.values.length > 0 && <Values field={field} to={to} {...props} />}
      </td>
    </tr>
  )
}

/** What each value becomes, where the destination only takes certain ones. */
function Values({ field, to, entity, changes, saved, onChange }: EditorProps & { field: DescribedField; to: string }) {
  const words = later.mapping
  const target = entity.targets.find(({ name }) => name === to)
  if (!target || target.options.length === 0) return null
  const chosen = changes.entities?.[entity.entity]?.fields?.[field.name]?.values ?? {}
  const savedValues = saved.entities?.[entity.entity]?.fields?.[field.name]?.values ?? {}
  // What is suggested is known for the field that was saved, as long as nobody has chosen otherwise.
  const suggestion = (value: string) => {
    const isKnown = field.to === to && !Object.hasOwn(savedValues, value)
    const becomes = field.values.find((one) => one.value === value)?.to
    return isKnown && becomes ? words.automatic(becomes) : words.automaticUnknown
  }
  return (
    <details className="mt-2 ml-7 text-sm">
      <summary className="w-fit py-1 text-accent">{words.values(formatNumber(field.values.length))}</summary>
      <ul className="mt-2 grid gap-2">
        {field.values.map(({ value, count }) => (
          <li key={value} className="grid grid-cols-2 items-center gap-3">
            <span className="min-w-0">
              <bdi className="block wrap-anywhere">{value}</bdi>
              <span className="text-quiet">{words.times(formatNumber(count), count === 1)}</span>
            </span>
            <Select
              label={words.valueOf(value)}
              isLabelHidden
              value={Object.hasOwn(chosen, value) ? `=${chosen[value] ?? ''}` : 'auto'}
              onChange={({ target: { value: choice } }) =>
                onChange(
                  changeValue(
                    changes,
                    { entity: entity.entity, field: field.name, value },
                    choice === 'auto' ? undefined : choice === '=' ? null : choice.slice(1),
                  ),
                )
              }
            >
              <option value="auto">{suggestion(value)}</option>
              <option value="=">{words.empty}</option>
              {target.options.map((option) => (
                <option key={option} value={`=${option}`}>
                  {known(later.fields, option) ?? option}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
    </details>
  )
}
