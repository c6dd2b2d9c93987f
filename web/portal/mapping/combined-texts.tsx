import type { Combination } from '../../../service/src/db/mapping-changes.ts'
import type { DescribedTarget } from '../../../service/src/mapping/describe-mapping.ts'
import { language } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { Said } from '../said.tsx'
import { addToText, changeCombination, removeFromTexts } from './draft.ts'
import type { EditorProps } from './entity-editor.tsx'

const textTypes = ['text', 'long_text', 'rich_text']
const separators = [' ', ', ', '\n', ' – ', ' / ']

/** Combines several fields of the source into one text of the destination. */
export function CombinedTexts(props: EditorProps) {
  const { entity, changes, problems, onChange } = props
  const words = later.mapping
  const combined = changes.entities?.[entity.entity]?.combined ?? {}
  const nameOf = (target: DescribedTarget) => fieldLabel(target.name, target.label)
  const open = entity.targets
    .filter(({ name, type, many }) => textTypes.includes(type) && !many && !Object.hasOwn(combined, name))
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other), language))
  const parts = entity.fields.filter(({ takes_steps }) => takes_steps)
  if ((open.length === 0 && Object.keys(combined).length === 0) || parts.length < 2) return null
  const add = (target: string) => {
    const owner = entity.fields.find((field) => field.to === target && field.takes_steps)
    const first = owner ?? parts[0]
    if (!first) return
    onChange(changeCombination(changes, entity.entity, target, { fields: [first.name], by: ' ' }))
  }
  return (
    <Section heading={words.combine} intro={words.combineText}>
      {Object.entries(combined).map(([name, combination]) => {
        const target = entity.targets.find((one) => one.name === name)
        const label = fieldLabel(name, target?.label)
        const said = Object.entries(problems).filter(([path]) =>
          path.startsWith(`entities.${entity.entity}.combined.${name}`),
        )
        return (
          <fieldset key={name} className="mt-4 rounded-lg border border-line bg-card p-4">
            <legend className="px-1 font-medium">{label}</legend>
            <div className="grid sm:grid-cols-2">
              {parts.map((field) => (
                <Checkbox
                  key={field.name}
                  label={fieldLabel(field.name, field.label)}
                  checked={combination.fields.includes(field.name)}
                  onChange={({ target: { checked } }) =>
                    onChange(
                      checked
                        ? addToText(
                            changes,
                            entity,
                            { name: field.name, label: fieldLabel(field.name, field.label) },
                            name,
                          )
                        : removeFromTexts(changes, entity.entity, field.name, name),
                    )
                  }
                />
              ))}
            </div>
            <Layout
              combination={combination}
              onChange={(next) => onChange(changeCombination(changes, entity.entity, name, next))}
              nameOf={(field) => fieldLabel(field, entity.fields.find((one) => one.name === field)?.label)}
            />
            {said.map(([path, messages]) => (
              <p key={path} role="alert" className="mt-2 text-sm text-stopped wrap-anywhere">
                <Said messages={messages} />
              </p>
            ))}
          </fieldset>
        )
      })}
      {open.length > 0 && (
        <Select
          className="mt-4 max-w-100"
          label={words.combineInto}
          value=""
          onChange={({ target: { value } }) => value !== '' && add(value)}
        >
          <option value="">{words.chooseField}</option>
          {open.map((target) => (
            <option key={target.name} value={target.name}>
              {nameOf(target)}
            </option>
          ))}
        </Select>
      )}
    </Section>
  )
}

interface LayoutProps {
  combination: Combination
  onChange: (combination: Combination | undefined) => void
  nameOf: (field: string) => string
}

/** The separator between the fields, and whether each field's name is written before it. */
function Layout({ combination, onChange, nameOf }: LayoutProps) {
  const words = later.mapping
  const { fields, by, labels } = combination
  const label = (isOn: boolean) => {
    const { labels: _, ...plain } = combination
    onChange(isOn ? { ...plain, labels: Object.fromEntries(fields.map((field) => [field, nameOf(field)])) } : plain)
  }
  return (
    <div className="mt-3 grid items-end gap-4 sm:grid-cols-2">
      <Select
        label={words.between}
        value={by}
        onChange={({ target }) => onChange({ ...combination, by: target.value })}
      >
        {[...new Set([...separators, by])].map((one) => (
          <option key={one} value={one}>
            {words.separators[one] ?? `"${one}"`}
          </option>
        ))}
      </Select>
      <Checkbox
        label={words.withNames}
        checked={labels !== undefined}
        onChange={({ target }) => label(target.checked)}
      />
    </div>
  )
}
