import { type FormEvent, useState } from 'react'
import { texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { readAddress } from '../address.ts'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'

const keyOf = () => `wherry-visitor-${readAddress()?.id ?? ''}`

/** Without browser storage the question counts as answered, because it would return at every visit. */
function isAnswered(): boolean {
  try {
    return localStorage.getItem(keyOf()) !== null
  } catch {
    return true
  }
}

function keepAnswer(answer: 'told' | 'skipped'): void {
  try {
    localStorage.setItem(keyOf(), answer)
  } catch {}
}

/** Asks once, at the first visit, at the end of the screen. The answer is optional. */
export function AskWho() {
  const [isOpen, setIsOpen] = useState(() => !isAnswered())
  if (!isOpen) return null
  const finish = (answer: 'told' | 'skipped') => {
    keepAnswer(answer)
    setIsOpen(false)
  }
  return (
    <aside data-comes-last className="off-paper mt-12 border-t border-line pt-4">
      <NameForm name="" onSkip={() => finish('skipped')} onSaved={() => finish('told')} />
    </aside>
  )
}

interface NameFormProps {
  name: string
  onSkip?: () => void
  onSaved?: () => void
}

export function NameForm({ name: given, onSkip, onSaved }: NameFormProps) {
  const words = texts.shell.visitor
  const [name, setName] = useState(given)
  const save = useAction(() => send('PUT', '/visitor', { name: name.trim() }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' && given === '') return onSkip?.()
    if (await save.act()) {
      keepAnswer('told')
      onSaved?.()
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="max-w-140">
      <TextField
        label={words.label}
        hint={words.hint}
        value={name}
        maxLength={100}
        autoComplete="name"
        onChange={({ target }) => setName(target.value)}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-5">
        <Button type="submit" isWide={false} aria-disabled={save.isPending}>
          {save.isPending ? words.saving : words.use}
        </Button>
        {onSkip && (
          <Button look="plain" onClick={onSkip}>
            {words.skip}
          </Button>
        )}
        <span role="status" className="text-sm text-quiet">
          {save.isDone ? texts.shell.saved : ''}
        </span>
      </div>
      <FailureNotice failure={save.failure} />
    </form>
  )
}
