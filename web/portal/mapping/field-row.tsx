import { useRef, useState } from 'react'
import type { DescribedField } from '../../../service/src/mapping/describe-mapping.ts'
import { formatMoment, formatShare, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Said } from '../said.tsx'
import { addToText, changeField, holderOf, removeFromTexts, targetOf, textOf } from './draft.ts'
import type { EditorProps } from './entity-editor.tsx'
import { FieldSteps } from './field-steps.tsx'
import { FieldValues } from './field-values.tsx'
import { KeepQuestion } from './keep-question.tsx'
import { TargetSelect } from './target-select.tsx'

export interface FieldProps extends EditorProps {
  field: DescribedField
}

const momentPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A field of the source with sample values, the number of records that fill it, and its target. */
export function FieldRow({
  field,
  lookedAt,
  samples,
  ...props
}: FieldProps & { lookedAt: number; samples: readonly string[] }) {
  const { entity, changes, problems, onChange } = props
  const words = later.mapping
  const label = fieldLabel(field.name, field.label)
  const to = targetOf(changes, entity, field)
  const text = textOf(changes, entity.entity, field.name)
  /** The wanted target if another field fills it. The customer then decides which field keeps it. */
  const [wanted, setWanted] = useState<string | null>(null)
  const holder = wanted === null ? null : holderOf(changes, entity, wanted, field.name)
  const cell = useRef<HTMLTableCellElement>(null)
  /** The question disappears, so the focus returns to the control that opened it. */
  const settle = () => {
    setWanted(null)
    cell.current?.querySelector('select')?.focus()
  }
  const place = (target: string | null, before = changes) => {
    // Choosing the suggestion removes the change.
    const next = { to: target === field.default_to ? undefined : target, values: undefined }
    onChange(changeField(removeFromTexts(before, entity.entity, field.name), entity.entity, field.name, next))
    if (wanted !== null) settle()
  }
  const choose = (choice: string) => {
    if (choice.startsWith('+')) {
      setWanted(null)
      const added = addToText(changes, entity, { name: field.name, label }, choice.slice(1))
      // The field becomes part of this text and loses its default target.
      const to = field.default_to === null ? undefined : null
      onChange(changeField(added, entity.entity, field.name, { to }))
    } else if (choice !== '' && holderOf(changes, entity, choice, field.name)) setWanted(choice)
    else place(choice === '' ? null : choice)
  }
  const said = Object.entries(problems).filter(([path]) =>
    path.startsWith(`entities.${entity.entity}.fields.${field.name}.`),
  )
  return (
    <tr className={`block p-4 md:table-row md:p-0 ${field.status === 'undecided' ? 'bg-needs-soft' : ''}`}>
      <th scope="row" className="block text-left font-medium md:table-cell md:w-1/4 md:px-3 md:py-4.5 md:align-top">
        <bdi className="wrap-anywhere">{label}</bdi>
        {samples.length > 0 && (
          <span className="mt-1 block text-sm font-normal text-quiet">
            <span className="sr-only">{words.samples}</span>
            {samples.map((sample) => (
              <bdi key={sample} className="line-clamp-1 wrap-anywhere">
                {momentPattern.test(sample) ? formatMoment(new Date(sample)) : sample}
              </bdi>
            ))}
          </span>
        )}
      </th>
      <td className="block text-sm text-quiet tabular-nums md:table-cell md:px-3 md:py-5 md:align-top">
        <span className="md:hidden">{`${words.filled}${texts.colon} `}</span>
        {formatShare(field.filled, lookedAt)}
      </td>
      <td ref={cell} className="mt-2 block md:mt-0 md:table-cell md:w-3/5 md:p-2 md:align-top">
        <TargetSelect
          {...props}
          field={field}
          label={label}
          value={wanted ?? (to === null && text !== null ? `+${text}` : (to ?? ''))}
          onChoose={choose}
        />
        {wanted !== null && holder && (
          <KeepQuestion
            target={wanted}
            entity={entity}
            mine={label}
            theirs={fieldLabel(holder.name, holder.label)}
            onMine={() =>
              place(wanted, changeField(changes, entity.entity, holder.name, { to: null, values: undefined }))
            }
            onTheirs={settle}
          />
        )}
        <Status field={field} />
        {said.map(([path, messages]) => (
          <p key={path} role="alert" className="mt-1 text-sm text-stopped wrap-anywhere">
            <Said messages={messages} />
          </p>
        ))}
        {to !== null && <FieldValues field={field} to={to} {...props} />}
        {(to !== null || text !== null) && field.takes_steps && <FieldSteps field={field} to={to} {...props} />}
      </td>
    </tr>
  )
}

const icons: Record<DescribedField['status'], [IconName, string]> = {
  copied: ['check', 'text-quiet'],
  undecided: ['warning', 'text-needs'],
  left_out: ['stop', 'text-quiet'],
}

function Status({ field }: { field: DescribedField }) {
  const { status, statusNoPlace, statusNoMatch, statusTaken } = later.mapping
  const [icon, colour] = icons[field.status]
  const why = () => {
    if (field.status !== 'undecided') return status[field.status]
    if (field.taken_by !== null) return statusTaken(fieldLabel(field.taken_by))
    return field.to === null ? statusNoPlace : statusNoMatch
  }
  return (
    <p className={`mt-1.5 flex items-start gap-1.5 text-sm ${colour}`}>
      <Icon name={icon} className="mt-0.5 size-4" />
      {why()}
    </p>
  )
}
