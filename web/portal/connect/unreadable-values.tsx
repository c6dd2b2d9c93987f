import { type FormEvent, useState } from 'react'
import type { PortalUnreadableValue, PortalUploadProblem } from '../../../service/src/portal/upload-contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { placeOf } from '../records/correct-record.tsx'
import { ValueInput } from '../records/value-input.tsx'
import { useAction } from '../use-action.ts'

/** Values that cannot be read, each with a field for the right value. */
export function UnreadableValues({ values }: { values: NonNullable<PortalUploadProblem['values']> }) {
  const { rows, left } = later.done.correct
  const { first, open } = values
  const named = first.filter(({ correction }) => correction === null).length
  return (
    <div className="mt-1">
      <p aria-live="polite" className="py-1 text-sm font-medium">
        {rows(formatNumber(open))}
      </p>
      <ul className="grid gap-3">
        {first.map((one) => (
          <ValueRow key={`${one.line} ${one.field}`} value={one} />
        ))}
      </ul>
      {open > named && <p className="mt-2 text-sm text-quiet">{left(formatNumber(open - named))}</p>}
    </div>
  )
}

function ValueRow({
  value: { line, value, header, entity, source_id, field, correction },
}: {
  value: PortalUnreadableValue
}) {
  const { row, save, saving, takeBack, corrected } = later.done.correct
  const [typed, setTyped] = useState('')
  const act = useAction((next: string | null) =>
    send('PUT', placeOf({ entity, source_id }), { fields: { [field]: next } }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') void act.act(typed)
  }
  if (correction !== null) {
    return (
      <li className="flex flex-wrap items-center gap-x-3 text-sm">
        <Icon name="check" className="size-4" />
        <span className="min-w-0 wrap-anywhere">{corrected(formatNumber(line), value, correction)}</span>
        <ActionButton look="plain" isWide={false} action={act} pending={saving} onAct={() => void act.act(null)}>
          {takeBack}
        </ActionButton>
      </li>
    )
  }
  return (
    <li>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <ValueInput
          label={row(formatNumber(line), header, value)}
          type={isMoment(field) ? 'datetime' : 'text'}
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit" isWide={false} aria-disabled={act.isPending}>
          {act.isPending ? saving : save}
        </Button>
      </form>
      <FailureNotice failure={act.failure} />
    </li>
  )
}

const isMoment = (field: string) => field === 'created_at' || field === 'updated_at'
