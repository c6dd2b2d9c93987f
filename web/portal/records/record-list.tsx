import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PortalRecord } from '../../../service/src/portal/records-contract.ts'
import { entityLabel, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { OutLink } from '../../ui/out-link.tsx'
import { Working } from '../../ui/working.tsx'
import { get } from '../ask.ts'
import { Told } from '../said.tsx'
import { useImport } from '../use-import.tsx'
import { useRunKey } from '../use-run-key.ts'
import { CorrectRecord } from './correct-record.tsx'
import { nameWords, numberOf } from './name-words.ts'

const perPage = 20

/** A collapsed list of records. It loads when it is opened. */
export function RecordList({ query, label }: { query: string; label?: string }) {
  const { showRecords, hideRecords } = later.done
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="off-paper mt-1">
      <Button look="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? hideRecords : (label ?? showRecords)}
      </Button>
      {isOpen && <OpenList query={query} />}
    </div>
  )
}

type Records = { records: PortalRecord[]; next: string | null }

/** Loads records with titles and numbers from the source. If the source does not answer, loads them without. */
export const getNamed = (path: string, signal?: AbortSignal): Promise<Records> =>
  path.includes('titles=true')
    ? get<Records>(path, signal)
    : get<Records>(`${path}&compare=true`, signal).catch(() => get<Records>(path, signal))

function OpenList({ query }: { query: string }) {
  const { data, errorUpdateCount, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['records', ...useRunKey(), query],
    queryFn: ({ signal, pageParam }) =>
      getNamed(
        `/records?${query}&limit=${perPage}${pageParam === '' ? '' : `&after=${encodeURIComponent(pageParam)}`}`,
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  if (!data) return <Working hasFailed={errorUpdateCount > 0} className="text-sm" />
  return (
    <>
      <ul className="grid gap-2">
        {data.pages
          .flatMap(({ records }) => records)
          .map((record) => (
            <RecordLine key={`${record.entity} ${record.source_id}`} record={record} />
          ))}
      </ul>
      {hasNextPage && (
        <Button look="plain" onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? texts.shell.working : texts.shell.showMore(String(perPage))}
        </Button>
      )}
    </>
  )
}

export function RecordLine({ record }: { record: PortalRecord }) {
  const { facts } = useImport()
  const { openSource, openDestination } = later.review
  const { entity, source_id, source_url, destination_url, message, gone_from_source_at } = record
  const { title = '', number = null } = record
  return (
    <li className="text-sm">
      <span className="font-medium wrap-anywhere">
        {entityLabel(entity)} <bdi>{nameWords({ title, number: numberOf({ number, source_id, title }) })}</bdi>
      </span>
      {message !== null && (
        <span dir="auto" className="block text-quiet wrap-anywhere">
          <Told text={message} />
        </span>
      )}
      <span className="flex flex-wrap gap-x-4">
        {source_url !== null && gone_from_source_at === null && (
          <OutLink href={source_url}>{openSource(facts.source)}</OutLink>
        )}
        {destination_url !== null && <OutLink href={destination_url}>{openDestination(facts.destination)}</OutLink>}
      </span>
      <CorrectRecord record={record} />
    </li>
  )
}
