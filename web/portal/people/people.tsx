import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PortalPeople, PortalPerson } from '../../../service/src/portal/mapping-contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Working } from '../../ui/working.tsx'
import { get } from '../ask.ts'
import { Screen } from '../shell/screen.tsx'
import { useImport } from '../use-import.tsx'
import { ApplyChoices } from './apply-choices.tsx'
import { ChooseMany } from './choose-many.tsx'
import { DefaultUser } from './default-user.tsx'
import { nameOf, PersonRow } from './person-row.tsx'

const shownAtOnce = 100

/** People of the source and their matches in the destination. */
export function People() {
  const { facts } = useImport()
  const words = later.people
  const [search, setSearch] = useState('')
  const [isOnlyOpen, setIsOnlyOpen] = useState(false)
  const [shown, setShown] = useState(shownAtOnce)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { data, errorUpdateCount, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
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
      `${nameOf(person)} ${person.email ?? ''}`.toLowerCase().includes(wanted) &&
      (!isOnlyOpen || person.destination_user_id === null),
  )
  const visible = found.slice(0, shown)
  const isOpen = ({ destination_user_id, is_chosen }: PortalPerson) => destination_user_id === null && !is_chosen
  const open = people.filter(isOpen).length
  const invited = people.filter(({ destination_user_id, keeps_name }) => destination_user_id === null && keeps_name)
  const select = (id: string, isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...selected, id] : [...selected].filter((one) => one !== id)))
  return (
    <Screen title={words.title} intro={words.intro(facts.source, facts.destination)}>
      {!data ? (
        <Working hasFailed={errorUpdateCount > 0} />
      ) : people.length === 0 ? (
        <p className="mt-6 text-quiet">{words.none}</p>
      ) : (
        <>
          {open > 0 && <Notice tone="needs">{words.open(formatNumber(open), facts.destination, open === 1)}</Notice>}
          {invited.length > 0 && (
            <Notice>{words.toInvite(formatNumber(invited.length), facts.destination, invited.length === 1)}</Notice>
          )}
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
          <ChooseMany
            open={visible.filter(isOpen)}
            unnamed={new Set(people.flatMap(({ is_listed, source_user_id }) => (is_listed ? [] : source_user_id)))}
            selected={selected}
            users={users}
            onSelect={(ids) => setSelected(new Set(ids))}
          />
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-card">
            {visible.map((person) => (
              <PersonRow
                key={person.source_user_id}
                person={person}
                users={users}
                isSelected={selected.has(person.source_user_id)}
                onSelect={(isSelected) => select(person.source_user_id, isSelected)}
              />
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
      <div data-comes-last>
        <ApplyChoices />
      </div>
    </Screen>
  )
}
