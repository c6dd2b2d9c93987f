import type { LaterTexts } from './en/later.ts'
import { known, language, readable } from './index.ts'

/** Loaded with the first screen that needs it: whoever only connects an account does not wait for it. */
export const later: LaterTexts = (await (language === 'de' ? import('./de/later.ts') : import('./en/later.ts')))
  .laterTexts

/** What people call a field. A custom field has a label of its own. */
export function fieldLabel(name: string, label = name): string {
  return label === name ? (known(later.fields, name) ?? readable(name)) : label
}
