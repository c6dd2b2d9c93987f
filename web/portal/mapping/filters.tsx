import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { changeEntity } from './draft.ts'
import type { EditorProps } from './entity-editor.tsx'

/** A filter offers at most this many values. */
const mostValues = 20

/** Chooses which records of an entity are copied. */
export function Filters({ entity, changes, onChange }: EditorProps) {
  const { which, include, createdAfter, createdBefore, only, onlyHint } = later.mapping
  const current = changes.entities?.[entity.entity] ?? {}
  const change = (part: Parameters<typeof changeEntity>[2]) => onChange(changeEntity(changes, entity.entity, part))
  const isIncluded = current.include !== false
  const choices = entity.fields.filter(
    ({ type, source_values: { length } }) => type === 'option' && length > 1 && length <= mostValues,
  )
  const toggle = (field: string, value: string, isOn: boolean) => {
    const before = current.only?.[field] ?? []
    const next = isOn ? [...before, value] : before.filter((one) => one !== value)
    const { [field]: _, ...others } = current.only ?? {}
    change({ only: next.length === 0 ? others : { ...others, [field]: next } })
  }
  return (
    <Section heading={`${entityLabel(entity.entity)}${texts.colon} ${which}`}>
      <div className="mt-3">
        <Checkbox
          label={include}
          checked={isIncluded}
          onChange={({ target }) => change({ include: target.checked ? undefined : false })}
        />
      </div>
      {isIncluded && (
        <>
          <div className="mt-3 grid gap-4 sm:max-w-120 sm:grid-cols-2">
            {(['created_after', 'created_before'] as const).map((name) => (
              <TextField
                key={name}
                label={name === 'created_after' ? createdAfter : createdBefore}
                type="date"
                value={current[name]?.slice(0, 10) ?? ''}
                onChange={({ target }) => change({ [name]: target.value === '' ? undefined : target.value })}
              />
            ))}
          </div>
          {choices.map((field) => (
            <fieldset key={field.name} className="mt-5">
              <legend className="text-sm font-medium">{only(fieldLabel(field.name, field.label))}</legend>
              <p className="text-sm text-quiet">{onlyHint}</p>
              <div className="mt-1 flex flex-wrap gap-x-6">
                {field.source_values.map(({ value, count }) => (
                  <Checkbox
                    key={value}
                    label={
                      <>
                        <bdi>{value}</bdi> <span className="text-quiet">({formatNumber(count)})</span>
                      </>
                    }
                    checked={current.only?.[field.name]?.includes(value) ?? false}
                    onChange={({ target }) => toggle(field.name, value, target.checked)}
                  />
                ))}
              </div>
            </fieldset>
          ))}
        </>
      )}
    </Section>
  )
}
