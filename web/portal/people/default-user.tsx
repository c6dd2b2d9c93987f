import { useQuery } from '@tanstack/react-query'
import type { PortalMapping, PortalPeople } from '../../../service/src/portal/mapping-contract.ts'
import { texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Select } from '../../ui/field.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { useChoices } from '../use-action.ts'

/** The person who replaces all people without an account in the destination. */
export function DefaultUser({ users }: { users: PortalPeople['destination'] }) {
  const words = later.people
  const { data } = useQuery({
    queryKey: ['mapping'],
    queryFn: ({ signal }) => get<PortalMapping>('/mapping', signal),
  })
  const chosen = useChoices(async (userId: string) => {
    const { version, changes } = await get<PortalMapping>('/mapping')
    const { default_user: _, ...others } = changes
    return send('PUT', '/mapping', {
      version,
      changes: userId === '' ? others : { ...others, default_user: userId },
    })
  })
  return (
    <div className="mt-6 max-w-120">
      <Select
        label={words.defaultUser}
        value={chosen.waiting.at(-1)?.[0] ?? data?.changes.default_user ?? ''}
        onChange={({ target }) => void chosen.choose(target.value)}
      >
        <option value="">{words.nobody}</option>
        {users
          .filter(({ is_active }) => is_active)
          .map((user) => (
            <option key={user.user_id} value={user.user_id}>
              {user.name}
              {user.email === null ? '' : ` · ${user.email}`}
            </option>
          ))}
      </Select>
      <p role="status" className="mt-1 text-sm text-quiet">
        {chosen.waiting.length > 0 ? words.saving : chosen.isDone ? texts.shell.saved : ''}
      </p>
      <FailureNotice failure={chosen.failure} />
    </div>
  )
}
