import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { PortalMapping } from '../../../service/src/portal/mapping-contract.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { changeEntity, changeField } from '../mapping/draft.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import type { Loss } from './decisions.tsx'

/** The control that resolves a loss, shown beside the loss. */
export function DecisionControl({ loss }: { loss: Loss }) {
  const { imp } = useImport()
  const words = later.plan.control
  const { kind, entity, field } = loss
  const place = `mapping/${encodeURIComponent(entity)}${field === null ? '' : `/${encodeURIComponent(field)}`}`
  const link = (to: string, text: string) => (
    <LinkButton to={to} look="plain" isWide={false}>
      {text}
      <span className="sr-only">: {field === null ? entity : fieldLabel(field, loss.label ?? field)}</span>
    </LinkButton>
  )
  if (kind === 'user_not_matched') {
    return (
      <LinkButton to="people" look="plain" isWide={false}>
        {words.matchPeople}
      </LinkButton>
    )
  }
  if (kind === 'refused' && field !== null) return <DefaultForm entity={entity} field={field} place={place} />
  if (['value_unreadable', 'required_empty', 'row_skipped', 'duplicate_id'].includes(kind)) {
    return imp.source.asks.includes('upload') ? link('connect', words.otherFile) : null
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 sm:justify-end">
      {link(place, kind === 'option_not_offered' ? words.chooseValues : words.chooseField)}
      {kind === 'field_not_taken' && field !== null && <LeaveOut entity={entity} field={field} />}
    </div>
  )
}

/** Reads the newest mapping before the change, because another window may have changed it. */
async function changeMapping(change: (changes: MappingChanges) => MappingChanges): Promise<unknown> {
  const { version, changes } = await get<PortalMapping>('/mapping')
  return send('PUT', '/mapping', { version, changes: change(changes) })
}

function LeaveOut({ entity, field }: { entity: string; field: string }) {
  const { leaveOut, saving } = later.plan.control
  const action = useAction(() => changeMapping((changes) => changeField(changes, entity, field, { to: null })))
  return (
    <>
      <ActionButton action={action} onAct={() => void action.act()} pending={saving} look="plain" isWide={false}>
        {leaveOut}
        <span className="sr-only">: {fieldLabel(field)}</span>
      </ActionButton>
      <FailureNotice failure={action.failure} />
    </>
  )
}

interface DefaultFormProps {
  entity: string
  field: string
  place: string
}

/** Sets one value for all records in which a required field is empty. */
function DefaultForm({ entity, field, place }: DefaultFormProps) {
  const { defaultFor, useDefault, saving, chooseField } = later.plan.control
  const [value, setValue] = useState('')
  const { data } = useQuery({
    queryKey: ['mapping'],
    queryFn: ({ signal }) => get<PortalMapping>('/mapping', signal),
  })
  const action = useAction(() =>
    changeMapping((changes) => {
      const constants = changes.entities?.[entity]?.constants ?? {}
      return changeEntity(changes, entity, { constants: { ...constants, [field]: value.trim() } })
    }),
  )
  const target = data?.entities.find((one) => one.entity === entity)?.targets.find(({ name }) => name === field)
  if (target && !['text', 'long_text', 'rich_text', 'option', 'email', 'url'].includes(target.type)) {
    return (
      <LinkButton to={place} look="plain" isWide={false}>
        {chooseField}
      </LinkButton>
    )
  }
  const label = defaultFor(fieldLabel(field))
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (value.trim() !== '') void action.act()
  }
  return (
    <form noValidate onSubmit={save} className="flex flex-wrap items-end gap-2 sm:max-w-90">
      {target && target.options.length > 0 ? (
        <Select
          className="flex-1 basis-40"
          label={label}
          value={value}
          onChange={({ target: { value: chosen } }) => setValue(chosen)}
        >
          <option value="" />
          {target.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </Select>
      ) : (
        <TextField
          className="flex-1 basis-40"
          label={label}
          value={value}
          onChange={({ target: { value: typed } }) => setValue(typed)}
        />
      )}
      <Button type="submit" isWide={false} aria-disabled={action.isPending}>
        {action.isPending ? saving : useDefault}
      </Button>
      <FailureNotice failure={action.failure} />
    </form>
  )
}
