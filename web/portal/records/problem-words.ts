import { known } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'

export interface Problem {
  what: string
  fix: string | null
  /** As the service words it, in English: the catalog does not know it. */
  isRaw: boolean
}

/** What a warning says, by its code; else as the service worded it. */
export function problemWords(code: string, message = code): Problem {
  const [kind = '', name = ''] = code.split(':')
  const { byCode, fieldNotTaken, formatting, losses, lossFix } = later.problems
  const loss = kind === 'lost' ? known(losses, name) : undefined
  if (loss !== undefined) return { what: loss, fix: lossFix, isRaw: false }
  const words =
    kind === 'field_not_taken' || kind === 'custom_field_not_taken'
      ? fieldNotTaken(fieldLabel(name))
      : (known(byCode, kind) ?? (kind.startsWith('text_') ? formatting() : undefined))
  return words ? { ...words, isRaw: false } : { what: message, fix: null, isRaw: true }
}
