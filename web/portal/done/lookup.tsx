import { type FormEvent, useState } from 'react'
import type { PortalFound } from '../../../service/src/portal/records-contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { OutLink } from '../../ui/out-link.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { get } from '../ask.ts'
import { nameWords } from '../records/name-words.ts'
import { useAction } from '../use-action.ts'

interface Found extends PortalFound {
  id: string
}

/** Finds records by number, title, old id or new id. */
export function Lookup() {
  const words = later.done
  const [id, setId] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const find = useAction(async () => {
    const wanted = id.trim()
    setFound({ id: wanted, ...(await get<PortalFound>(`/find?q=${encodeURIComponent(wanted)}`)) })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (id.trim() !== '') void find.act()
  }
  return (
    <Section heading={words.lookup} intro={words.lookupText}>
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-3">
        <TextField
          className="min-w-0 flex-1 basis-40"
          label={words.lookupLabel}
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
        <Button type="submit">{find.isPending ? words.lookupFinding : words.lookupFind}</Button>
      </form>
      <FailureNotice failure={find.failure} />
      <div aria-live="polite">
        {found && found.records.length === 0 && <p className="mt-3 wrap-anywhere">{words.lookupNone(found.id)}</p>}
        {found && !found.is_whole && (
          <p className="mt-2 text-sm text-pretty text-quiet">{words.lookupPart(formatNumber(found.looked_at))}</p>
        )}
        {found && found.records.length > 0 && (
          <ul className="mt-3 grid gap-2">
            {found.records.map((record) => (
              <li key={`${record.entity} ${record.source_id}`}>
                <span className="font-medium wrap-anywhere">
                  {entityLabel(record.entity)}{' '}
                  <bdi>{nameWords({ title: record.title ?? '', number: record.number ?? null })}</bdi>
                </span>{' '}
                <span className="inline-flex max-w-full flex-wrap items-center gap-2">
                  <Place url={record.source_url} id={record.source_id} />
                  <Icon name="arrow" className="size-4 text-quiet" />
                  {record.destination_id === null ? (
                    <span className="text-quiet">{words.states[outcomeName(record.state)]}</span>
                  ) : (
                    <Place url={record.destination_url} id={record.destination_id} />
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

function Place({ url, id }: { url: string | null; id: string }) {
  return url === null ? <bdi className="wrap-anywhere">{id}</bdi> : <OutLink href={url}>{id}</OutLink>
}

function outcomeName(state: string): keyof typeof later.done.states {
  return state in later.done.states ? (state as keyof typeof later.done.states) : 'unknown'
}
