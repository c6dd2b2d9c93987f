import { useState } from 'react'
import type { PortalPeople, PortalPerson } from '../../../service/src/portal/contract.ts'
import { texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'

export interface PersonRowProps {
  person: PortalPerson
  users: PortalPeople['destination']
}

/** A choice is kept as soon as it is made. */
export function PersonRow({ person, users }: PersonRowProps) {
  const words = later.mapping.people
  const [isChoosing, setIsChoosing] = useState(false)
  const choose = useAction((userId: string | null) => send('PUT', '/people', { [person.source_user_id]: userId }))
  const match = users.find(({ user_id }) => user_id === person.destination_user_id)
  const suggested = users.find(({ user_id }) => user_id === person.suggested_user_id)
  return (
    <li className="grid items-center gap-x-6 gap-y-2 p-4 sm:grid-cols-2">
      <div className="min-w-0">
        <bdi className="block font-medium wrap-anywhere">{person.name}</bdi>
        {person.email !== null && <bdi className="block text-sm text-quiet wrap-anywhere">{person.email}</bdi>}
      </div>
      <div className="min-w-0">
        {isChoosing ? (
          <Select
            label={words.becomesOf(person.name)}
            isLabelHidden
            autoFocus
            value={person.destination_user_id ?? ''}
            onChange={({ target }) => {
              setIsChoosing(false)
              void choose.act(target.value === '' ? null : target.value)
            }}
          >
            <option value="">{words.nobody}</option>
            {users.map((user) => (
              <option key={user.user_id} value={user.user_id}>
                {user.name}
                {user.email === null ? '' : ` · ${user.email}`}
                {user.is_active ? '' : ` (${words.inactive})`}
              </option>
            ))}
          </Select>
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <p className="flex min-w-0 flex-1 items-start gap-2">
              <Icon name={match ? 'check' : 'warning'} className={`mt-0.5 ${match ? 'text-verified' : 'text-needs'}`} />
              <span className="min-w-0">
                {match && <bdi className="block wrap-anywhere">{match.name}</bdi>}
                <span className={`text-sm ${match ? 'text-quiet' : 'text-needs'}`}>
                  {match ? (person.is_chosen ? words.chosen : words.matched) : words.unmatched}
                </span>
              </span>
            </p>
            <Button look="plain" onClick={() => setIsChoosing(true)}>
              {words.change}
              <span className="sr-only">: {person.name}</span>
            </Button>
          </div>
        )}
        {!match && !isChoosing && suggested && !person.is_chosen && (
          <div className="mt-1 flex flex-wrap items-center gap-3 text-sm">
            <span className="wrap-anywhere">{words.suggestion(suggested.name)}</span>
            <ActionButton
              action={choose}
              onAct={() => void choose.act(suggested.user_id)}
              pending={words.saving}
              look="secondary"
              isWide={false}
            >
              {words.useSuggestion}
            </ActionButton>
          </div>
        )}
        <p role="status" className="text-sm text-quiet">
          {choose.isPending ? words.saving : choose.isDone ? texts.shell.saved : ''}
        </p>
        <FailureNotice failure={choose.failure} />
      </div>
    </li>
  )
}
