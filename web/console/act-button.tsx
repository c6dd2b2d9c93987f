import { type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from '../ui/button.tsx'
import { Failure } from './parts.tsx'
import { useAct } from './use-ask.ts'

interface ActButtonProps {
  path: string
  method?: 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  look?: ButtonLook
  /** The question that an operator must confirm before a final act. */
  question?: string
  children: string
  /** Shows the answer of the act, such as a secret that is shown once. */
  answer?: (data: never) => ReactNode
}

/** A button for one act. Before a final act it asks for confirmation. It shows the result. */
export function ActButton({
  path,
  method = 'POST',
  body,
  look = 'secondary',
  question,
  children,
  answer,
}: ActButtonProps) {
  const act = useAct<unknown>()
  const [isAsked, setAsked] = useState(false)
  const run = () => {
    setAsked(false)
    act.mutate({ method, path, body })
  }
  return (
    <div className="inline-block align-top">
      {isAsked ? (
        <fieldset className="rounded-lg border border-needs/50 bg-needs-soft p-3">
          <legend className="px-1 font-medium">{question}</legend>
          <div className="flex flex-wrap gap-2">
            <Button look="danger" isWide={false} onClick={run}>
              Yes, {children.toLowerCase()}
            </Button>
            <Button isWide={false} onClick={() => setAsked(false)}>
              No
            </Button>
          </div>
        </fieldset>
      ) : (
        <Button
          look={look}
          isWide={false}
          aria-disabled={act.isPending}
          onClick={() => !act.isPending && (question === undefined ? run() : setAsked(true))}
        >
          {children}
        </Button>
      )}
      {act.error && <Failure error={act.error} />}
      <div aria-live="polite">{act.isSuccess && answer?.(act.data as never)}</div>
    </div>
  )
}
