import type { Correctable } from '../../../service/src/mapping/read-correction.ts'
import { later } from '../../texts/later.ts'
import { Select, TextField } from '../../ui/field.tsx'

export interface ValueInputProps {
  label: string
  type: Correctable['type']
  options?: string[]
  value: string
  error?: string | null
  onChange: (value: string) => void
}

/** An input that fits the type of the value. */
export function ValueInput({ label, type, options = [], value, error = null, onChange }: ValueInputProps) {
  const { choose, yes, no, moment } = later.done.correct
  const choices = type === 'boolean' ? ['true', 'false'] : options
  const words: Record<string, string> = type === 'boolean' ? { true: yes, false: no } : {}
  if (choices.length > 0) {
    return (
      <Select label={label} className="flex-1 basis-48" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{choose}</option>
        {!choices.includes(value) && value !== '' && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {words[choice] ?? choice}
          </option>
        ))}
      </Select>
    )
  }
  return (
    <TextField
      label={label}
      className="flex-1 basis-48"
      value={value}
      error={error}
      {...(type === 'date' && { type: 'date' })}
      {...(type === 'datetime' && { placeholder: '2024-12-31 23:59', hint: moment })}
      {...((type === 'integer' || type === 'decimal') && { inputMode: 'decimal' as const })}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
