import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AccountField, PortalAccess } from '../../../service/src/portal/contract.ts'
import { known, texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { get, type Refusal, send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import type { AccountCardProps } from './account-card.tsx'
import { OtherAccount } from './other-account.tsx'

type Values = Partial<Record<AccountField, string>>
type Sent = Values & { same_account?: true }

/** What the tool asks for, in its own words, and where to find it. */
export function AccessForm({ side, account, onDone }: AccountCardProps & { onDone: () => void }) {
  const { labels, hints, tools, submit, checking, refused, refusedMeaning, blank, notAllowed, show, hide } =
    texts.connect
  const help = known(tools, account.tool) ?? {}
  const { data: before } = useQuery({
    queryKey: ['access', side],
    queryFn: ({ signal }) => get<PortalAccess>(`/accounts/${side}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [typed, setTyped] = useState<Values>({})
  const [isShown, setIsShown] = useState(false)
  const [missing, setMissing] = useState<AccountField[]>([])
  const action = useAction((values: Sent) => send('PUT', `/accounts/${side}`, values))
  const fields = account.asks.filter((field): field is 'instance_url' | 'username' | 'token' => field !== 'upload')
  const textOf = (field: (typeof fields)[number]) => typed[field] ?? (field === 'token' ? '' : (before?.[field] ?? ''))

  const connect = async (event: FormEvent | null) => {
    event?.preventDefault()
    const empty = fields.filter((field) => textOf(field).trim() === '')
    setMissing(empty)
    if (empty.length > 0) return
    const values = Object.fromEntries(fields.map((field) => [field, textOf(field)]))
    if (await action.act({ ...values, ...(event === null && { same_account: true }) })) onDone()
  }
  const errorOf = (field: AccountField) => {
    if (missing.includes(field)) return blank
    return field === 'instance_url' && fieldMessages(action.failure, 'instance_url') ? notAllowed : null
  }
  const isOther = fieldMessages(action.failure, 'other_account') !== null
  const isAddressOnly = fieldMessages(action.failure, 'instance_url') !== null

  return (
    <form noValidate onSubmit={(event) => void connect(event)} className="mt-3">
      {fields.map((field) => (
        <TextField
          key={field}
          className="mt-4"
          label={field === 'token' ? (help.tokenLabel ?? labels.token) : labels[field]}
          hint={help[field] ?? hints[field]}
          error={errorOf(field)}
          type={field === 'token' && !isShown ? 'password' : field === 'instance_url' ? 'url' : 'text'}
          // Keys of other tools are nothing for the browser's password manager to fill in.
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={textOf(field)}
          onChange={({ target }) => {
            setTyped({ ...typed, [field]: target.value })
            setMissing(missing.filter((one) => one !== field))
          }}
          aside={
            field === 'token' && (
              <Button isWide={false} className="shrink-0" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
                {isShown ? hide : show}
              </Button>
            )
          }
        />
      ))}
      {isOther && (
        <OtherAccount onSame={fieldMessages(action.failure, 'same_account') ? () => void connect(null) : null} />
      )}
      {!isAddressOnly && !isOther && <FailureNotice failure={action.failure} heading={refused} />}
      {action.failure?.kind === 'refused' && !isOther && <p className="mt-2 text-sm text-quiet">{refusedMeaning}</p>}
      <Button look="primary" type="submit" className="mt-5" aria-disabled={action.isPending}>
        {action.isPending ? checking : submit}
      </Button>
    </form>
  )
}

function fieldMessages(failure: Refusal | null, field: string): string[] | null {
  return failure?.kind === 'refused' ? (failure.fields[field] ?? null) : null
}
