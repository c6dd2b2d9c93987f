import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { PortalCorrectable, PortalRecord } from '../../../service/src/portal/records-contract.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Working } from '../../ui/working.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { ValueInput } from './value-input.tsx'

/** Problems that the customer can solve with another value. */
const mendable = ['value_unreadable', 'required_empty', 'value_does_not_fit', 'option_not_offered', 'text_cut']
const settled = ['sample_migration_completed', 'in_preparation', 'migration_completed']

export const placeOf = ({ entity, source_id }: Pick<PortalRecord, 'entity' | 'source_id'>) =>
  `/corrections/${encodeURIComponent(entity)}/${encodeURIComponent(source_id)}`

/** Lets the customer type a value that replaces the refused or unreadable one. */
export function CorrectRecord({ record }: { record: PortalRecord }) {
  const { imp } = useImport()
  const [isOpen, setIsOpen] = useState(false)
  const isMendable =
    record.state === 'refused' ||
    (record.state === 'written' && record.warned?.some((code) => mendable.includes(code)) === true)
  if (!isMendable || !settled.includes(imp.status_code)) return null
  return (
    <div>
      <Button look="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {later.done.correct.open}
      </Button>
      {isOpen && <CorrectionForm record={record} />}
    </div>
  )
}

function CorrectionForm({ record }: { record: PortalRecord }) {
  const { data, errorUpdateCount } = useQuery({
    queryKey: ['corrections', record.entity, record.source_id],
    queryFn: ({ signal }) => get<{ fields: PortalCorrectable[] }>(placeOf(record), signal),
  })
  const [first] = data?.fields ?? []
  if (!data || !first) return <Working hasFailed={errorUpdateCount > 0} className="text-sm" />
  return <FieldForm key={first.name} record={record} fields={data.fields} />
}

function FieldForm({ record, fields }: { record: PortalRecord; fields: PortalCorrectable[] }) {
  const { imp, facts } = useImport()
  const words = later.done.correct
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [typed, setTyped] = useState<string | null>(null)
  const field = fields.find((one) => one.name === name)
  const save = useAction((value: string | null) => send('PUT', placeOf(record), { fields: { [name]: value } }))
  const retry = useAction(() => send('POST', '/runs', { kind: 'retry' }))
  const value = typed ?? field?.correction ?? field?.value ?? ''
  const corrected = fields.filter(({ correction }) => correction !== null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.act(value).then((isDone) => isDone && setTyped(null))
  }
  if (!field) return null
  return (
    <form onSubmit={submit} className="mt-1 rounded-lg border border-line p-3">
      <p className="text-sm text-pretty text-quiet">{words.intro(facts.source, facts.destination)}</p>
      <div className="mt-2 flex flex-wrap items-start gap-3">
        <Select
          label={words.field}
          className="flex-1 basis-40"
          value={name}
          onChange={({ target }) => {
            setName(target.value)
            setTyped(null)
          }}
        >
          {fields.map((one) => (
            <option key={one.name} value={one.name}>
              {fieldLabel(one.name, one.label)}
            </option>
          ))}
        </Select>
        <ValueInput label={words.value} type={field.type} options={field.options} value={value} onChange={setTyped} />
      </div>
      <FailureNotice failure={save.failure ?? retry.failure} />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit" isWide={false} aria-disabled={save.isPending}>
          {save.isPending ? words.saving : words.save}
        </Button>
        {field.correction !== null && (
          <ActionButton
            look="plain"
            isWide={false}
            action={save}
            pending={words.saving}
            onAct={() => void save.act(null).then(() => setTyped(null))}
          >
            {words.takeBack}
          </ActionButton>
        )}
      </div>
      <div aria-live="polite">
        {corrected.length > 0 && (
          <div className="mt-3 border-t border-line pt-3 text-sm">
            {corrected.map((one) => (
              <p key={one.name} className="wrap-anywhere">
                {words.saved(fieldLabel(one.name, one.label), one.correction ?? '')}
              </p>
            ))}
            <p className="mt-1 text-quiet">{words.usedNext}</p>
            {imp.status_code === 'migration_completed' && (
              <div className="mt-2">
                <ActionButton
                  action={retry}
                  onAct={() => void retry.act()}
                  pending={later.done.retrying}
                  isWide={false}
                >
                  {words.retryNow}
                </ActionButton>
              </div>
            )}
          </div>
        )}
      </div>
    </form>
  )
}
