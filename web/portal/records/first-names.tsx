import { useQuery } from '@tanstack/react-query'
import { texts } from '../../texts/index.ts'
import { Told } from '../said.tsx'
import { useRunKey } from '../use-run-key.ts'
import { nameWords, numberOf } from './name-words.ts'
import { getNamed } from './record-list.tsx'

const most = 3

/** The names of the first records of a list, each with its reason. The height stays the same while they load. */
export function FirstNames({ query, count }: { query: string; count: number }) {
  const shown = Math.min(count, most)
  const { data } = useQuery({
    queryKey: ['records', ...useRunKey(), query, 'names'],
    queryFn: ({ signal }) => getNamed(`/records?${query}&limit=${most}`, signal),
  })
  return (
    <ul className="mt-1 text-sm" style={{ minHeight: `${shown * 1.25}rem` }}>
      {data?.records.slice(0, shown).map(({ entity, source_id, title = '', number, message }) => (
        <li key={`${entity} ${source_id}`} className="truncate">
          <bdi className="font-medium">{nameWords({ title, number: numberOf({ number, source_id, title }) })}</bdi>
          {message !== null && (
            <>
              {texts.colon} <Told text={message} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
