import type { MappingChanges } from '../db/mapping-changes.ts'
import type { Difference } from '../mapping/compare-changes.ts'
import type { DescribedEntity } from '../mapping/describe-mapping.ts'
import type { LookState, PortalObstacle } from './contract.ts'
import type { PortalRecordView } from './records-contract.ts'

/** Answers of the portal's JSON routes about plan, mapping and people. Types only: the web part reads this file too. */

/** Body of `GET /portal/imports/:id/people`. */
export interface PortalPeople {
  people: PortalPerson[]
  destination: { user_id: string; name: string; email: string | null; is_active: boolean }[]
  next: string | null
}

/** Body of `GET /portal/imports/:id/plan`. */
export interface PortalPlan {
  state: LookState
  obstacle: PortalObstacle | null
  made_at: string | null
  /** Problems to solve before anything is written. */
  checks: {
    code: string
    is_fine: boolean
    is_blocking: boolean
    is_about_later_runs: boolean
    message: string
    fix: string | null
  }[]
  destination: {
    name: string
    keeps_times: boolean
    /** Entities whose times are kept only inside new records, with the limit for each record. */
    keeps_times_inside: { entity: string; most: number }[]
    sends_no_mail: boolean
    can_undo: boolean
    delivery_class: 'A' | 'B' | 'C' | 'D'
    largest_file_bytes: number | null
    /** Codes of losses that the destination may report for single records. Only the run shows which. */
    may_lose: string[]
  } | null
  /** Records that samples of this import may still take, and how many they may take in all; null: any number. */
  sample: { left: number; of: number; chosen: number | null } | null
  /** A new plan is being made. Meanwhile the findings of the last one are shown. */
  is_again: boolean
  /** Mapping or people were changed since: the losses are those of before. */
  is_outdated: boolean
  /**
   * Duration of the full migration, from the counts, the destination's limits and, after a sample, the pace measured
   * with it; null when nothing is counted.
   */
  duration: { from_seconds: number; to_seconds: number; is_measured: boolean } | null
  entities: PortalPlanEntity[]
}

/** One kind of loss that a run would report. */
export interface PortalLoss {
  /** As the run would warn of it. */
  code: string
  /** The field behind it: of the source, or of the destination where a required one stays empty (`refused`). */
  field: string | null
  label: string | null
  /** Of the records looked at. */
  count: number
  /** Whether the customer can prevent it or say that it is fine. */
  is_decidable: boolean
  values: { value: string; count: number }[]
  /** Number and title of the record; null where it has none. */
  examples: { source_id: string; number: string | null; title: string | null }[]
}

export interface PortalPlanEntity {
  entity: string
  /** As the source counts; null where it does not tell. */
  total: number | null
  /** Records that the source has besides and does not hand out, such as archived ones. */
  withheld: number
  looked_at: number
  oldest: string | null
  newest: string | null
  is_taken: boolean
  is_included: boolean
  /** Of the records looked at: how many more people could see in the destination than in the source. */
  unprotected: number
  /** Whether the customer wants them copied nevertheless. */
  sends_unprotected: boolean
  /** Records looked at that the customer has not left out. */
  mapped: number
  /** Of those: how many lose nothing, and how many lose something that the customer can decide about. */
  whole: number
  undecided: number
  losses: PortalLoss[]
  /** Every field that the source fills, and where it goes. */
  fields: {
    name: string
    label: string
    filled: number
    to: string | null
    reason: 'left_out' | 'not_offered' | 'not_protected' | null
  }[]
}

/** Body of `GET /portal/imports/:id/mapping`. */
export interface PortalMapping {
  version: number
  changes: MappingChanges
  entities: DescribedEntity[]
}

/** Body of `POST /portal/imports/:id/mapping/check`: the same with changes that are not saved. */
export interface PortalMappingCheck {
  entities: DescribedEntity[]
  /** Errors that prevent saving, by path. */
  problems: Record<string, string[]>
}

/** Body of `POST /portal/imports/:id/mapping/examples`. */
export interface PortalExamples {
  /** By field of the source: some of its values, as people read them. */
  samples: Record<string, string[]>
  records: PortalRecordView[]
}

/** Body of `GET /portal/imports/:id/saved-mappings`. */
export interface PortalSavedMappings {
  mappings: {
    id: string
    name: string
    saved_at: string
    /** The name of the person who saved it; null if not given. */
    saved_by: string | null
    /** Recommended by the partner; otherwise kept by someone of the same destination account. */
    is_partners: boolean
    /** The part of it that exists in this import. */
    changes: MappingChanges
    /** Paths of the changes that do not exist in this import. */
    dropped: string[]
  }[]
  /** The newest versions of this import's mapping. */
  versions: { version: number; saved_at: string; saved_by: string | null; differences: Difference[] }[]
}

/** Body of `GET /portal/imports/:id/mapping/differences?from=…&to=…`. */
export interface PortalComparedVersions {
  /** Those of `to` that exist in this import. */
  changes: MappingChanges
  differences: Difference[]
}

export interface PortalPerson {
  source_user_id: string
  name: string
  /** Records that name the person, of those that the plan looked at. */
  named_in: number
  /** False for somebody whom only records name; then the name is the id. */
  is_listed: boolean
  email: string | null
  destination_user_id: string | null
  is_chosen: boolean
  /** To be invited later: the name stands in the records until then. */
  keeps_name: boolean
  suggested_user_id: string | null
}
