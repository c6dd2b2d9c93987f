import { useState } from 'react'
import type { PortalPeople, PortalPerson } from '../../../service/src/portal/mapping-contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'

export interface PersonRowProps {
  person: PortalPerson
  users: PortalPeople['destination']
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

/** The person's name, or the id if the source does not list the person. */
export const nameOf = ({ name, is_listed, source_user_id }: PortalPerson) =>
  is_listed ? name : later.people.unnamed(source_user_id)

/** The value of the list's entry "Invite later". No tool has a person with this id. */
export const inviteLater = ':invite later:'

/** Converts the value of an entry to the choice that is sent. */
export const readChoice = (value: string) =>
  value === '' ? null : value === inviteLater ? { invite_later: true as const } : value

/** One person. A choice is saved at once. */
export function PersonRow({ person, users, isSelected, onSelect }: PersonRowProps) {
  const words = later.people
  const [isChoosing, setIsChoosing] = useState(false)
  const choose = useAction((value: string) => send('PUT', '/people', { [person.source_user_id]: readChoice(value) }))
  const match = users.find(({ user_id }) => user_id === person.destination_user_id)
  const suggested = users.find(({ user_id }) => user_id === person.suggested_user_id)
  const name = nameOf(person)
  const isLeftOut = !match && person.is_chosen
  const isChosen = person.is_chosen && !person.keeps_name
  const without = person.keeps_name ? words.nameKept : isLeftOut ? words.leftEmpty : words.unmatched
  const state = match ? (isChosen ? words.chosen : words.matched) : without
  const { named_in: namedIn } = person
  return (
    <li className="grid items-center gap-x-6 gap-y-2 p-4 sm:grid-cols-2">
      <div className="flex min-w-0 gap-2">
        <Checkbox
          label={words.select(name)}
          isLabelHidden
          checked={isSelected}
          onChange={({ target }) => onSelect(target.checked)}
        />
        <div className="min-w-0">
          <bdi className="block font-medium wrap-anywhere">{name}</bdi>
          {person.email !== null && <bdi className="block text-sm text-quiet wrap-anywhere">{person.email}</bdi>}
          <span className="block text-sm text-quiet tabular-nums">
            {namedIn === 0 ? words.namedInNone : words.namedIn(formatNumber(namedIn), namedIn === 1)}
            {!person.is_listed && ` · ${words.unlisted}`}
          </span>
        </div>
      </div>
      <div className="min-w-0">
        {isChoosing ? (
          <UserSelect
            label={words.becomesOf(name)}
            users={users}
            value={person.destination_user_id ?? (person.keeps_name ? inviteLater : '')}
            canInvite={person.is_listed}
            onChoose={(value) => {
              setIsChoosing(false)
              void choose.act(value)
            }}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <p className="flex min-w-0 flex-1 items-start gap-2">
              <Icon
                name={match ? 'check' : isLeftOut ? 'note' : 'warning'}
                className={`mt-0.5 ${match ? 'text-verified' : isLeftOut ? 'text-quiet' : 'text-needs'}`}
              />
              <span className="min-w-0">
                {match && <bdi className="block wrap-anywhere">{match.name}</bdi>}
                <span className={`text-sm ${match || isLeftOut ? 'text-quiet' : 'text-needs'}`}>{state}</span>
              </span>
            </p>
            <Button look="plain" onClick={() => setIsChoosing(true)}>
              {words.change}
              <span className="sr-only">: {name}</span>
            </Button>
          </div>
        )}
        {!match && !isChoosing && suggested && (!person.is_chosen || person.keeps_name) && (
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
              <span className="sr-only">: {name}</span>
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

interface UserSelectProps {
  label: string
  users: PortalPeople['destination']
  value: string
  canInvite: boolean
  onChoose: (value: string) => void
}

function UserSelect({ label, users, value, canInvite, onChoose }: UserSelectProps) {
  return (
    <Select label={label} isLabelHidden autoFocus value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{later.people.nobody}</option>
      {canInvite && <option value={inviteLater}>{later.people.inviteLater}</option>}
      <UserOptions users={users} />
    </Select>
  )
}

export function UserOptions({ users }: Pick<UserSelectProps, 'users'>) {
  return users.map((user) => (
    <option key={user.user_id} value={user.user_id}>
      {user.name}
      {user.email === null ? '' : ` · ${user.email}`}
      {user.is_active ? '' : ` (${later.people.inactive})`}
    </option>
  ))
}
