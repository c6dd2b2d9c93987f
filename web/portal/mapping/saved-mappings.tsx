import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/mapping/changes.ts'
import type { PortalSavedMappings } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatMoment, formatNumber } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

export interface SavedMappingsProps {
  version: number
  /** Shows the mapping as a draft: nothing is saved by itself. */
  onUse: (changes: MappingChanges) => void
}

/** Mappings from earlier imports and from the partner, and the versions of this one. */
export function SavedMappings({ version, onUse }: SavedMappingsProps) {
  const { facts } = useImport()
  const words = later.mapping.kept
  const { data } = useQuery({
    queryKey: ['saved-mappings', version],
    queryFn: ({ signal }) => get<PortalSavedMappings>('/saved-mappings', signal),
    retry: false,
  })
  const [chosen, setChosen] = useState('')
  const [name, setName] = useState('')
  const keep = useAction(async () => {
    await send('POST', '/saved-mappings', { name: name.trim() })
    setName('')
  })
  if (!data) return null
  const mapping = data.mappings.find(({ id }) => id === chosen)
  return (
    <Section heading={words.title} intro={words.intro}>
      {data.mappings.length > 0 && (
        <div className="mt-3 grid items-end gap-3 sm:max-w-160 sm:grid-cols-[minmax(0,1fr)_auto]">
          <Select label={words.choose} value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value="">{words.none}</option>
            {data.mappings.map((one) => (
              <option key={one.id} value={one.id}>
                {one.is_partners ? words.recommended(one.name, facts.destination) : one.name}
              </option>
            ))}
          </Select>
          {mapping && <Button onClick={() => onUse(mapping.changes)}>{words.use}</Button>}
        </div>
      )}
      {mapping && mapping.dropped.length > 0 && (
        <p className="mt-2 text-sm text-needs">{words.dropped(formatNumber(mapping.dropped.length))}</p>
      )}
      {version > 0 && (
        <div className="mt-4 grid items-end gap-3 sm:max-w-160 sm:grid-cols-[minmax(0,1fr)_auto]">
          <TextField label={words.name} value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
          <ActionButton
            action={keep}
            onAct={() => name.trim() !== '' && void keep.act()}
            pending={later.mapping.saving}
            look="secondary"
          >
            {words.keep}
          </ActionButton>
        </div>
      )}
      <FailureNotice failure={keep.failure} />
      <p role="status" className="mt-2 text-sm text-quiet">
        {keep.isDone ? words.done : ''}
      </p>
      {data.versions.length > 0 && <Versions versions={data.versions} />}
    </Section>
  )
}

function Versions({ versions }: Pick<PortalSavedMappings, 'versions'>) {
  const words = later.mapping.kept
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit py-1 text-accent">{words.versions(formatNumber(versions.length))}</summary>
      <ol className="mt-2 grid gap-3">
        {versions.map(({ version, saved_at, differences }) => (
          <li key={version}>
            <p className="font-medium">{words.version(formatNumber(version), formatMoment(new Date(saved_at)))}</p>
            <ul className="mt-1 list-disc pl-5 text-quiet">
              {differences.map(({ path, before, after }) => (
                <li key={path.join('/')} className="wrap-anywhere">
                  {nameOf(path)}: {wordsOf(before)} → {wordsOf(after)}
                </li>
              ))}
              {differences.length === 0 && <li>{words.same}</li>}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** `entities, tickets, fields, channel, to` → `Tickets, Channel`. */
function nameOf(path: readonly string[]): string {
  const [, entity, part, name, detail] = path
  const words = later.mapping.kept
  if (entity === undefined) return words.parts.default_user ?? ''
  const parts = [
    entityLabel(entity),
    name === undefined ? '' : fieldLabel(name),
    words.parts[detail ?? part ?? ''] ?? '',
  ]
  return parts.filter((one) => one !== '').join(', ')
}

function wordsOf(value: unknown): string {
  const words = later.mapping.kept
  if (value === undefined) return words.suggested
  if (value === null) return words.leftOut
  if (typeof value === 'string') return fieldLabel(value)
  return JSON.stringify(value)
}
