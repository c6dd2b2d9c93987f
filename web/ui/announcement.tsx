import { useState } from 'react'

/** Tells screen readers about changes since the screen was opened. They read the first content anyway. */
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
