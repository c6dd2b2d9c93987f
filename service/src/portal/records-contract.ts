import type { Correctable } from '../mapping/read-correction.ts'
import type { PortalObstacle } from './contract.ts'

/**
 * Answers of the portal's JSON routes about records and their comparison. Types only: the web part reads this file too.
 */

/** Body of `GET /portal/imports/:id/sums`. */
export interface PortalSums {
  /** By entity; see `PortalEntitySums`. */
  entities: Record<string, PortalEntitySums>
  preview: PortalLook | null
  /** The newest run that read everything back; `done` is how many records it has read. */
  check: (PortalLook & { done: number }) | null
}

export interface PortalEntitySums {
  /** Every record that was found is in one state. */
  states: Record<string, number>
  undo: Record<string, number>
  /** Of the deleted ones, those that the source no longer has either. */
  settled: number
  /** Written records that were read back: equal ones and different ones. */
  checked: { same: number; different: number }
}

export interface PortalLook {
  state: string
  obstacle: PortalObstacle | null
  finished_at: string | null
}

export type RecordVerdict = 'fine' | 'flagged'

export interface PortalRecord {
  entity: string
  source_id: string
  state: string
  code: string | null
  message: string | null
  source_url: string | null
  destination_id: string | null
  destination_url: string | null
  is_verified: boolean
  undo_finding: string | null
  /** Since when the source no longer has it. */
  gone_from_source_at: string | null
  /** As the destination shows it; only where titles were asked for, and the destination answered. */
  title?: string
  /** The tool's number for it; only where a comparison was asked for. */
  number?: string | null
  /** Source against destination; null when the source does not have it any more. */
  comparison?: PortalComparison | null
  verdict: RecordVerdict | null
  /** Codes of the warnings about this record. */
  warned?: string[] | null
  /**
   * The reason why the sample chose it, such as `longest` or `spread`; null for a record that belongs to a chosen one.
   */
  sample_reason: string | null
}

/** `GET /portal/imports/:id/find`: records by number, title or either id. */
export interface PortalFound {
  records: PortalRecord[]
  /** Records of the source whose numbers and titles were looked at. */
  looked_at: number
  /** False when the source has more than could be looked at. */
  is_whole: boolean
}

/** A record in the destination, beside its original. */
export interface PortalComparison {
  /** `as_chosen`: it differs only where the customer wanted it so; `missing`: it is not in the destination. */
  verdict: 'same' | 'as_chosen' | 'differs' | 'missing'
  /** Names of fields that are not the same. */
  fields: string[]
}

/** The target of a field, by its title and the number that its tool shows. */
export interface PortalName {
  title: string
  number: string | null
}

export interface PortalComparedField {
  /** The name as in a mapping: of the source, or of the destination for an added value. */
  name: string
  /** The label of a custom field. */
  label: string | null
  /** Field of the destination; null when it went nowhere. */
  to: string | null
  verdict: 'same' | 'changed' | 'lost' | 'added'
  /**
   * Why it is not the same: codes of warnings, or `left_out`, `not_offered`, `chosen`, `closest`, `edited`,
   * `changed_there`, `times_not_kept`, `constant`, `filled_there`.
   */
  reasons: string[]
  /** `names` where the values are people or other records. */
  source: { value: unknown; names: PortalName[] | null }
  stored: { value: unknown; names: PortalName[] | null }
}

/** Body of `GET /portal/imports/:id/threads/:entity/:source_id`: comments and files of a record. */
export interface PortalThread {
  records: PortalRecordView[]
  /** False when there is more than is shown. */
  is_whole: boolean
}

export interface PortalContent {
  fields: Record<string, unknown>
  custom_fields: Record<string, unknown>
  created_at: string | null
  updated_at: string | null
}

/** One record: in the source, as mapped, and as the destination has it now; and field by field. */
export interface PortalRecordView {
  entity: string
  source_id: string
  title: string
  number: string | null
  verdict: PortalComparison['verdict']
  /** Differences come first. */
  compared: PortalComparedField[]
  source: PortalContent & { url: string | null }
  /** Null while its parent has not arrived. */
  mapped: PortalContent | null
  /** Codes of the losses and changes. */
  warnings: string[]
  /** The source's remark on this record, in English: for a file, with its line. */
  notes: string[]
  /** Null when it is not there. */
  stored: (PortalContent & { url: string | null }) | null
  /** Names of fields that are not in the destination as they were sent. */
  differences: string[]
  /** Fields whose texts are HTML in `mapped` and `stored`; custom ones begin with `custom:`. */
  html_fields: string[]
}

/** A field of a record whose value the customer can type: `GET` and `PUT /portal/imports/:id/corrections/:entity/:id`. */
export type PortalCorrectable = Correctable
