import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/mapping/changes.ts'
import type { DescribedEntity } from '../../../service/src/mapping/describe-mapping.ts'
import { texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { usePlan } from '../plan/use-plan.ts'
import { useImport } from '../use-import.tsx'
import { Constants } from './constants.tsx'
import { targetOf } from './draft.ts'
import { FieldRow } from './field-row.tsx'
import { Filters } from './filters.tsx'
import { Preview } from './preview.tsx'

export interface EditorProps {
  entity: DescribedEntity
  /** With what is not saved yet. */
  changes: MappingChanges
  saved: MappingChanges
  onChange: (changes: MappingChanges) => void
}

/** Everything about one kind of record. */
export function EntityEditor(props: EditorProps) {
  const { entity, changes } = props
  const { facts } = useImport()
  const words = later.mapping
  const { data: plan } = usePlan()
  const [search, setSearch] = useState('')
  const [isOnlyLost, setIsOnlyLost] = useState(false)
  if (!entity.is_taken) return <p className="mt-6 text-quiet">{words.notTaken(facts.destination)}</p>
  const lookedAt = plan?.entities.find((one) => one.entity === entity.entity)?.looked_at ?? 0
  const wanted = search.trim().toLowerCase()
  const shown = entity.fields.filter(
    (field) =>
      `${fieldLabel(field.name, field.label)} ${field.name}`.toLowerCase().includes(wanted) &&
      (!isOnlyLost || targetOf(changes, entity, field) === null),
  )
  return (
    <>
      <div className="mt-6 flex flex-wrap items-end gap-x-6 gap-y-2">
        <TextField
          className="w-full max-w-80"
          label={words.searchFields}
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <Checkbox
          label={words.onlyLost}
          checked={isOnlyLost}
          onChange={({ target }) => setIsOnlyLost(target.checked)}
        />
      </div>
      <table className="mt-4 block w-full rounded-lg border border-line bg-card md:table">
        <thead className="sr-only md:not-sr-only md:table-header-group">
          <tr className="text-left text-sm text-quiet">
            <th scope="col" className="p-3 font-medium">
              {words.source}
            </th>
            <th scope="col" className="p-3 font-medium">
              {words.filled}
            </th>
            <th scope="col" className="p-3 font-medium">
              {words.target}
            </th>
          </tr>
        </thead>
        <tbody className="block divide-y divide-line md:table-row-group">
          {shown.map((field) => (
            <FieldRow key={field.name} field={field} lookedAt={lookedAt} {...props} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && (
        <p className="mt-3 text-quiet">{entity.fields.length === 0 ? words.noFields : texts.shell.nothingFound}</p>
      )}
      <Filters {...props} />
      <Constants {...props} />
      <Section heading={words.preview} intro={words.previewText}>
        <Preview entity={entity.entity} changes={changes} />
      </Section>
    </>
  )
}
