import type { LaterTexts } from './en/later.ts'
import { addCatalog, type Catalog, known, language, readable } from './index.ts'
import { type Language, languages } from './languages.ts'

/** Loaded with the first screen that needs it, so that the first screen loads faster. */
export let later: LaterTexts

const load: Catalog = async (next) => {
  const { laterTexts } = await languages[next].later()
  return () => {
    later = laterTexts
  }
}
addCatalog(load)
let loaded: Language
do {
  loaded = language
  const place = await load(loaded)
  place()
  // The customer may have chosen another language meanwhile.
} while (loaded !== language)

/** The name of a field. A custom field has a label of its own. */
export function fieldLabel(name: string, label = name): string {
  return label === name ? (known(later.fields, name) ?? readable(name)) : label
}
