import type { Family } from '../families/index.ts'
import type { ImportStatus, Sponsorship } from '../imports/lifecycle.ts'
import type { MappingChanges } from '../mapping/changes.ts'
import type { Difference } from '../mapping/compare-changes.ts'
import type { DescribedEntity } from '../mapping/describe-mapping.ts'
import type { Correctable } from '../mapping/read-correction.ts'
import type { PolicyReason, PortalPayment } from './payment-contract.ts'

/** What the portal's JSON routes say. Types only: the web part reads this file too. */

export type { Family, ImportStatus, Sponsorship }

/** Whether we can sign in to an account: not at all, with what we were given, or proved by a sign-in. */
export type AccountAccess = 'missing' | 'given' | 'checked'

/** What a tool asks for to let us in. */
export type AccountField = 'instance_url' | 'username' | 'token' | 'upload'

export interface PortalAccount {
  tool: string
  /** What people call the tool. */
  label: string
  access: AccountAccess
  /** What the account calls itself, else the user name or the host of the instance; null when we know none of them. */
  account: string | null
  asks: AccountField[]
  /** Instances at which one can sign in instead; an empty text stands for the tool's own service. */
  sign_in: string[]
}

export interface PortalWarning {
  code: string
  /** In English. */
  message: string
  entity: string
  count: number
}

export interface PortalImport {
  id: string
  status: string
  status_code: ImportStatus
  /** `full_page` is the partner's own page for those who want the full migration. */
  partner: { name: string; accent: string | null; has_logo: boolean; full_page: string | null }
  source: PortalAccount
  destination: PortalAccount
  /** Entities with copied records of which the source cannot tell what was deleted. */
  untold_deletions: string[]
  /** When the last run began that read everything, or all changes; null before the first. */
  changes_since: string | null
  family: Family
  /** True when the partner asked for the full migration without a sample before it. */
  start_full: boolean
  /** True while its plan is made: the full migration then starts without a click. */
  starts_by_itself: boolean
  sponsorship: Sponsorship
  /** When the customer asked the partner to pay. */
  sponsorship_requested_at: string | null
  /** Whose word it is; what a policy's word was based on. */
  sponsorship_by: 'partner' | 'policy' | null
  sponsorship_reason: PolicyReason | null
  /** Whether the customer has paid for the full migration. */
  is_paid: boolean
  /** The newest payment; null when there is none. */
  payment: PortalPayment | null
  /** The newest run that moves records; null before the first. */
  run: PortalRun | null
  items: Record<string, number>
  users: { source_tool: number; destination_tool: number; matched: number }
  progress: { done: number; total: number | null }
  warnings: PortalWarning[]
  /** What other imports copied from the same source account to the same destination account; null when nothing. */
  twin: PortalTwin | null
  created_at: string
}

export interface PortalTwin {
  imports: number
  /** That are in the destination through them. */
  records: number
  /** When the last of them ran. */
  ran_at: string
  is_under_way: boolean
}

/** Body of `POST /portal/session`. */
export interface PortalSessionRequest {
  id: string
  token: string
}

/** Body of every answer that is no success. */
export interface PortalError {
  error: string
  message: string
  /** Only for someone who holds the right link of an import that is over. */
  ended?: { as: 'cancelled' | 'archived'; partner: { name: string } }
}

/** A run that only looks: a plan or a preview of an undo. */
export type LookState = 'none' | 'working' | 'paused' | 'finished' | 'stopped'

export interface PortalObstacle {
  code: string
  /** `nobody`: it goes on by itself. */
  must_act: 'customer' | 'operator' | 'nobody'
  /** In English. */
  message: string
  /** The account that it is about, where one is. */
  role?: 'source' | 'destination'
  /** The run gets past it by leaving out what it is stuck at. */
  can_skip?: true
  /** Until when a tool asked us to wait. */
  until?: string
  /** Records that were moved, that may be moved, and that the source has, where someone must pay for more. */
  records?: { moved: number; covered: number; counted: number | null }
  /** The partner was asked to pay for the rest. */
  is_partner_asked?: true
}

export interface PortalRun {
  kind: 'sample' | 'full' | 'delta' | 'retry' | 'removal' | 'undo'
  state: 'working' | 'paused' | 'finished' | 'stopped'
  obstacle: PortalObstacle | null
  started_at: string
  finished_at: string | null
  /** What it does at the moment, and with which entity; null when it is over. */
  now: { stage: string; entity: string | null } | null
  /** Those that it writes or removes, in its order; `total` as the plan counted, `done` that this run is through with. */
  entities: { entity: string; total: number | null; done: number; state: 'waiting' | 'working' | 'done' }[]
}

/** Answer of `POST /portal/imports/:id/accounts/:role/sign-in`. */
export interface PortalSignIn {
  /** The tool's own page; it sends the browser back to us. */
  redirect_to: string
}

/** Body of `GET /portal/imports/:id/accounts/:role`: what is known of an account that has been connected. */
export interface PortalAccess {
  instance_url: string | null
  username: string | null
}

/** One line of `GET /portal/imports/:id/activity`, newest first. */
export interface PortalActivity {
  at: string
  by: 'customer' | 'partner' | 'operator' | 'service'
  /** What was done, as in the audit log; or the status that was reached. */
  act: string
  status_code: ImportStatus | null
  /** As the person calls themselves who did it; null when nobody told. */
  name: string | null
  /** What a changed mapping changed; only the newest ones tell. */
  differences?: Difference[]
}

/** Body of `GET /portal/imports/:id/visitor`: who sits before this browser. */
export interface PortalVisitor {
  name: string | null
}

/** Body of `GET /portal/imports/:id/contact`. */
export interface PortalContact {
  /** Whom to tell by mail when it is done, or when it needs the customer. */
  address: string | null
  /** An address that we know of and nobody has confirmed. */
  suggested: string | null
  /** Whether mails leave this service; otherwise they can only be read in the portal. */
  is_sent: boolean
}

/** Body of `GET /portal/imports/:id/messages`, newest first. */
export interface PortalMessages {
  is_sent: boolean
  messages: PortalMessage[]
}

export interface PortalMessage {
  id: string
  at: string
  to: string
  subject: string
  paragraphs: string[]
  state: 'waiting' | 'sent' | 'given_up'
  /** What the mail server said when it could not be sent. */
  trouble: string | null
}

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
  /** Of the written ones, how many were read back, and what came of it; the others were not. */
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
  /** What its tool calls it; only where a comparison was asked for. */
  number?: string | null
  /** Source against destination; null when the source does not have it any more. */
  comparison?: PortalComparison | null
  verdict: RecordVerdict | null
  /** Codes of what the customer is warned of because of it. */
  warned?: string[] | null
  /** Why the sample has taken it, such as `longest` or `spread`; null for what came along. */
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

/** How a record in the destination is, beside its original. */
export interface PortalComparison {
  /** `as_chosen`: it differs only where the customer wanted it so; `missing`: it is not in the destination. */
  verdict: 'same' | 'as_chosen' | 'differs' | 'missing'
  /** Names of fields that are not the same. */
  fields: string[]
}

/** What a field refers to, by its title and the number that its tool shows. */
export interface PortalName {
  title: string
  number: string | null
}

export interface PortalComparedField {
  /** As in a mapping: of the source, or of the destination for what was added. */
  name: string
  /** What people call a custom field. */
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

/** Body of `GET /portal/imports/:id/threads/:entity/:source_id`: what hangs on a record. */
export interface PortalThread {
  records: PortalRecordView[]
  /** False when there is more than is shown. */
  is_whole: boolean
}

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
  /** What should be put right before anything is written. */
  checks: { code: string; is_fine: boolean; is_blocking: boolean; message: string; fix: string | null }[]
  destination: {
    name: string
    keeps_times: boolean
    sends_no_mail: boolean
    can_undo: boolean
    delivery_class: 'A' | 'B' | 'C' | 'D'
    largest_file_bytes: number | null
    /** Codes of what it may not take of single records; only the run can tell of which. */
    may_lose: string[]
  } | null
  /** Records that samples of this import may still take, and how many they may take in all; null: any number. */
  sample: { left: number; of: number; chosen: number | null } | null
  /** The plan is made anew; what the one before found is shown meanwhile. */
  is_again: boolean
  /** Mapping or people were changed since: the losses are those of before. */
  is_outdated: boolean
  /**
   * How long the full migration takes, from the counts, what the destination bears and, once there is a sample, the pace
   * that was measured with it; null when nothing is counted.
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
  /** By what people know a record: its number and its title; both null where it has neither. */
  examples: { source_id: string; number: string | null; title: string | null }[]
}

export interface PortalPlanEntity {
  entity: string
  /** As the source counts; null where it does not tell. */
  total: number | null
  looked_at: number
  oldest: string | null
  newest: string | null
  is_taken: boolean
  is_included: boolean
  /** Of the records looked at: how many more people could see in the destination than in the source. */
  unprotected: number
  /** Whether the customer wants them copied all the same. */
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
  /** What cannot be saved so, by path. */
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
    /** As the person was called who saved it; null when nobody told. */
    saved_by: string | null
    /** Recommended by the partner; otherwise kept by someone of the same destination account. */
    is_partners: boolean
    /** What of it exists in this import. */
    changes: MappingChanges
    /** Paths of what does not. */
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
  /** What is not the same comes first. */
  compared: PortalComparedField[]
  source: PortalContent & { url: string | null }
  /** Null while it waits for what it hangs on. */
  mapped: PortalContent | null
  /** Codes of what is lost or changed on the way. */
  warnings: string[]
  /** What the source said about this record, in English: for a file, with its line. */
  notes: string[]
  /** Null when it is not there. */
  stored: (PortalContent & { url: string | null }) | null
  /** Names of fields that are not in the destination as they were sent. */
  differences: string[]
  /** Fields whose texts are HTML in `mapped` and `stored`; custom ones begin with `custom:`. */
  html_fields: string[]
}

/** Body of `POST /portal/imports/:id/uploads`. */
export interface PortalUploadRequest {
  file_name: string
  size: number
}

/** A file of an upload. */
export interface PortalUploadFile {
  number: number
  file_name: string
  size: number
  /** How many bytes are there; the next part starts here. */
  received: number
}

export interface PortalUpload {
  id: string
  /** Of all files together, for people. */
  file_name: string
  /** Of all files together. */
  size: number
  received: number
  files: PortalUploadFile[]
  /** The most that one part may hold; every part but the last is a multiple of `part_unit`. */
  part_bytes: number
  part_unit: number
  state: 'receiving' | 'reading' | 'ready' | 'refused'
  /** Whether it is the source of the import. */
  is_connected: boolean
  tables: PortalTable[]
  problems: PortalUploadProblem[]
  /** What rows can be, and columns of them. */
  entities: PortalEntity[]
}

export interface PortalTable {
  file: string
  entity: string | null
  rows: number
  encoding: string
  delimiter: string
  has_header: boolean
  /** The column by which rows are known; null when each row is its own name. */
  key: { column: number; by: 'id' | 'email' | 'name' } | null
  columns: PortalColumn[]
}

export interface PortalColumn {
  header: string
  as: 'id' | 'created_at' | 'updated_at' | 'currency' | 'field' | 'custom' | 'ignored'
  /** For a field: which, and how it names another record or person. */
  field?: string
  by?: 'id' | 'email' | 'name'
  to?: string
  /** For a custom field: its name and what its values are. */
  label?: string
  type?: string
  options?: string[]
  /** For formatted text: how it is written. Found for the whole column; the customer may say otherwise. */
  text?: 'plain' | 'html' | 'markdown'
  /** For days that can be read in more than one way. */
  days?: {
    /** In which order day, month and year are written; null until the customer has said so. */
    order: PortalDayOrder | null
    example: string
    /** `day` is the example read this way, null when it cannot be; `unreadable` counts values of the column. */
    readings: { order: PortalDayOrder; day: string | null; unreadable: number }[]
  }
}

export type PortalDayOrder = 'dmy' | 'mdy' | 'ymd'

export interface PortalUploadProblem {
  file: string
  code: string
  /** In English. */
  message: string
  fix: string
  /** Values that cannot be read: how many there are, how many are not corrected yet, and the first of them. */
  values?: { count: number; open: number; first: PortalUnreadableValue[] }
}

export interface PortalUnreadableValue {
  line: number
  value: string
  entity: string
  source_id: string
  field: string
  header: string
  /** What the customer typed in its place. */
  correction: string | null
}

/** A field of a record whose value the customer can type: `GET` and `PUT /portal/imports/:id/corrections/:entity/:id`. */
export type PortalCorrectable = Correctable

export interface PortalEntity {
  name: string
  fields: { name: string; type: string; many: boolean; required: boolean; to: string[] }[]
}

/** Body of `PUT /portal/imports/:id/uploads/:upload/tables`. What is left out stays as it was found. */
export interface PortalTablesRequest {
  tables: {
    file: string
    /** Null leaves the file out. */
    entity?: string | null
    columns?: (Partial<Pick<PortalColumn, 'as' | 'field' | 'by' | 'to' | 'text'>> & {
      column: number
      days?: PortalDayOrder
    })[]
  }[]
}
