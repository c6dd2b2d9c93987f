import { useState } from 'react'
import type { PortalPeople, PortalPerson } from '../../../service/src/portal/contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { UserOptions } from './person-row.tsx'

export interface ChooseManyProps {
  /** People without a match that are shown. */
  open: PortalPerson[]
  selected: ReadonlySet<string>
  users: PortalPeople['destination']
  onSelect: (ids: string[]) => void
}

/** At most this many choices fit into one request. */
const mostAtOnce = 500

/** One choice for several people, and all suggestions at once. */
export function ChooseMany({ open, selected, users, onSelect }: ChooseManyProps) {
  const words = later.people
  const [userId, setUserId] = useState('')
  const choose = useAction((choices: Record<string, string | null>) => send('PUT', '/people', choices))
  const suggested = open
    .filter(({ suggested_user_id, is_chosen }) => suggested_user_id !== null && !is_chosen)
    .slice(0, mostAtOnce)
  const unselected = open.filter(({ source_user_id }) => !selected.has(source_user_id))
  const chooseForAll = async () => {
    const ids = [...selected].slice(0, mostAtOnce)
    const choice = userId === '' ? null : userId
    if (await choose.act(Object.fromEntries(ids.map((id) => [id, choice])))) onSelect([])
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
