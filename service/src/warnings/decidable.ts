import { isAboutField } from './codes.ts'

/** The customer can prevent these losses or accept them: in the mapping, under people, or with another file. */
const decidable: ReadonlySet<string> = new Set([
  'refused',
  'not_protected',
  'option_not_offered',
  'value_does_not_fit',
  'user_not_matched',
  'only_first_kept',
  'text_cut',
  'value_unreadable',
  'required_empty',
  'row_skipped',
  'duplicate_id',
])

export const isDecidable = (code: string): boolean => decidable.has(code) || isAboutField(code)
