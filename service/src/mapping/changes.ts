import type { DayOrder } from '../connectors/upload-contract.ts'

/** What the customer has changed of the mapping. Everything that is not named here follows from both sides. */
export interface MappingChanges {
  entities?: Record<string, EntityChanges>
  /** Who stands for people of the source that have no account in the destination. */
  default_user?: string | null
}

export interface EntityChanges {
  /** False leaves the whole entity out, and what hangs on it. */
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
  /** By record of the source, then by field: the value that the customer typed in place of the record's own. */
  corrections?: Record<string, Record<string, Correction>>
  /** Sends also records that more people can see in the destination than in the source. */
  send_unprotected?: boolean
}

/** An empty text leaves the field empty. */
export type Correction = string | number | boolean

export interface FieldChange {
  /** Field of the destination, or `custom:<key>`; null leaves it out. */
  to?: string | null
  /** Change the value first, one after another. `values` and the field of the destination get what comes out. */
  steps?: Step[]
  /** Value of the source to value of the destination; null leaves it empty. */
  values?: Record<string, string | null>
}

/** One change of a value. Texts are searched as they are: there are no patterns. */
export type Step =
  | { do: 'replace'; find: string; with: string }
  | { do: 'case'; as: LetterCase }
  /** The part of this number, the first is 1, the last -1; without a number all parts, as a list. */
  | { do: 'split'; by: string; part?: number }
  /** A list as one text. */
  | { do: 'join'; by: string }
  /** A day or moment, read in this order; as the destination stores it, or written out as a text. */
  | { do: 'date'; read: DayOrder; write?: DayFormat }

export type LetterCase = 'upper' | 'lower' | 'title' | 'sentence'
export type DayFormat = 'yyyy-mm-dd' | 'dd.mm.yyyy' | 'dd/mm/yyyy' | 'mm/dd/yyyy'

/** Fields of the source, blank ones left out, with this text between them. */
export interface Combination {
  fields: string[]
  by: string
  /** By field: what to write before it, such as its name. */
  labels?: Record<string, string>
}

const prefix = 'custom:'

export const customName = (key: string) => `${prefix}${key}`

/** The key of a custom field, by the name it has in a mapping; null for a field of the family. */
export const customKey = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : null)
