import type { DayOrder } from '../connectors/contract/upload-contract.ts'

/** The customer's changes of the mapping. All other choices follow from the fields of both accounts. */
export interface MappingChanges {
  entities?: Record<string, EntityChanges>
  /** The person of the destination who replaces people without an account there. */
  default_user?: string | null
}

export interface EntityChanges {
  /** False leaves the whole entity out, with its children. */
  include?: boolean
  /** By field of the source; `custom:<key>` for its custom fields. */
  fields?: Record<string, FieldChange>
  /** By field of the destination: several fields of the source as one text. */
  combined?: Record<string, Combination>
  /** By field of the destination: the value where the source leaves it empty. */
  constants?: Record<string, string | number | boolean>
  /** Only records created in this time. */
  created_after?: string
  created_before?: string
  /** Only records whose field has one of these values. */
  only?: Record<string, string[]>
  /** By record of the source, then by field: the value that the customer typed instead of the record's own. */
  corrections?: Record<string, Record<string, Correction>>
  /** Also sends records that more people can see in the destination than in the source. */
  send_unprotected?: boolean
}

/** An empty text leaves the field empty. */
export type Correction = string | number | boolean

export interface FieldChange {
  /** Field of the destination, or `custom:<key>`; null leaves the field out. */
  to?: string | null
  /** Changes of the value, applied first, one after another. `values` and the destination's field get the result. */
  steps?: Step[]
  /** Value of the source to value of the destination; null leaves the field empty. */
  values?: Record<string, string | null>
}

/** One change of a value. `find` is plain text, not a pattern. */
export type Step =
  | { do: 'replace'; find: string; with: string }
  | { do: 'case'; as: LetterCase }
  /** The part of this number: 1 is the first, -1 the last; without a number all parts, as a list. */
  | { do: 'split'; by: string; part?: number }
  /** A list as one text. */
  | { do: 'join'; by: string }
  /** A day or moment, read in this order; in the destination's form, or written as a text. */
  | { do: 'date'; read: DayOrder; write?: DayFormat }

export type LetterCase = 'upper' | 'lower' | 'title' | 'sentence'
export type DayFormat = 'yyyy-mm-dd' | 'dd.mm.yyyy' | 'dd/mm/yyyy' | 'mm/dd/yyyy'

/** Fields of the source, blank ones left out, with this text between them. */
export interface Combination {
  fields: string[]
  by: string
  /** By field: the text before it, such as its name. */
  labels?: Record<string, string>
}

const prefix = 'custom:'

export const customName = (key: string) => `${prefix}${key}`

/** The key of a custom field, by the name it has in a mapping; null for a field of the family. */
export const customKey = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : null)
