import type { DayFormat, LetterCase, Step } from '../../../service/src/db/mapping-changes.ts'
import { formatNumber } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { changeConstant, changeSteps } from './draft.ts'
import type { FieldProps } from './field-row.tsx'

const mostSteps = 10
const kinds = ['replace', 'case', 'split', 'join', 'date'] as const
const cases: LetterCase[] = ['upper', 'lower', 'title', 'sentence']
const orders = ['dmy', 'mdy', 'ymd'] as const
const formats: DayFormat[] = ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy']

const firstOf: Record<Step['do'], Step> = {
  replace: { do: 'replace', find: '', with: '' },
  case: { do: 'case', as: 'upper' },
  split: { do: 'split', by: ',', part: 1 },
  join: { do: 'join', by: ', ' },
  date: { do: 'date', read: 'dmy' },
}

/** The steps that change a value, and the default for empty fields. */
export function FieldSteps({ field, to, entity, changes, onChange }: FieldProps & { to: string | null }) {
  const words = later.mapping
  const label = fieldLabel(field.name, field.label)
  const steps = changes.entities?.[entity.entity]?.fields?.[field.name]?.steps ?? []
  const target = entity.targets.find(({ name }) => name === to)
  // Formatted texts can have steps only if they become plain text.
  const takes = !(field.type === 'rich_text' && (target?.type ?? 'rich_text') === 'rich_text')
  const takesBlank = target !== undefined && ['text', 'long_text'].includes(target.type) && !target.many
  if (!takes && !takesBlank) return null
  const constants = changes.entities?.[entity.entity]?.constants ?? {}
  const blank = to !== null && Object.hasOwn(constants, to) ? String(constants[to]) : ''
  const set = (next: Step[]) => onChange(changeSteps(changes, entity.entity, field.name, next))
  const count = steps.length + (blank === '' ? 0 : 1)
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit py-1 text-accent">
        {count === 0 ? words.steps : words.stepsCount(formatNumber(count))}
      </summary>
      <ol className="mt-2 grid gap-3">
        {steps.map((step, index) => (
          // A step has no identity but its position.
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
          <li key={index} className="rounded-lg border border-line p-3">
            <StepFields step={step} onChange={(next) => set(steps.with(index, next))} />
            <Button
              look="plain"
              onClick={({ currentTarget }) => {
                currentTarget.closest('details')?.querySelector('summary')?.focus()
                set(steps.toSpliced(index, 1))
              }}
            >
              {words.removeStep(words.stepKinds[step.do])}
            </Button>
          </li>
        ))}
      </ol>
      {takes && steps.length < mostSteps && (
        <Select
          className="mt-3"
          label={words.addStep(label)}
          value=""
          onChange={({ target: { value } }) => value !== '' && set([...steps, firstOf[value as Step['do']]])}
        >
          <option value="">{words.chooseStep}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {words.stepKinds[kind]}
            </option>
          ))}
        </Select>
      )}
      {takesBlank && (
        <TextField
          className="mt-3"
          label={words.ifBlank(label)}
          value={blank}
          maxLength={1_000}
          onChange={({ target: { value } }) =>
            onChange(changeConstant(changes, entity.entity, target.name, value === '' ? undefined : value))
          }
        />
      )}
    </details>
  )
}

function StepFields({ step, onChange }: { step: Step; onChange: (step: Step) => void }) {
  const words = later.mapping
  if (step.do === 'replace') {
    return (
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.find}
          value={step.find}
          maxLength={200}
          error={step.find === '' ? words.findNeeded : null}
          onChange={({ target }) => onChange({ ...step, find: target.value })}
        />
        <TextField
          label={words.replaceWith}
          value={step.with}
          maxLength={200}
          onChange={({ target }) => onChange({ ...step, with: target.value })}
        />
      </div>
    )
  }
  if (step.do === 'case') {
    return (
      <Select
        label={words.stepKinds.case}
        value={step.as}
        onChange={({ target }) => onChange({ ...step, as: target.value as LetterCase })}
      >
        {cases.map((as) => (
          <option key={as} value={as}>
            {words.cases[as]}
          </option>
        ))}
      </Select>
    )
  }
  if (step.do === 'split') return <SplitFields step={step} onChange={onChange} />
  if (step.do === 'join') {
    return (
      <TextField
        label={words.joinBy}
        value={step.by}
        maxLength={20}
        onChange={({ target }) => onChange({ ...step, by: target.value })}
      />
    )
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={words.readDay}
        value={step.read}
        onChange={({ target }) => onChange({ ...step, read: target.value as (typeof orders)[number] })}
      >
        {orders.map((order) => (
          <option key={order} value={order}>
            {words.orders[order]}
          </option>
        ))}
      </Select>
      <Select
        label={words.writeDay}
        value={step.write ?? ''}
        onChange={({ target: { value } }) => {
          const { write: _, ...plain } = step
          onChange(value === '' ? plain : { ...plain, write: value as DayFormat })
        }}
      >
        <option value="">{words.asDay}</option>
        {formats.map((format) => (
          <option key={format} value={format}>
            {words.dayExamples[format]}
          </option>
        ))}
      </Select>
    </div>
  )
}

type Split = Extract<Step, { do: 'split' }>

function SplitFields({ step, onChange }: { step: Split; onChange: (step: Split) => void }) {
  const words = later.mapping
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label={words.splitAt}
        value={step.by}
        maxLength={20}
        error={step.by === '' ? words.splitNeeded : null}
        onChange={({ target }) => onChange({ ...step, by: target.value })}
      />
      <Select
        label={words.keepPart}
        value={String(step.part ?? '')}
        onChange={({ target: { value } }) => {
          const { part: _, ...all } = step
          onChange(value === '' ? all : { ...all, part: Number(value) })
        }}
      >
        {[1, 2, 3, 4, 5].map((part) => (
          <option key={part} value={part}>
            {words.part(formatNumber(part))}
          </option>
        ))}
        <option value="-1">{words.lastPart}</option>
        <option value="">{words.allParts}</option>
      </Select>
    </div>
  )
}
