import type { ColumnType, Generated } from 'kysely'
import type { CustomField, DestinationDescription, Leftover, PreflightCheck } from '../connectors/contract/contract.ts'
import type { ObstacleCode, ObstacleRecords } from '../errors.ts'
import type { Family } from '../families/index.ts'
import type { WarningCode } from '../warnings/codes.ts'
import type { MappingChanges } from './mapping-changes.ts'

type Json<T> = ColumnType<T, string, string>
type SampleReason = ColumnType<string | null, string | null | undefined, string | null>
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>

/** The tables of plans and runs. */
export interface RunTables {
  runs: RunsTable
  run_stages: RunStagesTable
  id_map: IdMapTable
  announcements: AnnouncementsTable
  sample_records: { import_id: string; entity: string; source_id: string; reason: SampleReason }
  user_map: UserMapTable
  destination_users: DestinationUsersTable
  mappings: MappingsTable
  saved_mappings: SavedMappingsTable
  visitors: { id: string; import_id: string; name: string; created_at: Generated<Date> }
  plans: PlansTable
  plan_entities: PlanEntitiesTable
  plan_records: PlanRecordsTable
  side_records: SideRecordsTable
  certificate_keys: CertificateKeysTable
  certificates: CertificatesTable
  leftovers: { import_id: string; what: Json<Leftover>; created_at: Generated<Date> }
}

interface CertificateKeysTable {
  kid: string
  // biome-ignore lint/suspicious/noExplicitAny: its shape belongs to certificates/, a higher folder
  public_key: Json<any>
  sealed_key: Buffer
  is_active: Generated<boolean>
  created_at: Generated<Date>
}

interface CertificatesTable {
  run_id: string
  import_id: string
  kid: string
  // biome-ignore lint/suspicious/noExplicitAny: as above
  certificate: Json<any>
  signature: string
  issued_at: Generated<Date>
}

/** The customer's options for a run. */
export interface RunOptions {
  /** Records that a sample must copy. */
  records?: { entity: string; source_id: string }[]
  /** An undo also removes records that people have edited since. */
  remove_edited?: boolean
  /** A retry also sends records that the destination may already have. */
  send_unknown?: boolean
  /** A retry also writes records again that people deleted in the destination. */
  bring_back?: boolean
  /** A retry also maps copied records again that lost a person or a value. */
  remap?: boolean
  /** Records that nobody pays for are left out instead of pausing the run. */
  only_covered?: boolean
  /** The customer has looked whether the destination sends mail for new records. Set when the run goes on. */
  mail_checked?: boolean
}

export type RunState = 'working' | 'paused' | 'finished' | 'stopped'
export type RunKind = 'plan' | 'sample' | 'full' | 'delta' | 'retry' | 'preview' | 'check' | 'removal' | 'undo'
export type RecordState = 'intended' | 'written' | 'matched' | 'refused' | 'filtered' | 'held' | 'deleted' | 'removed'
export type StageKind =
  | 'users'
  | 'survey'
  | 'choose'
  | 'recheck'
  | 'write'
  | 'link'
  | 'sweep'
  | 'verify'
  | 'compare'
  | 'guard'
  | 'inspect'
  | 'remove'
  | 'follow'
  | 'tidy'
export type UndoFinding = 'removable' | 'edited' | 'missing' | 'unknown'

/** How many of the records read by a plan fill a field of the source. */
export interface FieldSurvey {
  filled: number
  /** The values of an option field, with their counts. */
  values?: Record<string, number>
}

/** One kind of loss among the records of an entity that a plan has read. */
export interface ForeseenLoss {
  /** The code of the run's warning. */
  code: WarningCode
  /** The field of the loss, if there is one: of the source, or of the destination for a required field that stays empty. */
  field: string | null
  count: number
  /** The values of the loss, with their counts; people by their ids. */
  values?: Record<string, number>
  examples: { source_id: string; number: string | null; title: string | null }[]
}

export interface Obstacle {
  code: ObstacleCode
  must_act: 'customer' | 'operator' | 'nobody'
  message: string
  /** The account of the obstacle, if it concerns one. */
  role?: 'source' | 'destination'
  /** The run can skip the failing page or records. */
  can_skip?: true
  /** The end of the wait that a tool asked for. */
  until?: string
  /** Records moved, records allowed and records in the source, if someone must pay for more. */
  records?: ObstacleRecords
  /** Somebody pays for more by now: a worker resumes the run. */
  is_covered?: true
  /** The partner was asked to pay for the rest. */
  is_partner_asked?: true
}

/** The attempt of a job that works on a run. */
export interface SliceAttempt {
  id: string
  retryCount: number
}

/** The holder of a run: a process by its presence number and its host, and its attempt of the slice's job. */
export interface RunHolder {
  worker: number
  host: string
  pid: number
  slice: SliceAttempt
}

interface RunsTable {
  id: string
  import_id: string
  kind: RunKind
  state: RunState
  epoch: Generated<number>
  since: Date | null
  source_lag_seconds: Generated<number>
  obstacle: ColumnType<Obstacle | null, string | null, string | null>
  failures: Generated<number>
  /** Windows of a limit that ended without a page getting through, and when the present one is free. */
  budget_windows: Generated<number>
  budget_free_at: Date | null
  options: JsonWithDefault<RunOptions>
  mapping_version: Generated<number>
  holder: ColumnType<RunHolder | null, string | null | undefined, string | null>
  created_at: Generated<Date>
  finished_at: Date | null
  skip_asked_at: Date | null
}

/** The cursors of a stage so far; see `engine/watch-cursors.ts`. */
export interface CursorWatch {
  /** The hash of the kept cursor. */
  mark: string
  /** Pages since this cursor. */
  steps: number
  /** After this many pages another cursor is kept. */
  power: number
  /** Records of the entity when the kept cursor came back the last time; null before. */
  met: number | null
  /** How often it came back since then without a new record, and after how many pages. */
  rounds: number
  pages: number
}

interface RunStagesTable {
  run_id: string
  position: number
  stage: StageKind
  entity: string | null
  cursor: string | null
  is_done: Generated<boolean>
  passes: Generated<number>
  skipped: Generated<number>
  done: Generated<number>
  cursor_watch: ColumnType<CursorWatch | null, string | null | undefined, string | null>
}

interface IdMapTable {
  import_id: string
  entity: string
  source_id: string
  state: RecordState
  run_id: string
  destination_id: string | null
  destination_url: string | null
  destination_version: string | null
  source_url: string | null
  parent_entity: string | null
  parent_source_id: string | null
  written_hash: Buffer | null
  is_verified: Generated<boolean>
  is_incomplete: Generated<boolean>
  attempts: Generated<number>
  code: string | null
  message: string | null
  sent_at: Date | null
  sent_hash: Buffer | null
  is_doubtful: Generated<boolean>
  undo_finding: UndoFinding | null
  verdict: 'fine' | 'flagged' | null
  warned: WarningCode[] | null
  stored_hash: Buffer | null
  failures: Generated<number>
  is_counted: Generated<boolean>
  gone_from_source_at: Date | null
  carried_at: number | null
  /** The run that brought the record into the destination, if that run read only changes of the source. */
  arrived_in: string | null
  /** The run that sent the record with all parts that the source shows. */
  whole_in: string | null
  /** Of a record whose change may have arrived in part: see engine/half-changed.ts. */
  changing: ColumnType<object | null, string | null | undefined, string | null>
}

interface SideRecordsTable {
  import_id: string
  kind: string
  mark: string
  destination_id: string | null
  version: string | null
  created_at: Generated<Date>
}

interface AnnouncementsTable {
  import_id: string
  id: Generated<string>
  run_id: string
  entity: string
  records: Json<object[]>
  sent_at: Generated<Date>
}

interface UserMapTable {
  import_id: string
  source_user_id: string
  name: string
  email: string | null
  destination_user_id: string | null
  is_chosen: Generated<boolean>
  keeps_name: Generated<boolean>
  suggested_user_id: string | null
  plain_email: string | null
  plain_name: string | null
  short_name: string | null
  seen_in: string | null
  named_in: Generated<number>
  is_listed: Generated<boolean>
}

interface DestinationUsersTable {
  import_id: string
  user_id: string
  name: string
  email: string | null
  is_active: boolean
  plain_email: string | null
  plain_name: string | null
  short_name: string | null
  seen_in: string | null
}

interface MappingsTable {
  import_id: string
  version: number
  changes: Json<MappingChanges>
  created_at: Generated<Date>
  saved_by: Generated<string | null>
}

interface SavedMappingsTable {
  id: string
  partner_id: string
  family: Family
  source_tool: string
  destination_tool: string
  /** Null for the partner's own mapping. */
  destination_account: string | null
  name: string
  changes: Json<MappingChanges>
  saved_at: Generated<Date>
  saved_by: Generated<string | null>
}

interface PlansTable {
  import_id: string
  run_id: string
  destination: Json<DestinationDescription>
  checks: Json<PreflightCheck[]>
  custom_fields: Json<Record<string, CustomField[]>>
  made_at: Generated<Date>
  people_changed_at: Date | null
  is_again: Generated<boolean>
}

interface PlanEntitiesTable {
  import_id: string
  entity: string
  total: number | null
  looked_at: Generated<number>
  wanted: Generated<number>
  oldest: Date | null
  newest: Date | null
  fields: JsonWithDefault<Record<string, FieldSurvey>>
  audiences: JsonWithDefault<Record<string, number>>
  losses: JsonWithDefault<ForeseenLoss[]>
  mapped: Generated<number>
  whole: Generated<number>
  undecided: Generated<number>
  is_read_whole: Generated<boolean>
}

/** The expected state of a record. */
export type Fate = 'sent' | 'refused' | 'held' | 'filtered'

interface PlanRecordsTable {
  import_id: string
  entity: string
  source_id: string
  fate: Fate
  source_url: string | null
  is_open: Generated<boolean>
  united_by: Generated<string | null>
}
