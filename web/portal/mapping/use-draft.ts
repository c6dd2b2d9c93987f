import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import { readAddress } from '../address.ts'

/** Unsaved changes and the version that they are based on. */
export interface Draft {
  version: number
  base: MappingChanges
  changes: MappingChanges
}

const place = () => `mapping-draft:${readAddress()?.id ?? ''}`

/** The draft stays in this tab until it is saved or discarded, so that neither Back nor a reload loses it. */
export function useDraft(): [Draft | null, (draft: Draft | null) => void] {
  const [draft, setDraft] = useState(read)
  const keep = (next: Draft | null) => {
    setDraft(next)
    try {
      if (next) sessionStorage.setItem(place(), JSON.stringify(next))
      else sessionStorage.removeItem(place())
    } catch {
      // Without browser storage, the draft lasts until the page is closed.
    }
  }
  return [draft, keep]
}

function read(): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(place()) ?? 'null')
    return isDraft(stored) ? stored : null
  } catch {
    return null
  }
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  'base' in value &&
  'changes' in value &&
  typeof value.changes === 'object' &&
  value.changes !== null
