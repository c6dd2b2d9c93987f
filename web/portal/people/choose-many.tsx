import { useState } from 'react'
import type { PortalPeople, PortalPerson } from '../../../service/src/portal/mapping-contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { inviteLater, readChoice, UserOptions } from './person-row.tsx'

export interface ChooseManyProps {
  /** The listed people without a match. */
  open: PortalPerson[]
  /** People without a name in the source. */
  unnamed: ReadonlySet<string>
  selected: ReadonlySet<string>
  users: PortalPeople['destination']
  onSelect: (ids: string[]) => void
}

/** At most this many choices fit into one request. */
const mostAtOnce = 500

/** Makes one choice for several people, or accepts all suggestions at once. */
export function ChooseMany({ open, unnamed, selected, users, onSelect }: ChooseManyProps) {
  const words = later.people
  const [userId, setUserId] = useState('')
  const choose = useAction((choices: Record<string, unknown>) => send('PUT', '/people', choices))
  const suggested = open
    .filter(({ suggested_user_id, is_chosen }) => suggested_user_id !== null && !is_chosen)
    .slice(0, mostAtOnce)
  const named = open.filter(({ is_listed }) => is_listed).slice(0, mostAtOnce)
  const canInvite = [...selected].every((id) => !unnamed.has(id))
  const unselected = open.filter(({ source_user_id }) => !selected.has(source_user_id))
  const chooseForAll = async () => {
    const ids = [...selected].slice(0, mostAtOnce)
    const choice = readChoice(userId)
    if (await choose.act(Object.fromEntries(ids.map((id) => [id, choice])))) onSelect([...selected].slice(mostAtOnce))
  }
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {unselected.length > 1 && (
          <Button look="plain" onClick={() => onSelect(open.map(({ source_user_id }) => source_user_id))}>
            {words.selectAll(formatNumber(open.length))}
          </Button>
        )}
        {suggested.length > 1 && (
          <ActionButton
            action={choose}
            onAct={() =>
              void choose.act(Object.fromEntries(suggested.map((one) => [one.source_user_id, one.suggested_user_id])))
            }
            pending={words.saving}
            look="secondary"
            isWide={false}
          >
            {words.acceptAll(formatNumber(suggested.length))}
          </ActionButton>
        )}
        {named.length > 0 && (
          <ActionButton
            action={choose}
            onAct={() =>
              void choose.act(Object.fromEntries(named.map((one) => [one.source_user_id, readChoice(inviteLater)])))
            }
            pending={words.saving}
            look="secondary"
            isWide={false}
          >
            {words.inviteAll(formatNumber(named.length), named.length === 1)}
          </ActionButton>
        )}
      </div>
      {selected.size > 0 && (
        <div className="mt-2 flex flex-wrap items-end gap-3 rounded-lg border border-line bg-card p-4">
          <Select
            className="w-full max-w-100"
            label={words.forSelected(formatNumber(selected.size), selected.size === 1)}
            value={userId}
            onChange={({ target }) => setUserId(target.value)}
          >
            <option value="">{words.nobody}</option>
            {canInvite && <option value={inviteLater}>{words.inviteLater}</option>}
            <UserOptions users={users} />
          </Select>
          <ActionButton action={choose} onAct={() => void chooseForAll()} pending={words.saving} isWide={false}>
            {words.apply}
          </ActionButton>
        </div>
      )}
      <p role="status" className="mt-1 text-sm text-quiet">
        {choose.isPending ? words.saving : choose.isDone ? texts.shell.saved : ''}
      </p>
      <FailureNotice failure={choose.failure} />
    </div>
  )
}
