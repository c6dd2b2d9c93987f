import { Fragment } from 'react'
import { later } from '../../texts/later.ts'
import { Select } from '../../ui/field.tsx'
import type { FieldProps } from './field-row.tsx'
import { listTargets, type TargetChoice } from './list-targets.ts'
import { TargetSearch } from './target-search.tsx'

/** Longer lists get a search. */
const fewEnough = 8

interface TargetSelectProps extends FieldProps {
  label: string
  value: string
  onChoose: (choice: string) => void
}

/** Chooses a field's target. */
export function TargetSelect({ label, value, onChoose, ...props }: TargetSelectProps) {
  const groups = listTargets(props, { label, value })
  const count = groups.reduce((sum, { choices }) => sum + choices.length, 0)
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        className="flex-1 basis-48"
        label={later.mapping.targetOf(label)}
        isLabelHidden
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {groups.map((group) =>
          group.label === null ? (
            <Fragment key="">{group.choices.map(option)}</Fragment>
          ) : (
            <optgroup key={group.label} label={group.label}>
              {group.choices.map(option)}
            </optgroup>
          ),
        )}
      </Select>
      {count > fewEnough && <TargetSearch label={label} groups={groups} value={value} onChoose={onChoose} />}
    </div>
  )
}

const option = ({ value, words, isDisabled }: TargetChoice) => (
  <option key={value} value={value} disabled={isDisabled}>
    {words}
  </option>
)
