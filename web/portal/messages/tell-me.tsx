import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { PortalContact } from '../../../service/src/portal/contract.ts'
import { inSentence, language } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { useAction } from '../use-action.ts'

/** The customer's address for a mail at the end. It can be added, changed and removed. */
export function TellMe() {
  const { heading, headingUnsent, text, textUnsent } = later.messages.tellMe
  const [isChanging, setIsChanging] = useState(false)
  const { data, isError } = useQuery({
    queryKey: ['contact'],
    queryFn: ({ signal }) => get<PortalContact>('/contact', signal),
  })
  if (!data) return <span hidden data-working={isError ? undefined : true} />
  if (!data.is_sent) {
    return (
      <div className="off-paper">
        <Section heading={headingUnsent} intro={textUnsent} />
      </div>
    )
  }
  return (
    <div className="off-paper">
      <Section heading={heading} intro={text}>
        {data.address !== null && !isChanging ? (
          <Told address={data.address} onChange={() => setIsChanging(true)} />
        ) : (
          <AddressForm contact={data} onDone={() => setIsChanging(false)} />
        )}
      </Section>
    </div>
  )
}

interface ToldProps {
  address: string
  onChange: () => void
}

function Told({ address, onChange }: ToldProps) {
  const { told, change, remove, removing } = later.messages.tellMe
  const action = useAction(() => send('PUT', '/contact', { address: null }))
  return (
    <>
      <p className="mt-3 wrap-anywhere">{told(inSentence(address))}</p>
      <div className="flex flex-wrap gap-x-5">
        <Button look="plain" onClick={onChange}>
          {change}
        </Button>
        <ActionButton action={action} onAct={() => void action.act()} pending={removing} look="plain">
          {remove}
        </ActionButton>
      </div>
      <FailureNotice failure={action.failure} />
    </>
  )
}

function AddressForm({ contact, onDone }: { contact: PortalContact; onDone: () => void }) {
  const { label, invalid, submit, submitting, keep } = later.messages.tellMe
  const [typed, setTyped] = useState<string | null>(null)
  const [isEmpty, setIsEmpty] = useState(false)
  const action = useAction((address: string) => send('PUT', '/contact', { address, language }))
  const value = typed ?? contact.address ?? contact.suggested ?? ''
  const isRefused = action.failure?.kind === 'refused'
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setIsEmpty(value.trim() === '')
    if (value.trim() !== '' && (await action.act(value.trim()))) onDone()
  }
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="mt-3">
      <TextField
        className="max-w-110"
        label={label}
        error={isEmpty || isRefused ? invalid : null}
        type="email"
        autoComplete="email"
        value={value}
        onChange={({ target }) => {
          setTyped(target.value)
          setIsEmpty(false)
          action.reset()
        }}
      />
      {!isRefused && <FailureNotice failure={action.failure} />}
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button type="submit" aria-disabled={action.isPending}>
          {action.isPending ? submitting : submit}
        </Button>
        {contact.address !== null && (
          <Button look="plain" onClick={onDone}>
            {keep}
          </Button>
        )}
      </div>
    </form>
  )
}
