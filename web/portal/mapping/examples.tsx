import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { DescribedEntity } from '../../../service/src/mapping/describe-mapping.ts'
import type { PortalExamples } from '../../../service/src/portal/mapping-contract.ts'
import type { PortalRecordView } from '../../../service/src/portal/records-contract.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { nameWords } from '../records/name-words.ts'
import { ShowValue } from '../records/show-value.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

export interface ExamplesProps {
  entity: DescribedEntity
  changes: MappingChanges
  examples: UseQueryResult<PortalExamples>
  /** Set if the draft has errors: then it cannot be saved or previewed. */
  isHeld: boolean
}

/** Shows how real records would arrive with the mapping on the screen. Nothing is written. */
export function Examples({ entity, changes, examples, isHeld }: ExamplesProps) {
  const words = later.mapping
  const { data, error, isFetching } = examples
  const [sought, setSought] = useState('')
  const [found, setFound] = useState<PortalRecordView | null>(null)
  const look = useAction(async () => {
    const body = { entity: entity.entity, changes, source_id: sought.trim() }
    setFound(await send<PortalRecordView>('POST', '/mapping/preview', body))
  })
  return (
    <aside className="min-w-0 xl:sticky xl:top-4 xl:max-h-[calc(100vh-8rem)] xl:overflow-y-auto xl:[&>section]:mt-6">
      <Section heading={words.preview} intro={words.previewText}>
        <p role="status" className="mt-1 min-h-5 text-sm text-quiet">
          {isHeld ? words.previewHeld : isFetching ? words.previewing : error ? words.previewFailed : ''}
        </p>
        {data?.records.length === 0 && <p className="mt-2 text-quiet">{words.previewNone}</p>}
        {data?.records.map((record, index) => (
          <Example
            key={record.source_id}
            view={record}
            name={nameOfRecord(record)}
            entity={entity}
            isOpen={index === 0}
          />
        ))}
        {found && <Example view={found} name={nameOfRecord(found)} entity={entity} isOpen />}
        <div className="mt-4 grid gap-3">
          <TextField label={words.previewId} value={sought} onChange={({ target }) => setSought(target.value)} />
          <ActionButton
            action={look}
            onAct={() => sought.trim() !== '' && void look.act()}
            pending={words.previewing}
            look="secondary"
          >
            {words.previewShow}
          </ActionButton>
          <FailureNotice failure={look.failure} />
        </div>
      </Section>
    </aside>
  )
}

/** Names a record by the number or title that people see, not by our id. */
const nameOfRecord = ({ number, title, source_id }: PortalRecordView) =>
  [number === null ? '' : `#${number}`, title || source_id].filter((part) => part !== '').join(' ')

interface ExampleProps {
  view: PortalRecordView
  name: string
  entity: DescribedEntity
  isOpen: boolean
}

function Example({ view, name, entity, isOpen }: ExampleProps) {
  const { facts } = useImport()
  const words = later.mapping
  const source = { ...view.source.fields, ...named(view.source.custom_fields) }
  const mapped = { ...view.mapped?.fields, ...named(view.mapped?.custom_fields ?? {}) }
  const labelOf = (target: string) => fieldLabel(target, labelIn(entity, target))
  const left = entity.fields.filter((field) => field.to === null && isFilled(source[field.name]))
  return (
    <details className="mt-3 rounded-lg border border-line bg-card p-3 text-sm" {...(isOpen && { open: true })}>
      <summary className="font-medium wrap-anywhere">
        <bdi>{name}</bdi>
      </summary>
      {view.mapped === null && <p className="mt-2 text-quiet">{later.review.notMapped}</p>}
      <dl className="mt-2 grid gap-2">
        {Object.entries(mapped)
          .filter(([, value]) => isFilled(value))
          .map(([target, value]) => (
            <div key={target} className="min-w-0">
              <dt className="text-quiet wrap-anywhere">{labelOf(target)}</dt>
              <dd>
                <ShowValue value={value} isHtml={view.html_fields.includes(target)} instead={namesOf(view, target)} />
              </dd>
            </div>
          ))}
      </dl>
      {left.length > 0 && (
        <p className="mt-3 text-quiet wrap-anywhere">
          {words.notInDestination(
            facts.destination,
            left.map((field) => fieldLabel(field.name, field.label)),
          )}
        </p>
      )}
    </details>
  )
}

/** The names of people and records in a field. */
function namesOf({ compared }: PortalRecordView, target: string): string | null {
  const field = compared.find(({ to }) => to === target)
  const names = field?.stored.names ?? field?.source.names
  return names?.map((one) => nameWords(one)).join(', ') || null
}

const named = (custom: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(custom).map(([key, value]) => [`custom:${key}`, value]))

function labelIn(entity: DescribedEntity, target: string): string {
  const found = entity.targets.find(({ name }) => name === target) ?? entity.fields.find(({ name }) => name === target)
  return found?.label ?? target
}

const isFilled = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
