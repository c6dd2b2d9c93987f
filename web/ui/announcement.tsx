import { useState } from 'react'

/** Announces changes to screen readers. They read the first content by themselves. */
export function Announcement({ text }: { text: string }) {
  const [opening] = useState(text)
  const [hasChanged, setHasChanged] = useState(false)
  if (!hasChanged && text !== opening) setHasChanged(true)
  return (
    <p aria-live="polite" className="sr-only">
      {hasChanged ? text : ''}
    </p>
  )
}
