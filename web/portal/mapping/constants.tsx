import type { DescribedTarget } from '../../../service/src/mapping/describe-mapping.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useImport } from '../use-import.tsx'
import { changeConstant, targetOf } from './draft.ts'
import type { EditorProps } from './entity-editor.tsx'

const plainTypes = ['text', 'long_text', 'option', 'integer', 'decimal', 'boolean']

/** Default values for fields of the destination that the source leaves empty. */
export function Constants({ entity, changes, onChange }: EditorProps) {
  const { constants, constantsText, required, requiredOpen } = later.mapping
  const { facts } = useImport()
  const current = changes.entities?.[entity.entity]?.constants ?? {}
  const { combined = {} } = changes.entities?.[entity.entity] ?? {}
  const filled = new Set([...entity.fields.map((field) => targetOf(changes, entity, field)), ...Object.keys(combined)])
  const open = entity.targets.filter(
    (target) => plainTypes.includes(target.type) && !target.many && (target.required || !filled.has(target.name)),
  )
  if (open.length === 0) return null
  const give = (target: DescribedTarget, text: string) =>
    onChange(changeConstant(changes, entity.entity, target.name, text === '' ? undefined : constantOf(target, text)))
  return (
    <Section heading={constants} intro={constantsText}>
      <div className="mt-3 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {open.map((target) => {
          const name = fieldLabel(target.name, target.label)
          const label = target.required ? `${name} (${required})` : name
          const value = Object.hasOwn(current, target.name) ? String(current[target.name]) : ''
          const choices = choicesOf(target)
          return choices ? (
            <Select
              key={target.name}
              label={label}
              value={value}
              onChange={(event) => give(target, event.target.value)}
            >
              <option value="">–</option>
              {choices.map(([choice, words]) => (
                <option key={choice} value={choice}>
                  {words}
                </option>
              ))}
            </Select>
          ) : (
            <TextField
              key={target.name}
              label={label}
              type={target.type === 'integer' || target.type === 'decimal' ? 'number' : 'text'}
              value={value}
              error={
                target.required && value === '' && !filled.has(target.name) ? requiredOpen(facts.destination) : null
              }
              onChange={(event) => give(target, event.target.value)}
            />
          )
        })}
      </div>
    </Section>
  )
}

function choicesOf({ type, options }: DescribedTarget): [string, string][] | null {
  if (type === 'boolean') {
    return [
      ['true', later.review.yes],
      ['false', later.review.no],
    ]
  }
  return options.length > 0 ? options.map((option) => [option, option]) : null
}

function constantOf({ type }: DescribedTarget, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true'
  return type === 'integer' || type === 'decimal' ? Number(text) : text
}
