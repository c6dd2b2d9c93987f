import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { PortalSavedMappings } from '../../../service/src/portal/mapping-contract.ts'
import { formatMoment, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { CompareVersions } from './compare-versions.tsx'
import { DifferenceList } from './difference-list.tsx'

export interface SavedMappingsProps {
  version: number
  /** Shows the mapping as a draft. Nothing is saved yet. */
  onUse: (changes: MappingChanges) => void
}

/** Mappings from earlier imports and from the partner, and the versions of the current mapping. */
export function SavedMappings({ version, onUse }: SavedMappingsProps) {
  const { facts } = useImport()
  const words = later.mapping.kept
  const { data } = useQuery({
    queryKey: ['saved-mappings', version],
    queryFn: ({ signal }) => get<PortalSavedMappings>('/saved-mappings', signal),
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
    <Section heading={words.title} intro={version > 0 || data.mappings.length > 0 ? words.intro : words.introFirst}>
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
      {mapping && (
        <div className="mt-1 flex flex-wrap items-center gap-x-4 text-sm text-quiet">
          <span>
            {words.savedAt(formatMoment(new Date(mapping.saved_at)))}
            {mapping.saved_by !== null && ` · ${mapping.saved_by}`}
          </span>
          {!mapping.is_partners && <RemoveMapping key={mapping.id} mapping={mapping} onRemoved={() => setChosen('')} />}
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
      {data.versions.length > 0 && <CompareVersions versions={data.versions} onUse={onUse} />}
    </Section>
  )
}

interface RemoveMappingProps {
  mapping: PortalSavedMappings['mappings'][number]
  onRemoved: () => void
}

/** Asks for confirmation, because the mapping is removed for all users of the account. */
function RemoveMapping({ mapping, onRemoved }: RemoveMappingProps) {
  const words = later.mapping.kept
  const [isAsked, setIsAsked] = useState(false)
  const remove = useAction(() => send('DELETE', `/saved-mappings/${encodeURIComponent(mapping.id)}`))
  if (!isAsked) {
    return (
      <Button look="plain" onClick={() => setIsAsked(true)}>
        {words.remove}
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      <p role="alert" className="text-ink">
        {words.removeQuestion(mapping.name)}
      </p>
      <ActionButton
        action={remove}
        onAct={() => void remove.act().then((isDone) => isDone && onRemoved())}
        pending={words.removing}
        look="plain"
        isWide={false}
      >
        {words.removeNow}
      </ActionButton>
      <Button look="plain" onClick={() => setIsAsked(false)}>
        {words.removeNot}
      </Button>
      <FailureNotice failure={remove.failure} />
    </div>
  )
}

function Versions({ versions }: Pick<PortalSavedMappings, 'versions'>) {
  const words = later.mapping.kept
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit py-1 text-accent">{words.versions(formatNumber(versions.length))}</summary>
      <ol className="mt-2 grid gap-3">
        {versions.map(({ version, saved_at, saved_by, differences }) => (
          <li key={version}>
            <p className="font-medium">
              {words.version(formatNumber(version), formatMoment(new Date(saved_at)))}
              {saved_by !== null && ` · ${saved_by}`}
            </p>
            <DifferenceList differences={differences} />
          </li>
        ))}
      </ol>
    </details>
  )
}
