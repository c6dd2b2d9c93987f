import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PortalPeople } from '../../../service/src/portal/contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, Button, LinkButton } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { get } from '../ask.ts'
import { Screen } from '../shell/screen.tsx'
import { useImport } from '../use-import.tsx'
import { DefaultUser } from './default-user.tsx'
import { PersonRow } from './person-row.tsx'

const shownAtOnce = 100

/** Who of the source is who in the destination. */
export function People() {
  const { facts } = useImport()
  const words = later.mapping.people
  const [search, setSearch] = useState('')
  const [isOnlyOpen, setIsOnlyOpen] = useState(false)
  const [shown, setShown] = useState(shownAtOnce)
  const { data, isError, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['people'],
    queryFn: ({ signal, pageParam }) =>
      get<PortalPeople>(`/people${pageParam === '' ? '' : `?after=${encodeURIComponent(pageParam)}`}`, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const people = data?.pages.flatMap((page) => page.people) ?? []
  const users = data?.pages[0]?.destination ?? []
  const wanted = search.trim().toLowerCase()
  const found = people.filter(
    (person) =>
      `${person.name} ${person.email ?? ''}`.toLowerCase().includes(wanted) &&
      (!isOnlyOpen || person.destination_user_id === null),
  )
  return (
    <Screen title={words.title} intro={words.intro(facts.source, facts.destination)}>
      {!data ? (
        <p className="mt-6 text-quiet">{isError ? texts.shell.failed.unavailable : texts.shell.working}</p>
      ) : people.length === 0 ? (
        <p className="mt-6 text-quiet">{words.none}</p>
      ) : (
        <>
          <DefaultUser users={users} />
          <div className="mt-6 flex flex-wrap items-end gap-x-6 gap-y-2">
            <TextField
              className="w-full max-w-80"
              label={words.search}
              type="search"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
            <Checkbox
              label={words.onlyOpen}
              checked={isOnlyOpen}
              onChange={({ target }) => setIsOnlyOpen(target.checked)}
            />
          </div>
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-card">
            {found.slice(0, shown).map((person) => (
              <PersonRow key={person.source_user_id} person={person} users={users} />
            ))}
          </ul>
          {found.length === 0 && (
            <p className="mt-3 text-quiet">{isOnlyOpen && wanted === '' ? words.all : texts.shell.nothingFound}</p>
          )}
          {found.length > shown ? (
            <Button className="mt-3" onClick={() => setShown(shown + shownAtOnce)}>
              {texts.shell.showMore(formatNumber(Math.min(shownAtOnce, found.length - shown)))}
            </Button>
          ) : (
            hasNextPage && (
              <Button className="mt-3" onClick={() => void fetchNextPage()}>
                {isFetchingNextPage ? texts.shell.working : texts.shell.showMore('500')}
              </Button>
            )
          )}
        </>
      )}
      <Actions>
        <LinkButton to="plan">{later.mapping.back}</LinkButton>
      </Actions>
    </Screen>
  )
}
