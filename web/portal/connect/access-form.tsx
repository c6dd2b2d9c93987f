import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { PortalAccess, PortalCredential } from '../../../service/src/portal/contract.ts'
import { texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { Working } from '../../ui/working.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { get, type Refusal, send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import type { AccountCardProps } from './account-card.tsx'
import { CredentialField } from './credential-field.tsx'
import { OtherAccount } from './other-account.tsx'

type Fault = 'blank' | 'mismatch'
type Sent = Record<string, string | true>

/** The form for the tool's credentials, with hints on where to find them. */
export function AccessForm({ side, account, onDone }: AccountCardProps & { onDone: () => void }) {
  const { submit, checking, refused, refusedMeaning } = texts.connect
  const { data, isError } = useQuery({
    queryKey: ['access', side],
    queryFn: ({ signal }) => get<PortalAccess>(`/accounts/${side}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [faults, setFaults] = useState<Record<string, Fault>>({})
  const action = useAction((values: Sent) => send('PUT', `/accounts/${side}`, values))
  if (!data) {
    // The placeholder is about as high as the form, so that the page does not jump when the form appears.
    return (
      <div style={{ minHeight: `${account.asks.length * 6.5 + 4}rem` }}>
        <Working hasFailed={isError} />
      </div>
    )
  }
  const { fields } = data
  const textOf = ({ name, value }: PortalCredential) => typed[name] ?? value ?? ''

  const connect = async (event: FormEvent | null) => {
    event?.preventDefault()
    const found = fields.flatMap((field) => {
      const fault = faultOf(field, textOf(field).trim())
      return fault === null ? [] : [[field.name, fault] as const]
    })
    setFaults(Object.fromEntries(found))
    if (found.length > 0) return
    const values = Object.fromEntries(fields.map((field) => [field.name, textOf(field)]))
    if (await action.act({ ...values, ...(event === null && { same_account: true }) })) onDone()
  }
  const { failure } = action
  const isOther = fieldMessages(failure, 'other_account') !== null
  const isFieldOnly = fields.some(({ name }) => fieldMessages(failure, name) !== null)
  const address = fields.find(({ name }) => name === 'instance_url')

  return (
    <form noValidate onSubmit={(event) => void connect(event)} className="mt-3">
      {fields.map((field) => (
        <CredentialField
          key={field.name}
          field={field}
          tool={account.label}
          address={address ? textOf(address).trim() : null}
          value={textOf(field)}
          fault={faults[field.name] ?? (fieldMessages(failure, field.name) && 'refused')}
          onChange={(text) => {
            setTyped({ ...typed, [field.name]: text })
            const { [field.name]: _, ...others } = faults
            setFaults(others)
          }}
        />
      ))}
      {isOther && <OtherAccount onSame={fieldMessages(failure, 'same_account') ? () => void connect(null) : null} />}
      {!isFieldOnly && !isOther && <FailureNotice failure={failure} heading={refused} />}
      {failure?.kind === 'refused' && !isOther && <p className="mt-2 text-sm text-quiet">{refusedMeaning}</p>}
      <Button look="primary" type="submit" className="mt-5" aria-disabled={action.isPending}>
        {action.isPending ? checking : submit}
      </Button>
    </form>
  )
}

/** The service checks the same pattern. */
function faultOf({ pattern, is_optional: isOptional }: PortalCredential, text: string): Fault | null {
  if (text === '') return isOptional ? null : 'blank'
  return pattern !== null && !new RegExp(`^(?:${pattern})$`, 'su').test(text) ? 'mismatch' : null
}

function fieldMessages(failure: Refusal | null, field: string): string[] | null {
  return failure?.kind === 'refused' ? (failure.fields[field] ?? null) : null
}
