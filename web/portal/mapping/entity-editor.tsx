import { useRef, useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { DescribedEntity } from '../../../service/src/mapping/describe-mapping.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { usePlan } from '../plan/use-plan.ts'
import { useImport } from '../use-import.tsx'
import { CombinedTexts } from './combined-texts.tsx'
import { Constants } from './constants.tsx'
import { acceptAll, changeEntity } from './draft.ts'
import { Examples } from './examples.tsx'
import { FieldRow } from './field-row.tsx'
import { Filters } from './filters.tsx'
import { useExamples } from './use-examples.ts'

export interface EditorProps {
  /** The entity as the service describes it, including unsaved changes. */
  entity: DescribedEntity
  changes: MappingChanges
  /** The changes without incomplete steps. */
  finished: MappingChanges
  /** Errors that prevent saving, by path. */
  problems: Record<string, string[]>
  onChange: (changes: MappingChanges) => void
}

/** The editor for one kind of record. */
export function EntityEditor({ sought, ...props }: EditorProps & { sought: string | undefined }) {
  const { entity, changes, finished, problems, onChange } = props
  const { facts } = useImport()
  const words = later.mapping
  const { data: plan } = usePlan()
  // A link in the plan opens the screen with the field that it names.
  const first = entity.fields.find(({ name }) => name === sought)
  const [search, setSearch] = useState(first ? fieldLabel(first.name, first.label) : '')
  const [isOnlyUndecided, setIsOnlyUndecided] = useState(false)
  /** A row stays listed after its decision until the filter changes, so that rows do not move under the mouse. */
  const [listed, setListed] = useState<string[]>([])
  const tools = useRef<HTMLDivElement>(null)
  const examples = useExamples(entity.entity, finished, entity.is_taken && Object.keys(problems).length === 0)
  if (!entity.is_taken) return <p className="mt-6 text-quiet">{words.notTaken(facts.destination)}</p>
  const lookedAt = plan?.entities.find((one) => one.entity === entity.entity)?.looked_at ?? 0
  const wanted = search.trim().toLowerCase()
  const undecided = entity.fields.filter(({ status }) => status === 'undecided')
  const shown = entity.fields.filter(
    (field) =>
      `${fieldLabel(field.name, field.label)} ${field.name}`.toLowerCase().includes(wanted) &&
      (!isOnlyUndecided || field.status === 'undecided' || listed.includes(field.name)),
  )
  const filter = (isOn: boolean) => {
    setIsOnlyUndecided(isOn)
    setListed(undecided.map(({ name }) => name))
  }
  const { fields, combined, constants } = changes.entities?.[entity.entity] ?? {}
  const hasChanges = fields !== undefined || combined !== undefined || constants !== undefined
  // The pressed button disappears, so the focus moves to the element beside it.
  const act = (next: MappingChanges) => {
    onChange(next)
    tools.current?.focus()
  }
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_22rem] xl:items-start xl:gap-8">
      <div className="min-w-0">
        <div className="mt-6 flex flex-wrap items-end gap-x-6 gap-y-3">
          <TextField
            className="w-full max-w-80"
            label={words.searchFields}
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <Checkbox
            label={words.onlyUndecided(formatNumber(undecided.length))}
            checked={isOnlyUndecided}
            onChange={({ target }) => filter(target.checked)}
          />
        </div>
        <div ref={tools} tabIndex={-1} className="mt-3 flex flex-wrap gap-x-6 outline-none">
          {undecided.length > 0 && (
            <Button look="plain" onClick={() => act(acceptAll(changes, entity))}>
              {words.acceptAll(formatNumber(undecided.length))}
            </Button>
          )}
          {hasChanges && (
            <Button
              look="plain"
              onClick={() =>
                act(
                  changeEntity(changes, entity.entity, {
                    fields: undefined,
                    combined: undefined,
                    constants: undefined,
                  }),
                )
              }
            >
              {words.reset}
            </Button>
          )}
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
              <FieldRow
                key={field.name}
                field={field}
                lookedAt={lookedAt}
                samples={examples.data?.samples[field.name] ?? []}
                {...props}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p className="mt-3 text-quiet">{emptyWords()}</p>}
        <CombinedTexts {...props} />
        <Constants {...props} />
        <Filters {...props} />
      </div>
      <Examples entity={entity} changes={finished} examples={examples} isHeld={Object.keys(problems).length > 0} />
    </div>
  )

  function emptyWords(): string {
    if (entity.fields.length === 0) return words.noFields
    return isOnlyUndecided && wanted === '' ? words.allDecided : texts.shell.nothingFound
  }
}
