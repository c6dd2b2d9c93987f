import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts/index.ts'
import { Button, type ButtonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import type { Refusal } from './ask.ts'
import { Said } from './said.tsx'

export interface ActionButtonProps {
  action: { isPending: boolean }
  onAct: () => void
  pending: string
  look?: ButtonLook
  isWide?: boolean
  children: ReactNode
}

/** A button that shows its progress. Meanwhile it keeps the focus and ignores further presses. */
export function ActionButton({ action, onAct, pending, look = 'primary', isWide = true, children }: ActionButtonProps) {
  return (
    <Button
      look={look}
      isWide={isWide}
      aria-disabled={action.isPending}
      onClick={() => {
        if (!action.isPending) onAct()
      }}
    >
      {action.isPending ? pending : children}
    </Button>
  )
}

/** The error of an action. It gets the focus, so that screen readers announce it at once. */
export function FailureNotice({ failure, heading }: { failure: Refusal | null; heading?: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure) box.current?.focus()
  }, [failure])
  return (
    <div ref={box} role="alert" tabIndex={-1} className="outline-none">
      {failure && (
        <Notice tone="stopped" heading={heading ?? texts.shell.failed.heading}>
          <FailureWords failure={failure} />
        </Notice>
      )}
    </div>
  )
}

/** If a 422 names one of these fields, the import's status has changed since the screen was loaded. */
const movedFields = ['status', 'sponsorship', 'plan']

function FailureWords({ failure }: { failure: Refusal }) {
  const { unavailable, moved, gone, reference } = texts.shell.failed
  if (failure.kind === 'unavailable') {
    return (
      <>
        <p>{unavailable}</p>
        {failure.reference !== null && <p className="mt-1 text-sm">{reference(failure.reference)}</p>}
      </>
    )
  }
  if (failure.kind === 'gone') return <p>{gone}</p>
  const names = Object.keys(failure.fields)
  if (names.length > 0 && names.every((name) => movedFields.includes(name))) return <p>{moved}</p>
  return Object.entries(failure.fields).map(([name, messages]) => (
    <p key={name}>
      <Said messages={messages} />
    </p>
  ))
}
