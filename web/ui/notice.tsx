import type { ReactNode } from 'react'
import { NoteIcon } from './note-icon.tsx'

export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="mt-4 flex gap-3 rounded-lg border border-line bg-card p-4">
      <NoteIcon />
      <p className="min-w-0 text-pretty">{children}</p>
    </div>
  )
}
